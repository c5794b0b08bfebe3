"""The ledger's tables. Programs read them; only the functions of function.sql write them (post.py calls those).

Amounts are integers of minor units of the account's currency. An entry's amount is positive where it raises what the
holder has and negative where it lowers it; the entries of one transaction sum to zero in each currency.
"""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class BalanceMode(models.TextChoices):
    """IMMEDIATE: a balance row locked by each posting, gapless numbers. DEFERRED: entries only, no lock, no numbers."""

    IMMEDIATE = "IMMEDIATE"
    DEFERRED = "DEFERRED"


class HoldStatus(models.TextChoices):
    """PENDING reserves funds; POSTED was captured (in part at least), VOIDED released, EXPIRED ran out."""

    PENDING = "PENDING"
    POSTED = "POSTED"
    VOIDED = "VOIDED"
    EXPIRED = "EXPIRED"


class LedgerAccount(models.Model):
    """An account of one business in one currency: what does not change from posting to posting."""

    id = models.BigAutoField(primary_key=True)
    business = models.ForeignKey("businesses.Business", on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=32)
    currency = models.CharField(max_length=3)
    holder_type = models.CharField(max_length=24, default="", blank=True)
    holder_id = models.CharField(max_length=64, default="", blank=True)
    mode = models.CharField(max_length=9, choices=BalanceMode.choices, default=BalanceMode.IMMEDIATE)
    allow_negative = models.BooleanField(default=False)
    frozen = models.BooleanField(default=False, help_text="refuses debits, takes credits")
    created_at = models.DateTimeField()

    class Meta:
        db_table = "ledger_account"
        constraints = [
            models.UniqueConstraint(
                fields=["business", "kind", "currency", "holder_type", "holder_id"], name="ledger_account_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.currency} #{self.pk}"


class LedgerBalance(models.Model):
    """The hot row of an IMMEDIATE account, half full so that updates stay on their page (function.sql).

    It repeats what a posting must know of the account, so that a posting reads nothing beside the row it locks.
    """

    account = models.OneToOneField(
        LedgerAccount, primary_key=True, on_delete=models.PROTECT, related_name="balance", db_constraint=False
    )
    posted = models.BigIntegerField(default=0)
    pending_in = models.BigIntegerField(default=0)
    pending_out = models.BigIntegerField(default=0)
    seq = models.BigIntegerField(default=0, help_text="number of the last entry")
    day = models.DateField(null=True, help_text="the effective day of the last entry")
    run_seq = models.BigIntegerField(default=0, help_text="number of the entry with which the run of that day began")
    holds = models.BigIntegerField(default=0, help_text="how often a hold was placed or given back")
    changed_at = models.DateTimeField(db_default=Now(), help_text="when one of these figures last changed")
    minimum = models.BigIntegerField(default=0, help_text="what a debit must leave available: 0, or nearly no bound")
    floor = models.BigIntegerField(default=0, help_text="the minimum, or lower where a forced capture went below it")
    currency = models.CharField(max_length=3)
    frozen = models.BooleanField(default=False)
    business = models.ForeignKey(
        "businesses.Business", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        db_table = "ledger_balance"
        # PostgreSQL reads a check anew in each statement: it is kept as short as can be.
        constraints = [
            models.CheckConstraint(
                condition=Q(posted__gte=F("pending_out") + F("floor")), name="ledger_balance_available"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}: {self.posted}"


class LedgerTransaction(models.Model):
    """A balanced set of entries, posted once for ever under its reference; append-only.

    Without database foreign keys: the function has checked business and accounts, and a key check would lock the
    business's row in each posting.
    """

    id = models.BigAutoField(primary_key=True)
    business = models.ForeignKey(
        "businesses.Business", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    external_ref = models.CharField(max_length=200)
    kind = models.CharField(max_length=32)
    description = models.TextField(default="", blank=True)
    effective_on = models.DateField()
    created_at = models.DateTimeField()
    reverses = models.ForeignKey(
        "self", null=True, on_delete=models.DO_NOTHING, related_name="reversed_by", db_constraint=False, db_index=False
    )
    hold_id = models.BigIntegerField(null=True)
    forced = models.BooleanField(default=False)

    class Meta:
        db_table = "ledger_transaction"
        constraints = [
            # The reference first: comparing keys ends sooner than it would behind the business that many share.
            models.UniqueConstraint(fields=["external_ref", "business"], name="ledger_transaction_once"),
            models.UniqueConstraint(
                fields=["reverses"], condition=Q(reverses__isnull=False), name="ledger_transaction_reversed_once"
            ),
        ]

    def __str__(self) -> str:
        return self.external_ref


class LedgerEntry(models.Model):
    """One leg, append-only. In an IMMEDIATE account seq has no gaps and balance_after is the balance it left;
    in a DEFERRED one seq only orders, and there is no balance_after."""

    pk = models.CompositePrimaryKey("account_id", "seq")
    account = models.ForeignKey(
        LedgerAccount, on_delete=models.DO_NOTHING, related_name="entries", db_constraint=False, db_index=False
    )
    seq = models.BigIntegerField()
    transaction = models.ForeignKey(
        LedgerTransaction, on_delete=models.DO_NOTHING, related_name="entries", db_constraint=False
    )
    amount = models.BigIntegerField()
    balance_after = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3)
    posted_at = models.DateTimeField()
    note = models.TextField(null=True)

    class Meta:
        db_table = "ledger_entry"

    def __str__(self) -> str:
        return f"#{self.account_id}/{self.seq}: {self.amount}"


class LedgerRun(models.Model):
    """Consecutive entries of an IMMEDIATE account that have the same effective day: where the first of them stands.

    `opening` is the balance before it. A run ends where the account's next one begins. From runs alone it is known how
    many entries each day has and what they come to, however they were posted: late, early or in order.
    """

    pk = models.CompositePrimaryKey("account_id", "seq")
    account = models.ForeignKey(
        LedgerAccount, on_delete=models.DO_NOTHING, related_name="runs", db_constraint=False, db_index=False
    )
    seq = models.BigIntegerField()
    effective_on = models.DateField()
    opening = models.BigIntegerField()

    class Meta:
        db_table = "ledger_run"

    def __str__(self) -> str:
        return f"#{self.account_id}/{self.seq} on {self.effective_on}"


class LedgerHold(models.Model):
    """Funds reserved on an account: lowers what is available, not what is posted."""

    id = models.BigAutoField(primary_key=True)
    business = models.ForeignKey(
        "businesses.Business", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    account = models.ForeignKey(
        LedgerAccount, on_delete=models.DO_NOTHING, related_name="holds", db_constraint=False, db_index=False
    )
    incoming = models.BooleanField(default=False, help_text="expected, not reserved: counts as pending_in")
    ref = models.CharField(max_length=200)
    amount = models.BigIntegerField()
    captured = models.BigIntegerField(default=0, help_text="what captures took out of the hold, never over amount")
    status = models.CharField(max_length=7, choices=HoldStatus.choices, default=HoldStatus.PENDING)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_ref = models.CharField(max_length=200, default="")

    class Meta:
        db_table = "ledger_hold"
        constraints = [
            models.UniqueConstraint(fields=["business", "ref"], name="ledger_hold_once"),
            models.CheckConstraint(
                condition=Q(amount__gt=0, captured__gte=0, captured__lte=F("amount")), name="ledger_hold_amounts"
            ),
        ]
        indexes = [
            models.Index(fields=["account"], condition=Q(status="PENDING"), name="ledger_hold_open"),
            models.Index(fields=["expires_at"], condition=Q(status="PENDING"), name="ledger_hold_due"),
        ]

    def __str__(self) -> str:
        return self.ref


class LedgerSnapshot(models.Model):
    """What an account had at one of its entries: where reading a balance of the past, or a DEFERRED one, starts."""

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey(LedgerAccount, on_delete=models.PROTECT, related_name="snapshots", db_index=False)
    seq = models.BigIntegerField()
    posted = models.BigIntegerField()
    taken_at = models.DateTimeField()

    class Meta:
        db_table = "ledger_snapshot"
        constraints = [models.UniqueConstraint(fields=["account", "seq"], name="ledger_snapshot_once")]

    def __str__(self) -> str:
        return f"#{self.account_id} at {self.seq}: {self.posted}"


class LedgerSeal(models.Model):
    """One link of the hash chain over committed transactions, added behind the writers by the sealer."""

    position = models.BigIntegerField(primary_key=True)
    transaction = models.OneToOneField(
        LedgerTransaction, on_delete=models.DO_NOTHING, related_name="seal", db_constraint=False
    )
    hash = models.BinaryField()
    sealed_at = models.DateTimeField()

    class Meta:
        db_table = "ledger_seal"

    def __str__(self) -> str:
        return str(self.position)


class LedgerHorizon(models.Model):
    """How far a sequence is settled: no running transaction can still commit a number at or below `settled`.

    Rows `transaction` (the sealer's, with the chain's head), `deferred` (the snapshots') and `changed`, whose `done` is
    the second in which changed balances were last given out (changes.sql).
    """

    name = models.CharField(primary_key=True, max_length=16)
    settled = models.BigIntegerField(default=0)
    done = models.BigIntegerField(default=0, help_text="worked through up to here")
    candidate = models.BigIntegerField(default=0)
    candidate_xid = models.BigIntegerField(default=0)
    position = models.BigIntegerField(default=0, help_text="the chain's length")
    head = models.BinaryField(default=b"")

    class Meta:
        db_table = "ledger_horizon"

    def __str__(self) -> str:
        return f"{self.name}: {self.settled}"
