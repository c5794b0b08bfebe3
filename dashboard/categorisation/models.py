"""Rules that file what has no category, what their trials came to, and what each has filed."""

import hashlib
import json

from django.db import models
from django.db.models import F, Q

from dashboard.access.models import Business, Membership
from dashboard.worker_lease import CountedLease

ON = Q(is_on=True)


class CategoryRule(models.Model):
    """What is like this goes under that category. All conditions that are set must hold; of several rules that fit, the one
    with the smallest `position` files.

    `vendor_name`, `card_token` and `card_name` are the vendor and the card as they were when the rule was written;
    amounts are in minor units of `currency`, whichever way the money went. Switched on it acts in the name of whoever
    switched it on; `trouble` says why it was switched off by itself.
    """

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    position = models.PositiveIntegerField()
    merchant = models.CharField(max_length=300, blank=True)
    vendor_id = models.CharField(max_length=64, blank=True)
    vendor_name = models.CharField(max_length=200, blank=True)
    card_id = models.CharField(max_length=64, blank=True)
    card_token = models.CharField(max_length=80, blank=True)
    card_name = models.CharField(max_length=260, blank=True)
    text = models.CharField(max_length=200, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    least_minor = models.BigIntegerField(null=True)
    most_minor = models.BigIntegerField(null=True)
    subcategory_id = models.CharField(max_length=64)
    category_label = models.CharField(max_length=410)
    is_on = models.BooleanField(default=False)
    switched_on_by = models.ForeignKey(Membership, null=True, on_delete=models.SET_NULL, related_name="+")
    switched_on_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(merchant="") | ~Q(vendor_id="") | ~Q(card_id="") | ~Q(text="") | ~Q(currency=""),
                name="category_rule_has_condition",
            ),
            models.CheckConstraint(
                condition=Q(least_minor=None) | Q(most_minor=None) | Q(least_minor__lte=F("most_minor")),
                name="category_rule_amounts",
            ),
            models.CheckConstraint(
                condition=~Q(currency="") | Q(least_minor=None, most_minor=None), name="category_rule_currency"
            ),
            models.CheckConstraint(
                condition=Q(is_on=False) | Q(switched_on_at__isnull=False), name="category_rule_on_since"
            ),
        ]
        indexes = [models.Index(fields=["business", "position", "id"], name="category_rules_in_order")]

    def __str__(self) -> str:
        return f"Rule {self.pk}: {self.category_label}"

    @property
    def digest(self) -> str:
        """What names its conditions and its category, in 64 characters: changed, it has to be tried anew. The vendor and the
        card under the names that it asks for: those of now, where it was saved again since they were renamed."""
        parts = [
            self.merchant, self.vendor_id, self.vendor_name, self.card_id, self.card_token, self.card_name, self.text, self.currency, self.least_minor, self.most_minor,
            self.subcategory_id,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class RuleTrial(models.Model):
    """What a rule would have done with the items of some days.

    `matched` are all that it fits; of these `uncategorised` have no category now, `same` people have filed as it would,
    `otherwise` otherwise, and `by_rules` rules have filed. `by_earlier` is [[the earlier rule's id, how many], …]; `examples`
    are at most fifty that people filed otherwise, as [kind, remote id, title, category, day, amount].
    """

    rule = models.ForeignKey(CategoryRule, on_delete=models.CASCADE, related_name="trials")
    digest = models.CharField(max_length=64)
    first_day = models.DateField()
    last_day = models.DateField()
    matched = models.PositiveIntegerField()
    uncategorised = models.PositiveIntegerField()
    same = models.PositiveIntegerField()
    otherwise = models.PositiveIntegerField()
    by_rules = models.PositiveIntegerField()
    by_earlier = models.JSONField(default=list)
    examples = models.JSONField(default=list)
    tried_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["rule", "-created_at"], name="rule_trials_newest")]

    def __str__(self) -> str:
        return f"{self.matched} matched"


class FilingState(models.TextChoices):
    """What became of filing an item by a rule."""

    WAITING = "WAITING", "Waiting"
    DONE = "DONE", "Categorised"
    REFUSED = "REFUSED", "Not categorised"
    UNKNOWN = "UNKNOWN", "Not known"
    OVERTAKEN = "OVERTAKEN", "Categorised by somebody before"
    CLOSED = "CLOSED", "Waits for its period"


class RuleFiling(CountedLease):
    """An item that a rule files, once: there is one per item, whichever rule's, and one key for however many tries.

    `sentence` is the rule as it was then; it outlives the rule. `item_day` is the day of an item whose period was closed: it is
    tried again once that period is open.
    """

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    rule = models.ForeignKey(CategoryRule, null=True, on_delete=models.SET_NULL, related_name="filings")
    sentence = models.CharField(max_length=1000)
    kind = models.CharField(max_length=12)
    remote_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    subcategory_id = models.CharField(max_length=64)
    key = models.CharField(max_length=120)
    state = models.CharField(max_length=9, choices=FilingState.choices, default=FilingState.WAITING)
    outcome = models.CharField(max_length=300, blank=True)
    item_day = models.DateField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "kind", "remote_id"], name="one_filing_per_item")]
        indexes = [
            models.Index(fields=["rule", "-created_at"], name="rule_filings_newest"),
            models.Index(fields=["business", "created_at"], condition=Q(state="WAITING"), name="rule_filings_waiting"),
            models.Index(fields=["business", "item_day"], condition=Q(state="CLOSED"), name="rule_filings_closed"),
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.state}"
