"""The copy of customers."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms


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
        expression=terms("name", "email", "phone", "tax_pin", "person"),
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
