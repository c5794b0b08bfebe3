"""Approvals that are drawn for a second look: of what looked clean, and of each week."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from dashboard.decisions.models.decision import Decision


class Sample(models.Model):
    """An approval of what looked clean, drawn so that somebody else looks at it again; `is_in_order` and `note` are what they
    found, None and "" before."""

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="sample")
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    drawn_at = models.DateTimeField(default=timezone.now)
    checked_at = models.DateTimeField(null=True)
    checked_by = models.ForeignKey("access.Membership", null=True, on_delete=models.SET_NULL, related_name="+")
    checked_by_name = models.CharField(max_length=254, blank=True)
    is_in_order = models.BooleanField(null=True)
    note = models.TextField(blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["business", "drawn_at"], condition=Q(checked_at__isnull=True), name="sample_to_check")
        ]

    def __str__(self) -> str:
        return f"sample of {self.decision_id}"


class DrawnBatch(models.Model):
    """A batch whose sample was drawn: a bulk, or what one person approved one by one on a day. It is drawn once.

    `name` is the bulk's id, or "<membership id>:<ISO day>".
    """

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "name"], name="one_draw_per_batch")]

    def __str__(self) -> str:
        return self.name


class WeeklyDraw(models.Model):
    """A week, by its Monday, whose sample was drawn: how many approvals by people and by nobody there were. Drawn once."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    monday = models.DateField()
    decided_count = models.PositiveIntegerField()
    automatic_count = models.PositiveIntegerField()
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "monday"], name="one_weekly_draw_per_week")]

    def __str__(self) -> str:
        return f"week from {self.monday}"


class WeeklySample(models.Model):
    """An approval of the week, drawn for a second look: by `decision`, or by nobody, for the reason in `route`.

    `is_in_order` and `note` are what was found, None and "" before.
    """

    draw = models.ForeignKey(WeeklyDraw, on_delete=models.CASCADE, related_name="samples")
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    decision = models.ForeignKey(Decision, null=True, on_delete=models.CASCADE, related_name="+")
    route = models.CharField(max_length=200, blank=True)
    checked_at = models.DateTimeField(null=True)
    checked_by = models.ForeignKey("access.Membership", null=True, on_delete=models.SET_NULL, related_name="+")
    checked_by_name = models.CharField(max_length=254, blank=True)
    is_in_order = models.BooleanField(null=True)
    note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draw", "object_type", "object_id"], name="one_weekly_sample_per_item")
        ]

    def __str__(self) -> str:
        return f"weekly sample of {self.title}"


class CountedApproval(models.Model):
    """An item whose approval a weekly draw has counted, drawn or not: `until` is the end of that week. What settles later is
    in a later draw."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    draw = models.ForeignKey(WeeklyDraw, on_delete=models.CASCADE, related_name="counted")
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "object_type", "object_id"], name="one_weekly_count_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.object_type} {self.object_id}, counted until {self.until}"
