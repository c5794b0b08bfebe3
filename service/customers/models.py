"""Whom a business sells to, and the terms that they are found by."""

from django.db import models

from service.businesses.models import Business
from service.ids import object_id

WALK_IN_NAME = "WalkIn"


class Customer(models.Model):
    """A regular customer, or a walk-in one, whose name is fixed and who never changes. Deleted ones are kept."""

    class Type(models.TextChoices):
        """Whether a customer is a regular one or a walk-in."""

        REGULAR = "regular", "Regular"
        WALK_IN = "walkIn", "Walk-in"

    class Status(models.TextChoices):
        """Whether a customer is listed; a deleted one is kept for what refers to it."""

        ACTIVE = "ACTIVE", "Active"
        DELETED = "DELETED", "Deleted"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="customers", db_index=False)
    type = models.CharField(max_length=8, choices=Type.choices, default=Type.REGULAR)
    name = models.CharField(max_length=100)
    email = models.CharField(max_length=254, blank=True, default="")
    phone = models.CharField(max_length=20, blank=True, default="")
    address = models.CharField(max_length=300, blank=True, default="")
    tax_pin = models.CharField(max_length=40, blank=True, default="")
    person = models.CharField(max_length=100, blank=True, default="")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.ACTIVE)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(type="regular") | models.Q(type="walkIn", name=WALK_IN_NAME),
                name="customer_walk_in_has_its_name",
            )
        ]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="customer_newest"),
            models.Index(fields=["business", "status", "-created_at", "-id"], name="customer_status_newest"),
        ]

    def __str__(self) -> str:
        return self.name


class Rank(models.IntegerChoices):
    """How good a hit is that starts with a term: a telephone number, the whole name, anything else."""

    PHONE = 0
    NAME = 1
    REST = 2


class CustomerTerm(models.Model):
    """One term that an active customer is found by; search_terms.py says which there are, search.py how they are looked up.

    A search reads its unique index alone: a range of terms of one rank, in the order of their bytes. `line` lies in it
    beside them and repeats all words of the customer, casefolded, the name first: what hits are sorted by, and other
    words looked for in, without a look at the customer.
    """

    id = models.BigAutoField(primary_key=True)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    rank = models.PositiveSmallIntegerField(choices=Rank.choices)
    term = models.CharField(max_length=80, db_collation="C")
    # Without a key in the database: terms come and go with their customer, by services.py.
    customer = models.ForeignKey(
        Customer, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    line = models.CharField(max_length=400, db_collation="C")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "rank", "term", "customer"], include=["line"], name="customer_term_once"
            )
        ]

    def __str__(self) -> str:
        return self.term
