"""The copy of cards, and of the uses of them that were declined."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms


class Card(Mirrored):
    """A card of an employee. Its number is never here: the last four digits tell one card from another."""

    kind = models.CharField(max_length=12)
    status = models.CharField(max_length=12)
    # On whose side a block is (USER, ADMIN, SYSTEM), and who did it.
    blocked_by = models.CharField(max_length=10, blank=True)
    blocker_id = models.CharField(max_length=80, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200, blank=True)
    team_id = models.CharField(max_length=64, blank=True)
    team_name = models.CharField(max_length=200, blank=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    currency = models.CharField(max_length=3)
    # ALLOCATION or BUSINESS_WALLET, empty where the service does not say; and what the holder's allocation had when the
    # card was read, in minor units, with what of it is on hold.
    funding = models.CharField(max_length=20, blank=True, default="")
    allocation_minor = models.BigIntegerField(null=True)
    allocation_held_minor = models.BigIntegerField(null=True)
    name = models.CharField(max_length=200, blank=True)
    last_four = models.CharField(max_length=4, blank=True)
    month_minor = models.BigIntegerField(default=0)
    # The limit that a reader compares the spend with, where the card has one, and what was spent of it.
    limit_interval = models.CharField(max_length=10, blank=True)
    limit_minor = models.BigIntegerField(null=True)
    spent_minor = models.BigIntegerField(default=0)
    created_at = models.DateTimeField()
    # Holders as they sort for a reader: the wheel's PostgreSQL has no collations but C.
    sort_holder = models.CharField(max_length=200)
    search = models.GeneratedField(
        expression=terms("name", "employee_name", "last_four", "team_name"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_card")]
        indexes = [
            models.Index(fields=["business", "sort_holder", "id"], condition=LIVE, name="card_by_holder"),
            models.Index(fields=["business", "-created_at", "-id"], condition=LIVE, name="card_newest"),
            models.Index(fields=["business", "-month_minor", "-id"], condition=LIVE, name="card_dearest"),
            models.Index(fields=["business", "employee_id"], condition=LIVE, name="card_of_holder"),
            models.Index(fields=["business", "team_id"], condition=LIVE, name="card_of_team"),
            GinIndex(fields=["search"], name="card_search"),
        ]


class CardDecline(Mirrored):
    """A use of a card that was declined: what was tried, and the code and the check that say why."""

    card_id = models.CharField(max_length=64)
    employee_id = models.CharField(max_length=64, blank=True)
    code = models.CharField(max_length=40)
    check_name = models.CharField(max_length=60, blank=True)
    said = models.CharField(max_length=300, blank=True)
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    amount_text = models.CharField(max_length=60)
    # What it would have spent, and what of that was left in minor units, where too little was.
    funding = models.CharField(max_length=20, blank=True, default="")
    remaining_minor = models.BigIntegerField(null=True)
    merchant = models.CharField(max_length=200, blank=True)
    mcc = models.CharField(max_length=4, blank=True)
    country = models.CharField(max_length=2, blank=True)
    channel = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_decline")]
        indexes = [
            models.Index(fields=["business", "card_id", "-at", "-id"], condition=LIVE, name="decline_of_card"),
            models.Index(fields=["business", "-at", "-id"], condition=LIVE, name="decline_newest"),
        ]
