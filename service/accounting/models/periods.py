"""Months of the books, and when each was closed."""

from django.db import models

from service.businesses.models import Business
from service.ids import object_id


class PeriodStatus(models.TextChoices):
    """Whether a month of the books may still be posted into: a closed one may not."""

    OPEN = "OPEN"
    CLOSED = "CLOSED"


class Period(models.Model):
    """A month whose book was closed at least once. What is closed for the ledger is Business.books_closed_until."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    first_day = models.DateField()
    status = models.CharField(max_length=6, choices=PeriodStatus.choices)
    changed_by = models.CharField(max_length=80)
    changed_at = models.DateTimeField()
    reason = models.CharField(max_length=500, blank=True, default="")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "first_day"], name="period_once")]

    def __str__(self) -> str:
        return f"{self.first_day:%Y-%m}: {self.status}"
