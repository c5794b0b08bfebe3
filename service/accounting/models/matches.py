"""Which lines of a bank are which entries of the ledger, and the rules that say so."""

from django.db import models
from django.db.models import F, Q

from service.accounts.models import Wallet
from service.businesses.models import Business
from service.ids import object_id


class MatchedBy(models.TextChoices):
    """Why lines and entries belong together."""

    REFERENCE = "REFERENCE"
    DAY = "DAY"
    RULE = "RULE"
    SUM = "SUM"
    FEE = "FEE"
    BY_HAND = "BY_HAND"


class BankMatch(models.Model):
    """Lines of a bank that are entries of the wallet's ledger account: one or several on each side.

    `difference_minor` is lines less entries: what the bank kept as its fee, never more than the tolerance stated.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+", db_index=False)
    rule = models.CharField(max_length=9, choices=MatchedBy.choices)
    reason = models.CharField(max_length=500)
    difference_minor = models.BigIntegerField(default=0)
    tolerance_minor = models.BigIntegerField(default=0)
    ledger_transaction_id = models.BigIntegerField(null=True, help_text="where it has one entry alone")
    matched_by = models.CharField(max_length=80)
    matched_at = models.DateTimeField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    difference_minor__lte=F("tolerance_minor"), difference_minor__gte=-1 * F("tolerance_minor")
                ),
                name="bank_match_within_tolerance",
            ),
        ]
        indexes = [models.Index(fields=["wallet", "-matched_at", "-id"], name="bank_match_newest")]

    def __str__(self) -> str:
        return self.reason


class MatchedEntry(models.Model):
    """An entry of the ledger that a match holds: no other holds it too."""

    match = models.ForeignKey(BankMatch, on_delete=models.CASCADE, related_name="entries")
    ledger_account_id = models.BigIntegerField()
    entry_seq = models.BigIntegerField()
    ledger_transaction_id = models.BigIntegerField()
    effective_on = models.DateField()
    amount_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ledger_account_id", "entry_seq"], name="ledger_entry_matched_once")
        ]

    def __str__(self) -> str:
        return f"#{self.ledger_account_id}/{self.entry_seq}"


class BankRule(models.Model):
    """Lines like these are postings of that kind: every condition that it has must hold."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=100)
    text = models.CharField(max_length=100, blank=True, default="", help_text="the description contains it")
    reference = models.CharField(max_length=100, blank=True, default="", help_text="the reference, * for anything")
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True, default="", help_text="of the amount, where it has one")
    kind = models.CharField(max_length=32, help_text="of the ledger's transactions")
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "name"], name="bank_rule_once"),
            models.CheckConstraint(
                condition=~Q(text="", reference="", amount_minor=None), name="bank_rule_has_a_condition"
            ),
            models.CheckConstraint(
                condition=Q(amount_minor=None, currency="") | Q(amount_minor__isnull=False) & ~Q(currency=""),
                name="bank_rule_amount_has_a_currency",
            ),
        ]

    def __str__(self) -> str:
        return self.name
