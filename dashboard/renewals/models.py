"""The terms under which a subscription renews, and its cancellation with what was done for it."""

from django.db import models
from django.db.models import Q

from dashboard.access.models import Business, Membership

MOST_NOTICE_DAYS, MOST_REMIND_DAYS = 730, 365


class RenewalTerms(models.Model):
    """How long before a renewal a subscription must be cancelled, and how many days before that people are reminded.

    It renews on `renews_on` and every `term_months` after it; without them with each charge. `act_by` is the last day to
    act from today on, before the renewal of `renewal_on`, and people are reminded of it from `remind_on`; all three are
    None where no renewal is known, or the vendor was notified that none is to follow.
    """

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    subscription_id = models.CharField(max_length=64)
    notice_days = models.PositiveSmallIntegerField()
    remind_days = models.PositiveSmallIntegerField()
    renews_on = models.DateField(null=True)
    term_months = models.PositiveSmallIntegerField(null=True)
    act_by = models.DateField(null=True)
    renewal_on = models.DateField(null=True)
    remind_on = models.DateField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "subscription_id"], name="one_terms_per_subscription"),
            models.CheckConstraint(
                condition=Q(notice_days__lte=MOST_NOTICE_DAYS, remind_days__lte=MOST_REMIND_DAYS),
                name="renewal_terms_days",
            ),
            models.CheckConstraint(
                condition=Q(renews_on=None, term_months=None) | Q(renews_on__isnull=False, term_months__gt=0),
                name="renewal_terms_contract",
            ),
        ]
        indexes = [models.Index(fields=["business", "act_by"], name="renewals_to_act_on")]

    def __str__(self) -> str:
        return f"{self.subscription_id}: {self.notice_days} days"


class Cancellation(models.Model):
    """A subscription that is being cancelled, or was: one that was withdrawn counts for nothing any more.

    `charges_until` is the last day on which a charge is still expected, once that is known: what is charged later is
    a charge after the last expected one.
    """

    class State(models.TextChoices):
        """How far the checklist of a cancellation is."""

        OPEN = "OPEN", "Being cancelled"
        ENDED = "ENDED", "Cancelled"
        WITHDRAWN = "WITHDRAWN", "Withdrawn"

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    subscription_id = models.CharField(max_length=64)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    opened_by = models.CharField(max_length=254)
    opened_at = models.DateTimeField(auto_now_add=True)
    charges_until = models.DateField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "subscription_id"], condition=~Q(state="WITHDRAWN"), name="one_live_cancellation"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subscription_id}: {self.state}"


class CancellationStep(models.Model):
    """A step that was done: by whom and when, and what was noted of it."""

    class Name(models.TextChoices):
        """The steps, in their order."""

        VENDOR_NOTIFIED = "VENDOR_NOTIFIED", "Notify the vendor"
        CARD_STOPPED = "CARD_STOPPED", "Stop the card"
        LAST_CHARGE = "LAST_CHARGE", "Last charge"
        ENDED = "ENDED", "End the subscription"

    cancellation = models.ForeignKey(Cancellation, on_delete=models.CASCADE, related_name="steps")
    name = models.CharField(max_length=15, choices=Name.choices)
    note = models.CharField(max_length=400)
    done_by = models.ForeignKey(Membership, null=True, on_delete=models.SET_NULL, related_name="+")
    done_by_name = models.CharField(max_length=254)
    done_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cancellation", "name"], name="step_done_once")]

    def __str__(self) -> str:
        return f"{self.name}: {self.done_by_name}"
