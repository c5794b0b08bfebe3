"""What sign-in keeps beside allauth: requests to take away a second factor that somebody has lost."""

from django.db import models
from django.db.models import Q


class FactorReset(models.Model):
    """A super admin asked that a member's second factor be taken away; a second one confirms within a day."""

    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="factor_resets")
    asked_by = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    confirmed_by = models.ForeignKey("access.Membership", null=True, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=500)
    asked_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["membership"], condition=Q(settled_at__isnull=True), name="one_open_reset_per_member"
            )
        ]

    def __str__(self) -> str:
        return f"reset of {self.membership}"
