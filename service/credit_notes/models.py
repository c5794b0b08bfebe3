"""Credit notes of vendors, and how much of each lowers which bill.

Like a bill, a credit note moves no money and posts nothing: the ledger knows of a bill only what was paid of it.
"""

from django.db import models
from django.db.models import F, Q

from service.bills.models import Bill
from service.businesses.models import Business
from service.ids import object_id
from service.vendors.models import Vendor


class CreditNote(models.Model):
    """What a vendor gives back of its bills, in minor units of `currency`; `bill` is the one that it refers to, if any."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="+")
    bill = models.ForeignKey(Bill, null=True, on_delete=models.PROTECT, related_name="+")
    credit_no = models.CharField(max_length=60)
    credit_no_key = models.CharField(max_length=60, help_text="the number without case and punctuation")
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    applied_minor = models.BigIntegerField(default=0)
    issued_on = models.DateField()
    reason = models.CharField(max_length=500)
    created_by = models.CharField(max_length=80)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "vendor", "credit_no_key"], name="credit_number_once_per_vendor"
            ),
            models.CheckConstraint(
                condition=Q(amount_minor__gt=0, applied_minor__gte=0, applied_minor__lte=F("amount_minor")),
                name="credit_note_amounts",
            ),
        ]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="credit_note_newest")]

    def __str__(self) -> str:
        return self.credit_no


class CreditApplication(models.Model):
    """A part of a credit note by which what is open on a bill fell."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    note = models.ForeignKey(CreditNote, on_delete=models.PROTECT, related_name="applications")
    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="credits")
    amount_minor = models.BigIntegerField()
    # Which request it came with (service/effects.py).
    effect = models.CharField(max_length=24, blank=True, default="")
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="credit_application_amount"),
            models.UniqueConstraint(
                fields=["note", "effect"], condition=~Q(effect=""), name="credit_applied_once_per_request"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.note_id} on {self.bill_id}"
