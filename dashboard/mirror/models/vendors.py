"""The copies of vendors and of subscriptions, which are paid to them."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms

QUARANTINED = LIVE & Q(quarantined=True)


class Vendor(Mirrored):
    """Whom the business pays. `instructions` are its accounts by channel, last characters and state, never whole."""

    name = models.CharField(max_length=200)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    tax_pin = models.CharField(max_length=60, blank=True)
    type = models.CharField(max_length=40, blank=True)
    country = models.CharField(max_length=2, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    instructions = models.JSONField(default=list)
    quarantined = models.BooleanField(default=False)
    # Its documents by id, kind, title, file name and last day; whom to speak to, by id, name, role, email and phone; the names of vendors that were merged into it; and the vendor
    # that this one was merged into.
    documents = models.JSONField(default=list)
    contacts = models.JSONField(default=list)
    also_known_as = models.JSONField(default=list)
    merged_into = models.CharField(max_length=64, blank=True, default="")
    status = models.CharField(max_length=20)
    created_at = models.DateTimeField()
    sort_name = models.GeneratedField(
        expression=Lower("name"), output_field=models.CharField(max_length=200), db_persist=True
    )
    search = models.GeneratedField(
        expression=terms("name", "email", "phone", "tax_pin"), output_field=SearchVectorField(), db_persist=True
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_vendor")]
        indexes = [
            models.Index(fields=["business", "status", "sort_name", "id"], condition=LIVE, name="ven_by_name"),
            models.Index(fields=["business", "status", "-created_at", "-id"], condition=LIVE, name="ven_newest"),
            # Active and deleted together, and the few with a payee change among all others.
            models.Index(fields=["business", "sort_name", "id"], condition=LIVE, name="ven_all_by_name"),
            models.Index(fields=["business", "-created_at", "-id"], condition=LIVE, name="ven_all_newest"),
            models.Index(fields=["business", "sort_name", "id"], condition=QUARANTINED, name="ven_quarantined"),
            GinIndex(fields=["search"], name="ven_search"),
        ]


class Subscription(Mirrored):
    """A charge that comes again: what it costs a period, whose it is, and when it comes next."""

    name = models.CharField(max_length=200)
    vendor = models.CharField(max_length=200, blank=True)
    employee_id = models.CharField(max_length=64, blank=True)
    team_id = models.CharField(max_length=64, blank=True)
    card_id = models.CharField(max_length=64, blank=True)
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    amount_text = models.CharField(max_length=60)
    limit_text = models.CharField(max_length=60, blank=True)
    limit_minor = models.BigIntegerField(null=True)
    billing_frequency = models.CharField(max_length=40, blank=True)
    # Far away where none is known, so that it sorts behind those that are.
    next_charge_at = models.DateTimeField()
    last_charge_at = models.DateTimeField(null=True)
    subcategory_id = models.CharField(max_length=64, blank=True, default="")
    status = models.CharField(max_length=20)
    sort_name = models.GeneratedField(
        expression=Lower("name"), output_field=models.CharField(max_length=200), db_persist=True
    )
    search = models.GeneratedField(
        expression=terms("name", "vendor"), output_field=SearchVectorField(), db_persist=True
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_subscription")]
        indexes = [
            models.Index(fields=["business", "sort_name", "id"], condition=LIVE, name="sub_by_name"),
            models.Index(fields=["business", "next_charge_at", "id"], condition=LIVE, name="sub_next"),
            models.Index(fields=["business", "amount_minor", "id"], condition=LIVE, name="sub_amount"),
            GinIndex(fields=["search"], name="sub_search"),
        ]
