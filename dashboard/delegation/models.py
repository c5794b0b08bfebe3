"""Who is away and who stands in for them: from when until when, for which kinds of items, and up to which amount."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils import timezone


class Delegation(models.Model):
    """One person's absence: their items handed to another for a time, or to nobody where there is no delegate.

    It hands over work, never a right; without a delegate all items stay with whoever is away.

    `kinds` are kinds of items as the gate names them; without a cap it is for any amount, with one for amounts of that
    currency up to it. It is over at `ends_at`, or at `ended_at` where somebody ended it before.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    delegator = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="given_delegations")
    delegate = models.ForeignKey(
        "access.Membership", on_delete=models.CASCADE, related_name="held_delegations", null=True
    )
    kinds = models.JSONField()
    cap_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    key = models.CharField(max_length=64)
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=254, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_delegation_per_form"),
            models.CheckConstraint(condition=~Q(delegator=F("delegate")), name="nobody_stands_in_for_themselves"),
            models.CheckConstraint(condition=Q(begins_at__lt=F("ends_at")), name="a_delegation_lasts"),
            models.CheckConstraint(
                condition=Q(cap_minor__isnull=True) | (Q(cap_minor__gt=0) & ~Q(currency="")), name="a_cap_is_money"
            ),
        ]
        indexes = [
            models.Index(fields=["delegate", "ends_at"], condition=Q(ended_at=None), name="delegations_held"),
            models.Index(fields=["delegator", "ends_at"], condition=Q(ended_at=None), name="delegations_given"),
            models.Index(fields=["business", "-begins_at"], name="delegations_of_business"),
        ]

    def __str__(self) -> str:
        if self.delegate is None:
            return f"{self.delegator_name} is out of office"
        return f"{self.delegate_name} is the delegate of {self.delegator_name}"

    @property
    def delegator_name(self) -> str:
        """The full name of the delegator, who is away."""
        return self.delegator.user.get_full_name()

    @property
    def delegate_name(self) -> str:
        """The full name of the delegate, who stands in; "" where there is none."""
        return self.delegate.user.get_full_name() if self.delegate is not None else ""

    @property
    def phrase(self) -> str:
        """What a sentence calls it: "the delegation from Apollo to Zawadi", or "the absence of Apollo"."""
        if self.delegate is None:
            return f"the absence of {self.delegator_name}"
        return f"the delegation from {self.delegator_name} to {self.delegate_name}"
