"""What a person must look at, because it stays unknown too long."""

from django.db import models
from django.db.models import Q

from dashboard.decisions.models.decision import Decision


class Alert(models.Model):
    """Something a person must look at, shown until someone closes it: a decision that stays unknown too long."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="alerts")
    membership = models.ForeignKey("access.Membership", null=True, on_delete=models.CASCADE, related_name="alerts")
    decision = models.OneToOneField(Decision, null=True, on_delete=models.CASCADE, related_name="alert")
    sentence = models.CharField(max_length=500)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["business"], condition=Q(closed_at__isnull=True), name="alert_open")]

    def __str__(self) -> str:
        return self.sentence
