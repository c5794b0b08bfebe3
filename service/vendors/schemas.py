"""Vendors on the wire (decisions B.20)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import inputs
from service.pagination import Envelope, PageQuery
from service.text import Email, ObjectId, Phone, Reason, Text, Words
from service.vendors.models import InstructionStatus, Vendor, VendorDocument

# Digits and letters with dashes between: accounts of any rail, as payouts take them.
Account = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9\-]{2,33}$")]
TaxPin = Annotated[inputs.Line, StringConstraints(to_upper=True, pattern=r"^[A-Za-z0-9\-/.]{4,20}$")]
Country = Annotated[str, StringConstraints(pattern="^[A-Z]{2}$")]
CurrencyCode = Annotated[str, StringConstraints(pattern="^[A-Z]{3}$")]
BankCode = Annotated[inputs.Line, StringConstraints(pattern="^[A-Za-z0-9]{0,11}$")]
Reference = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9 ./\-]{0,40}$")]
Discount = Annotated[inputs.Number, Field(ge=0, lt=100, decimal_places=2, examples=[2])]
DiscountDays = Annotated[inputs.Whole, Field(ge=1, le=365, examples=[10])]


class CallBack(Schema):
    """Whom the second person called back, on which number and when, to ask whether an account is theirs."""

    model_config = ConfigDict(extra="forbid")

    number: Phone
    spoke_to: Words
    called_at: inputs.Moment


class CallBackOut(Schema):
    """A call-back, as it was recorded."""

    number: str
    spoke_to: str
    called_at: datetime


class InstructionOut(Schema):
    """An account that a vendor is paid on. QUARANTINED: it waits for a second person, and is not paid to until then.

    Before `cool_off_ends_at` it is confirmed only with a call-back.
    """

    id: str = Field(alias="_id")
    channel: str
    account: str
    bank_code: str
    branch_code: str
    account_name: str
    account_reference: str
    is_default: bool
    verified: bool
    status: str
    replaces: str | None
    changed_by: str
    proposal_reason: str
    changed_at: datetime
    cool_off_ends_at: datetime | None
    decided_by: str | None
    decided_at: datetime | None
    call_back: CallBackOut | None


class VendorDocumentOut(Schema):
    """A document of a vendor; `ends_on` is the last day on which it is valid, null where it has no end."""

    id: str = Field(alias="_id")
    kind: str
    title: str
    ends_on: date | None
    file_name: str
    mime: str
    size: int
    sha256: str
    uploaded_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class ContactOut(Schema):
    """Somebody to speak to at a vendor; the phone in E.164."""

    id: str = Field(alias="_id")
    name: str
    role: str
    email: str
    phone: str


class ContactBody(Schema):
    """Somebody to speak to at a vendor, whole: what is not named is empty."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Mary Otieno", "role": "Accounts"}]}
    )

    name: Words = Field(max_length=100, examples=["Mary Otieno"])
    role: inputs.Line | None = Field(None, max_length=60)
    email: Email | None = None
    phone: Phone | None = None


class VendorOut(Schema):
    """A vendor with the accounts that are in use or wait for a second person."""

    id: str = Field(alias="_id")
    name: str
    email: str
    phone: str
    taxPin: str  # noqa: N815  the published spelling
    type: str
    country: str
    currency: str
    discount_percent: Decimal
    discount_days: int
    payment_instructions: list[InstructionOut]
    documents: list[VendorDocumentOut]
    contacts: list[ContactOut]
    also_known_as: list[str]
    merged_into: str | None
    status: str
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class VendorPage(Envelope):
    """A page of the vendors of the business."""

    docs: list[VendorOut]


class VendorQuery(PageQuery):
    """Filters of the list: only ACTIVE vendors unless a status is named."""

    search: inputs.Line | None = Field(None, max_length=100, description="Part of name, email, phone or tax PIN.")
    status: Literal["ACTIVE", "DELETED", "ALL"] = "ACTIVE"


class NewInstruction(Schema):
    """An account to pay a vendor on. `needs` of the channel (GET /payments/channels) says which fields it takes."""

    model_config = ConfigDict(extra="forbid")

    channel: inputs.Line = Field(max_length=20, examples=["MPESA_SEND_MONEY"])
    account: Account = Field(examples=["254712345678"])
    bank_code: BankCode = ""
    branch_code: BankCode = ""
    account_name: Words | None = Field(None, description="The vendor's name where it is missing.")
    account_reference: Reference = ""
    is_default: bool = False
    proposal_reason: Text = Field("", description="Why: the second person is shown it.")


class ChangedInstruction(NewInstruction):
    """What an account becomes; which one must be said where the vendor has several."""

    instruction_id: ObjectId | None = None


class Decision(Schema):
    """What the second person found, such as whom they called back."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason = Field(examples=["Called back on the number in the contract."])


class AccountConfirmation(Decision):
    """What the second person found, and the call-back, without which nothing is confirmed before the cool-off is over."""

    call_back: CallBack | None = None


class _DiscountTerms(Schema):
    """What the vendor's bills give for paying early, unless they say otherwise: an addition beside the interface."""

    discount_percent: Discount | None = Field(None, description="Of what is open, for paying early; 0 takes it off.")
    discount_days: DiscountDays | None = Field(None, description="Within how many days of the issue it is given.")

    @model_validator(mode="after")
    def check_terms(self) -> "_DiscountTerms":
        """A percentage without days, or days without one, are no terms."""
        if bool(self.discount_percent) != (self.discount_days is not None):
            raise ValueError("A discount has a percentage and a number of days.")
        return self


class NewVendor(_DiscountTerms):
    """A vendor to make. Its first accounts are in use at once and not verified; the first one is the default."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Acacia Supplies", "taxPin": "P051234567Q"}]}
    )

    name: Words
    email: Email | None = None
    phone: Phone | None = None
    taxPin: TaxPin | None = None  # noqa: N815  the published spelling
    type: Vendor.Type = Vendor.Type.BUSINESS
    country: Country | None = Field(None, description="The business's own where it is missing.")
    currency: CurrencyCode | None = Field(None, description="The business's own where it is missing.")
    payment_instructions: list[NewInstruction] = Field(default_factory=list, max_length=10)


class ChangedVendor(_DiscountTerms):
    """The fields to change; null empties the optional ones. Accounts have operations of their own."""

    model_config = ConfigDict(extra="forbid")

    name: Words | None = None
    email: Email | None = None
    phone: Phone | None = None
    taxPin: TaxPin | None = None  # noqa: N815
    type: Vendor.Type | None = None
    country: Country | None = None
    currency: CurrencyCode | None = None


class DocumentQuery(Schema):
    """What a document is. Without a title it bears the name of its file."""

    kind: VendorDocument.Kind = Field(VendorDocument.Kind.OTHER, examples=["CONTRACT"])
    title: Annotated[inputs.Name, Field(max_length=100)] | None = None
    ends_on: inputs.Day | None = Field(None, description="The last day on which it is valid.")


VISIBLE_STATUSES = (InstructionStatus.ACTIVE, InstructionStatus.QUARANTINED)
