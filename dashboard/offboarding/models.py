"""An offboarding and its steps: each step has a key of its own, is done once, and says how it stands."""

import uuid

from django.db import models
from django.db.models import Q

from dashboard.access.models import Business, Membership


class Offboarding(models.Model):
    """Somebody who leaves, by their employee id, and who started it. `run` is minted by the worker that is at it.

    `key` is that of the form that started it: posted twice, it is started once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200)
    started_by = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    run = models.UUIDField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=400, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_offboarding_per_form"),
            models.UniqueConstraint(
                fields=["business", "employee_id"], condition=Q(finished_at=None), name="one_open_offboarding"
            ),
        ]
        indexes = [models.Index(fields=["heartbeat_at"], condition=Q(finished_at=None), name="offboardings_open")]

    def __str__(self) -> str:
        return f"{self.employee_name}: offboarding"

    @property
    def is_open(self) -> bool:
        """Whether anything of it is left."""
        return self.finished_at is None


class OffboardingStep(models.Model):
    """One thing that is done with something somebody leaves behind, by `action` of its `kind` (actions.py).

    `data` is what was sent, as it was sent first: under the same key nothing else goes. `by` is who carries it out, whose
    role decides; `after` the number of the step that must be done before, 0 for none.
    """

    class State(models.TextChoices):
        """How far it is. SENDING: a worker is at it, or was lost with it. UNKNOWN: sent, and not answered."""

        WAITING = "WAITING", "Waiting"
        SENDING = "SENDING", "In progress"
        UNKNOWN = "UNKNOWN", "No answer"
        PROPOSED = "PROPOSED", "Waiting for a second admin"
        FOR_ANOTHER = "FOR_ANOTHER", "Needs another role"
        REFUSED = "REFUSED", "Refused"
        DONE = "DONE", "Done"

    offboarding = models.ForeignKey(Offboarding, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    after = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=20)
    action = models.CharField(max_length=80)
    remote_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    heir_id = models.CharField(max_length=64, blank=True)
    heir_name = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    data = models.JSONField(default=dict)
    # One more for each time that it is tried again after a refusal: a refusal is kept under its key.
    attempt = models.PositiveSmallIntegerField(default=1)
    tries = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=11, choices=State.choices, default=State.WAITING)
    sentence = models.CharField(max_length=500, blank=True)
    request_id = models.CharField(max_length=80, blank=True)
    proposal_id = models.BigIntegerField(null=True)
    # Before then nobody asks again what became of it.
    due_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "offboarding_step"
        constraints = [models.UniqueConstraint(fields=["offboarding", "number"], name="one_step_per_number")]
        indexes = [models.Index(fields=["offboarding", "state", "number"], name="steps_by_state")]

    def __str__(self) -> str:
        return f"{self.title}: {self.state}"

    @property
    def key(self) -> str:
        """What its changes are sent under: the same until a refusal."""
        return f"{self.offboarding_id.hex}-{self.number}-{self.attempt}"

    @property
    def is_done(self) -> bool:
        """Whether nothing of it is left."""
        return self.state == OffboardingStep.State.DONE
