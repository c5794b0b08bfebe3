"""The local copy that lists, counts, search and exports are answered from; never the source of truth."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Q


class Source(models.TextChoices):
    """Which way a copy came in."""

    WEBHOOK = "WEBHOOK", "Webhook"
    FEED = "FEED", "Event feed"
    POLL = "POLL", "Poll"
    WRITE = "WRITE", "Our own write"


def _terms(*fields: str) -> SearchVector:
    # 'simple' has no stemming: names, references and amounts are looked up as they are written.
    return SearchVector(*fields, config="simple")


class Mirrored(models.Model):
    """What every mirrored resource carries: whose it is, which version, when it was seen, and whole as it came."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+", db_index=False)
    remote_id = models.CharField(max_length=64)
    remote_version = models.BigIntegerField(null=True)
    remote_updated_at = models.DateTimeField(null=True)
    payload = models.JSONField(default=dict)
    payload_hash = models.CharField(max_length=32)
    source = models.CharField(max_length=7, choices=Source.choices)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    # Absent from one complete read: a candidate. Absent from two: tombstoned, never erased.
    missing_since = models.DateTimeField(null=True)
    tombstoned_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.remote_id}"


WAITING_EXPENSE = Q(status="PENDING", tombstoned_at__isnull=True)
LIVE = Q(tombstoned_at__isnull=True)


