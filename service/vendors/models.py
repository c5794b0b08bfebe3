"""Vendors and where they are paid: payables master data (decisions B.20)."""

from datetime import datetime, timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from service.businesses.models import Business
from service.ids import object_id


class Vendor(models.Model):
    """Somebody the business buys from. Deleted ones stay for the record and are paid no more."""

    class Type(models.TextChoices):
        """Whether a vendor is a business or a person."""

        BUSINESS = "BUSINESS", "A business"
        INDIVIDUAL = "INDIVIDUAL", "A person"

    class Status(models.TextChoices):
        """Whether a vendor is listed; a deleted one is kept for what refers to it."""

        ACTIVE = "ACTIVE", "Active"
        DELETED = "DELETED", "Deleted"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=100)
    email = models.CharField(max_length=254, blank=True, default="")
    phone = models.CharField(max_length=16, blank=True, default="")
    tax_pin = models.CharField(max_length=20, blank=True, default="")
    type = models.CharField(max_length=10, choices=Type.choices, default=Type.BUSINESS)
    country = models.CharField(max_length=2)
    currency = models.CharField(max_length=3)
    # What its bills give for paying early, unless they say otherwise: basis points, within so many days of their issue.
    discount_bps = models.PositiveIntegerField(default=0)
    discount_days = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.ACTIVE)
    # The vendor that took over what belonged to this one, which is deleted since; and the names of those taken over here.
    merged_into = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    also_known_as = ArrayField(models.CharField(max_length=100), default=list)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(discount_bps=0, discount_days=0) | Q(discount_bps__range=(1, 9_999), discount_days__gt=0),
                name="vendor_discount",
            )
        ]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="vendor_newest"),
            models.Index(fields=["business", "tax_pin"], condition=~Q(tax_pin=""), name="vendor_by_tax_pin"),
        ]

    def __str__(self) -> str:
        return self.name


class VendorDocument(models.Model):
    """A file about a vendor; the bytes lie under MEDIA_ROOT at `path`. One that was taken off stays for the record."""

    class Kind(models.TextChoices):
        """What a document of a vendor shows."""

        TAX_FORM = "TAX_FORM", "Tax form"
        CERTIFICATE = "CERTIFICATE", "Certificate"
        CONTRACT = "CONTRACT", "Contract"
        OTHER = "OTHER", "Other"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="documents")
    kind = models.CharField(max_length=11, choices=Kind.choices)
    title = models.CharField(max_length=100)
    ends_on = models.DateField(null=True)
    file_name = models.CharField(max_length=150)
    mime = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    path = models.CharField(max_length=200)
    uploaded_by = models.CharField(max_length=80)
    removed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.title


class VendorContact(models.Model):
    """Somebody to speak to at a vendor; the phone in E.164."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="contacts")
    name = models.CharField(max_length=100)
    role = models.CharField(max_length=60, blank=True, default="")
    email = models.CharField(max_length=254, blank=True, default="")
    phone = models.CharField(max_length=16, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.name


# For how long a proposed account is confirmed only with a call-back, from when it was proposed.
COOL_OFF = timedelta(hours=24)


class InstructionStatus(models.TextChoices):
    """See service/vendors/transitions.py for the moves between them."""

    QUARANTINED = "QUARANTINED", "Waits for a second person"
    ACTIVE = "ACTIVE", "In use"
    REJECTED = "REJECTED", "Refused by the second person"
    REPLACED = "REPLACED", "Changed for another one"


class PaymentInstruction(models.Model):
    """An account that a vendor is paid on. Its account is never edited: a change is another row that waits.

    `verified` tells that a second person has looked at it. `changed_at` starts the 14 days in which it counts as new.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="instructions")
    # The vendor's: repeated here for the index by which an account is found whosever it is.
    business = models.ForeignKey(
        Business, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    channel = models.CharField(max_length=20)
    account = models.CharField(max_length=34)
    account_key = models.CharField(max_length=34, help_text="the account without case and punctuation")
    bank_code = models.CharField(max_length=11, blank=True, default="")
    branch_code = models.CharField(max_length=11, blank=True, default="")
    account_name = models.CharField(max_length=100)
    account_reference = models.CharField(max_length=40, blank=True, default="")
    is_default = models.BooleanField(default=False)
    verified = models.BooleanField(default=False)
    status = models.CharField(max_length=11, choices=InstructionStatus.choices)
    replaces = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="changes")
    # Every employee who proposed it: none of them may confirm or reject it.
    editor_ids = ArrayField(models.CharField(max_length=24), default=list)
    editor_label = models.CharField(max_length=80)
    proposal_reason = models.CharField(max_length=500, blank=True, default="", help_text="why it was proposed")
    decided_by = models.CharField(max_length=80, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True, default="")
    # Whom the second person called back before confirming it, and when; empty where nobody was.
    call_back_number = models.CharField(max_length=16, blank=True, default="")
    call_back_name = models.CharField(max_length=100, blank=True, default="")
    called_back_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["vendor"], condition=Q(is_default=True, status="ACTIVE"), name="one_default_instruction"
            ),
            models.UniqueConstraint(
                fields=["replaces"], condition=Q(status="QUARANTINED"), name="one_waiting_change_each"
            ),
        ]
        indexes = [models.Index(fields=["business", "account_key", "channel"], name="instruction_by_account")]

    @property
    def cool_off_ends_at(self) -> datetime | None:
        """Until when a proposed account is confirmed only with a call-back; None of one that does not wait."""
        return self.changed_at + COOL_OFF if self.status == InstructionStatus.QUARANTINED else None

    def __str__(self) -> str:
        return f"{self.channel} …{self.account[-4:]}"
