"""What the web layer stores: requests to take away a lost second factor, and each form that arrived with its outcome."""

from django.db import models
from django.db.models import Q
from django.utils import timezone


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


class Submission(models.Model):
    """One arrival of a posted form: written down before its view runs, and closed with what the view answered.

    `key` was born with the form; `attempt` names this one sending of it, so that a browser that lost the answer can ask
    what became of exactly that. WITHDRAWN is written in place of an arrival, once its person heard that it had not come:
    should it still come, it is refused.
    """

    class State(models.TextChoices):
        """How far it is. ANSWERED says that the view ran to its end, not what it did: `sentence` may tell."""

        RECEIVED = "RECEIVED", "Received"
        ANSWERED = "ANSWERED", "Answered"
        REFUSED = "REFUSED", "Refused"
        UNKNOWN = "UNKNOWN", "Not known"
        WITHDRAWN = "WITHDRAWN", "Withdrawn"

    user = models.ForeignKey("access.User", on_delete=models.CASCADE, related_name="+")
    business = models.ForeignKey("access.Business", null=True, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=128, blank=True)
    attempt = models.CharField(max_length=64)
    path = models.CharField(max_length=500)
    state = models.CharField(max_length=9, choices=State.choices, default=State.RECEIVED)
    status = models.PositiveSmallIntegerField(null=True)
    sentence = models.CharField(max_length=500, blank=True)
    received_at = models.DateTimeField(default=timezone.now, db_index=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "attempt"], name="one_submission_per_attempt")]
        indexes = [models.Index(fields=["user", "key", "-received_at"], name="submission_key")]

    def __str__(self) -> str:
        return f"{self.path} {self.state}"
