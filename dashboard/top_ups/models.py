"""Recurring top-ups, and each of their runs: what was to be sent, under which key, and what was done."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.top_ups.schedule import Interval
from dashboard.worker_lease import Leased


class TopUpState(models.TextChoices):
    """Whether it runs. PAUSED waits for a person, with the reason; ENDED is over."""

    ACTIVE = "ACTIVE", "Active"
    PAUSED = "PAUSED", "Paused"
    ENDED = "ENDED", "Ended"


class TopUp(Leased):
    """Brings what an employee can spend in a currency up to `target_minor`, from a wallet of the business.

    `day` is the weekday (1 is Monday) of a weekly one, else the day of the month; `by` is who set it up, or resumed it,
    as whom it runs: with their rights at that moment, and no others.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200)
    currency = models.CharField(max_length=3)
    org_wallet_ref = models.CharField(max_length=64)
    target_minor = models.BigIntegerField()
    interval = models.CharField(max_length=7, choices=Interval.choices)
    day = models.PositiveSmallIntegerField()
    next_on = models.DateField()
    # The last day on which it may run; None: until somebody ends it.
    last_on = models.DateField(null=True, blank=True)
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=64)
    state = models.CharField(max_length=6, choices=TopUpState.choices, default=TopUpState.ACTIVE)
    reason = models.CharField(max_length=300, blank=True)
    # Since when it is as it is after a pause: what was begun before is not sent any more.
    resumed_at = models.DateTimeField(null=True)
    # How often in a row it could not be run or settled, and when that is tried again; None: as soon as it is due.
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_top_up_per_form"),
            models.UniqueConstraint(
                fields=["business", "employee_id", "currency"], condition=~Q(state="ENDED"),
                name="one_top_up_per_person_and_currency",
            ),
        ]  # fmt: skip
        indexes = [models.Index(fields=["next_on"], condition=Q(state="ACTIVE"), name="top_up_due")]

    def __str__(self) -> str:
        return f"Top-up of {self.employee_name} in {self.currency}"


class RunState(models.TextChoices):
    """How far a run is. SENDING: a worker is at it, or was lost with it. UNKNOWN: sent, not answered, and asked again.
    IN_DOUBT: sent, not answered, and not asked again: a person looks and says whether it was done."""

    SENDING = "SENDING", "In progress"
    UNKNOWN = "UNKNOWN", "No answer"
    IN_DOUBT = "IN_DOUBT", "Not known"
    DONE = "DONE", "Allocated"
    NOTHING = "NOTHING", "Nothing allocated"
    REFUSED = "REFUSED", "Refused"


# What a worker settles by itself, and all of which it is not known yet what became of it.
UNSETTLED = (RunState.SENDING, RunState.UNKNOWN)
OPEN = (*UNSETTLED, RunState.IN_DOUBT)


class TopUpRun(models.Model):
    """One run of one day, written down before anything is sent: under its key goes `amount_minor` and nothing else, and
    nobody sends it but `by`, as whom it was begun."""

    top_up = models.ForeignKey(TopUp, on_delete=models.CASCADE, related_name="runs")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    day = models.DateField()
    state = models.CharField(max_length=8, choices=RunState.choices, default=RunState.SENDING)
    before_minor = models.BigIntegerField(null=True)
    amount_minor = models.BigIntegerField(null=True)
    sentence = models.CharField(max_length=300, blank=True)
    request_id = models.CharField(max_length=80, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["top_up", "day"], name="one_top_up_run_per_day")]

    def __str__(self) -> str:
        return f"{self.top_up_id} {self.day}: {self.state}"

    @property
    def key(self) -> str:
        """What its allocation is sent under: the same for ever."""
        return f"top-up-{self.top_up_id.hex}-{self.day.isoformat()}"