class Expense(Mirrored):
    """An expense, with the columns that scope, filter, sort and print a row (decisions B.15, E.4)."""

    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200)
    team_id = models.CharField(max_length=64, blank=True)
    team_name = models.CharField(max_length=200, blank=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=20)
    transaction_date = models.DateTimeField()
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    amount_text = models.CharField(max_length=60)
    merchant = models.CharField(max_length=300, blank=True)
    notes = models.TextField(blank=True)
    category_name = models.CharField(max_length=200, blank=True)
    subcategory_id = models.CharField(max_length=64, blank=True)
    transaction_ref = models.CharField(max_length=120, blank=True)
    has_receipt = models.BooleanField(default=False)
    risk = models.SmallIntegerField(default=0)
    search = models.GeneratedField(
        expression=_terms("merchant", "employee_name", "team_name", "category_name", "transaction_ref", "notes"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_expense")]
        indexes = [
            # The inbox: only what waits, so that a million decided expenses weigh nothing.
            models.Index(
                fields=["business", "-transaction_date", "-id"], condition=WAITING_EXPENSE, name="exp_waiting"
            ),
            models.Index(
                fields=["business", "team_id", "-transaction_date", "-id"],
                condition=WAITING_EXPENSE,
                name="exp_waiting_team",
            ),
            models.Index(
                fields=["business", "amount_minor", "id"], condition=WAITING_EXPENSE, name="exp_waiting_amount"
            ),
            models.Index(fields=["business", "risk", "id"], condition=WAITING_EXPENSE, name="exp_waiting_risk"),
            models.Index(fields=["business", "-transaction_date", "-id"], condition=LIVE, name="exp_recent"),
            models.Index(fields=["business", "amount_minor", "id"], condition=LIVE, name="exp_amount"),
            models.Index(fields=["business", "employee_id", "-transaction_date", "-id"], name="exp_employee"),
            models.Index(fields=["business", "team_id", "-transaction_date", "-id"], name="exp_team"),
            models.Index(fields=["business", "status", "-transaction_date", "-id"], name="exp_status"),
            GinIndex(fields=["search"], name="exp_search"),
        ]


WAITING_APPROVAL = Q(status="PENDING", tombstoned_at__isnull=True)


class Approval(Mirrored):
    """A payment request that waits for votes, or once did (decisions B.13)."""

    kind = models.CharField(max_length=40)
    action_type = models.SmallIntegerField(null=True)
    ref = models.CharField(max_length=120)
    title = models.CharField(max_length=300)
    payee = models.CharField(max_length=300, blank=True)
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    amount_text = models.CharField(max_length=60, blank=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    requested_by_id = models.CharField(max_length=64, blank=True)
    requested_by_name = models.CharField(max_length=200, blank=True)
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20)
    approvals_required = models.SmallIntegerField(default=1)
    approvals_given = models.SmallIntegerField(default=0)
    # Who has voted (employee ids), so that "waiting for me" is answered without a call.
    voters = models.JSONField(default=list)
    # Who may still vote, from the mandate's snapshot: [{employee_id, max_amount_minor}].
    eligible = models.JSONField(default=list)
    risk = models.SmallIntegerField(default=0)
    risk_level = models.CharField(max_length=8, blank=True)
    signals = models.JSONField(default=list)
    search = models.GeneratedField(
        expression=_terms("title", "payee", "ref", "requested_by_name"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_approval")]
        indexes = [
            models.Index(fields=["business", "-requested_at", "-id"], condition=WAITING_APPROVAL, name="apr_waiting"),
            models.Index(fields=["business", "-requested_at", "-id"], condition=LIVE, name="apr_recent"),
            models.Index(fields=["business", "ref"], name="apr_ref"),
            GinIndex(fields=["search"], name="apr_search"),
        ]


class Employee(Mirrored):
    """A person of the business as the service knows them: names for rows, status for the sessions."""

    name = models.CharField(max_length=200)
    email = models.CharField(max_length=254, blank=True)
    role = models.CharField(max_length=12)
    team_id = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_employee")]
        indexes = [models.Index(fields=["business", "team_id"], name="emp_team")]


class Team(Mirrored):
    """A team and who reviews it: `reviewers` is [{"employee_id": str, "read_only": bool}]."""

    name = models.CharField(max_length=200)
    code = models.CharField(max_length=60, blank=True)
    status = models.CharField(max_length=20, blank=True)
    reviewers = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_team")]


class Category(Mirrored):
    """A subcategory with its category: the choices when an expense is filed elsewhere."""

    name = models.CharField(max_length=200)
    code = models.CharField(max_length=60, blank=True)
    category_id = models.CharField(max_length=64)
    category_name = models.CharField(max_length=200)
    status = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_category")]


class Wallet(Mirrored):
    """A business wallet. Its balance is asked for live; the copy is what is shown, labelled, in an outage."""

    org_wallet_ref = models.CharField(max_length=64)
    name = models.CharField(max_length=200, blank=True)
    currency = models.CharField(max_length=3)
    wallet_type = models.CharField(max_length=60)
    status = models.CharField(max_length=20)
    available_minor = models.BigIntegerField(null=True)
    posted_minor = models.BigIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_wallet")]


class Customer(Mirrored):
    """A customer of the business: regular or walk-in, active or deleted (the record stays)."""

    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    tax_pin = models.CharField(max_length=60, blank=True)
    person = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=20)
    created_at = models.DateTimeField()
    # Names as they sort for a reader: the wheel's PostgreSQL has no collations but C.
    sort_name = models.CharField(max_length=200)
    search = models.GeneratedField(
        expression=_terms("name", "email", "phone", "tax_pin", "person"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_customer")]
        indexes = [
            models.Index(fields=["business", "status", "sort_name", "id"], condition=LIVE, name="cus_by_name"),
            models.Index(fields=["business", "status", "-created_at", "-id"], condition=LIVE, name="cus_newest"),
            models.Index(fields=["business", "phone"], condition=LIVE, name="cus_phone"),
            models.Index(fields=["business", "email"], condition=LIVE, name="cus_email"),
            GinIndex(fields=["search"], name="cus_search"),
        ]


class WalletPolicy(Mirrored):
    """What a person may do with a wallet beyond their role, from when until when (decisions B.11)."""

    wallet_id = models.CharField(max_length=64)
    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200, blank=True)
    permissions = models.JSONField(default=list)
    valid_from = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_wallet_policy")]
        indexes = [
            models.Index(fields=["business", "employee_id"], condition=LIVE, name="policy_of_employee"),
            models.Index(fields=["business", "wallet_id"], condition=LIVE, name="policy_of_wallet"),
        ]


class InboxState(models.TextChoices):
    """Where a delivered event stands."""

    RECEIVED = "RECEIVED", "Received"
    APPLIED = "APPLIED", "Applied"
    FAILED = "FAILED", "Failed"


class InboxEvent(models.Model):
    """A webhook as it arrived, stored before it is acknowledged; applied by a worker."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    webhook_id = models.CharField(max_length=120)
    kind = models.CharField(max_length=80)
    sequence = models.BigIntegerField(null=True)
    body = models.JSONField()
    received_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=8, choices=InboxState.choices, default=InboxState.RECEIVED)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "webhook_id"], name="one_row_per_delivery")]
        indexes = [models.Index(fields=["id"], condition=Q(state="RECEIVED"), name="inbox_to_apply")]

    def __str__(self) -> str:
        return f"{self.kind} {self.webhook_id}"


class Window(models.Model):
    """A day of one wallet's expenses: when it was last read whole, and what the read counted."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    org_wallet_ref = models.CharField(max_length=64)
    day = models.DateField()
    complete_at = models.DateTimeField(null=True)
    rows = models.PositiveIntegerField(default=0)
    # {currency: minor units as a string}, of the rows as they were read.
    totals = models.JSONField(default=dict)
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "org_wallet_ref", "day"], name="one_window_per_wallet_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.org_wallet_ref} {self.day}"


class Cursor(models.Model):
    """How far a business's copy has come: the feed's sequence, and when each band last ran whole."""

    business = models.OneToOneField("access.Business", on_delete=models.CASCADE, related_name="mirror_cursor")
    sequence = models.BigIntegerField(default=0)
    # None: not asked yet. False: this service has no feed, polling carries the load.
    has_feed = models.BooleanField(null=True)
    # {band: ISO time of the last complete run}
    bands = models.JSONField(default=dict)
    as_of = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    error = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"{self.business} at {self.sequence}"


class Drift(models.Model):
    """A difference between the copy and the service that a reconciliation found; open until one finds it gone."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="drifts")
    org_wallet_ref = models.CharField(max_length=64)
    day = models.DateField()
    # {"mirror": {"rows": n, "totals": {…}}, "service": {…}}
    found = models.JSONField()
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "org_wallet_ref", "day"],
                condition=Q(closed_at__isnull=True),
                name="one_open_drift_per_window",
            )
        ]

    def __str__(self) -> str:
        return f"drift {self.org_wallet_ref} {self.day}"
