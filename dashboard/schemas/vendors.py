"""Vendors and the accounts they are paid on, as the service tells them, and the bodies that make and change them
(interface, "Vendors"; decisions B.20)."""

from datetime import date, datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from dashboard.schemas.base import Amount, Id, RequestSchema, ResponseSchema, Text


class PaymentInstruction(ResponseSchema):
    """An account that a vendor is paid on. QUARANTINED: it waits for a second person, and is not paid to until then;
    `status` is empty where a service does not say."""

    id: Id
    channel: Text = ""
    account: Text = ""
    bank_code: Text = ""
    branch_code: Text = ""
    account_name: Text = ""
    account_reference: Text = ""
    is_default: bool = False
    verified: bool = False
    status: Text = ""
    replaces: Text = ""
    changed_by: Text = ""
    proposal_reason: Text = ""
    changed_at: datetime | None = None


class VendorDocument(ResponseSchema):
    """A document of a vendor; `kind` is TAX_FORM, CERTIFICATE, CONTRACT or OTHER, `ends_on` its last day, where it has one."""

    id: Id
    kind: Text = ""
    title: Text = ""
    ends_on: date | None = None
    file_name: Text = ""


class VendorContact(ResponseSchema):
    """Somebody to speak to at a vendor; the phone in E.164."""

    id: Id
    name: Text = ""
    role: Text = ""
    email: Text = ""
    phone: Text = ""


class ContactBody(RequestSchema):
    """Somebody to speak to at a vendor, whole; None for what is empty."""

    name: str
    role: str | None
    email: str | None
    phone: str | None


class Vendor(ResponseSchema):
    """Whom the business pays: `type` BUSINESS or INDIVIDUAL, `status` ACTIVE or DELETED. `discount_percent` is what its bills
    give for paying within `discount_days` of their issue, unless they say otherwise."""

    id: Id
    name: Text = ""
    email: Text = ""
    phone: Text = ""
    taxPin: Text = ""  # noqa: N815  the published spelling
    type: Text = "BUSINESS"
    country: Text = ""
    currency: Text = ""
    discount_percent: Decimal = Decimal(0)
    discount_days: int = 0
    payment_instructions: list[PaymentInstruction] = []
    documents: list[VendorDocument] = []
    contacts: list[VendorContact] = []
    also_known_as: list[Text] = []
    merged_into: Text = ""
    version: int | None = None
    status: Text = "ACTIVE"


class RecentVendor(ResponseSchema):
    """Somebody who was paid on a channel lately; without an id nobody has made them a vendor."""

    id: Text = ""
    name: Text = ""
    channel: Text = ""
    account: Text = ""
    account_reference: Text = ""
    currency: Text = ""
    last_paid_at: datetime
    last_amount: Amount
    count: int = 0


class DuplicateVendors(ResponseSchema):
    """Two vendors that may be one, the earlier first, and why."""

    vendor_id: Text
    vendor_name: Text = ""
    duplicate_id: Text = ""
    duplicate_name: Text = ""
    reasons: list[Text] = []


class Moved(ResponseSchema):
    """How many of a noun move with a merge."""

    noun: Text
    count: int


class DiscountTerms(ResponseSchema):
    """What paying a vendor's bills within `days` of their issue saves."""

    percent: Decimal
    days: int


class MergePlan(ResponseSchema):
    """What a merge would do; `contact_fields` are the contact fields that the vendor lacks, `obstacles` sentences. A discount
    is None where a vendor has no terms of its own."""

    moves: list[Moved] = []
    contact_fields: list[Text] = []
    accounts_to_confirm: int = 0
    vendor_discount: DiscountTerms | None = None
    duplicate_discount: DiscountTerms | None = None
    discount_moves: bool = False
    obstacles: list[Text] = []


class NewMerge(RequestSchema):
    """Which vendor is the same one, and how that is known."""

    duplicate_id: str
    reason: str


class MonthOfSpend(ResponseSchema):
    """What a vendor was paid in a month (YYYY-MM) in one currency."""

    month: Text
    currency: Text
    amount_minor: int
    count: int = 0


class PaidVendor(ResponseSchema):
    """A payment to a vendor: BILL_PAYMENT or PAYOUT by its reference."""

    kind: Text = ""
    ref: Text = ""
    currency: Text = ""
    amount_minor: int
    paid_at: datetime


class SharedDetail(ResponseSchema):
    """What a vendor has in common (ACCOUNT, PHONE, TAX_NUMBER; its last characters) with an owner: VENDOR or EMPLOYEE."""

    what: Text = ""
    ends: Text = ""
    owner: Text = ""
    name: Text = ""
    vendor_id: Text = ""


class VendorActivity(ResponseSchema):
    """What a vendor was paid by month and lately, and what it shares with others."""

    months: list[MonthOfSpend] = []
    payments: list[PaidVendor] = []
    shared: list[SharedDetail] = []


class NewVendor(RequestSchema):
    """A vendor without an account: the first one, too, is proposed, and confirmed by a second person."""

    name: str
    email: str | None = None
    phone: str | None = None
    taxPin: str | None = None  # noqa: N815
    type: str
    country: str | None = None
    currency: str | None = None
    discount_percent: Decimal | None = None
    discount_days: int | None = None


class VendorChange(RequestSchema):
    """Every field of a vendor as it shall be; null empties the optional ones."""

    null_empties = True

    name: str
    email: str | None = None
    phone: str | None = None
    taxPin: str | None = None  # noqa: N815
    type: str
    country: str
    currency: str
    discount_percent: Decimal | None = None
    discount_days: int | None = None


class NewInstruction(RequestSchema):
    """Another account to pay a vendor on."""

    channel: str
    account: str
    bank_code: str = ""
    branch_code: str = ""
    account_name: str | None = None
    account_reference: str = ""
    is_default: bool = False
    proposal_reason: str = ""


class InstructionChange(NewInstruction):
    """What an account in use becomes."""

    instruction_id: str


class CallBackBody(RequestSchema):
    """Whom the second person called back, on which number, and when."""

    number: str
    spoke_to: str
    called_at: datetime


class InstructionDecision(RequestSchema):
    """What the second person found; with the call-back, without which the service confirms no account before its cool-off is
    over."""

    reason: str
    call_back: CallBackBody | None = None


class CallBackFields(TypedDict):
    """A call-back as it is sent: the number in E.164, and the moment with its zone."""

    number: str
    spoke_to: str
    called_at: datetime


class AccountConfirmation(TypedDict):
    """The body of CONFIRM_PAYMENT_INSTRUCTION: the call-back, in a sentence and field by field."""

    reason: str
    call_back: CallBackFields


class VendorBody(TypedDict):
    """The body of CREATE_VENDOR and of UPDATE_VENDOR: every field as it shall be, None for an empty one."""

    name: str
    email: str | None
    phone: str | None
    taxPin: str | None
    type: str
    country: NotRequired[str]
    currency: NotRequired[str]
    discount_percent: NotRequired[Decimal]
    discount_days: NotRequired[int | None]


class InstructionBody(TypedDict):
    """The body of ADD_PAYMENT_INSTRUCTION, and with the account that it replaces of UPDATE_PAYMENT_INSTRUCTION."""

    channel: str
    account: str
    bank_code: str
    branch_code: str
    account_name: str | None
    account_reference: str
    is_default: bool
    proposal_reason: str
    instruction_id: NotRequired[str]


class MergeBody(TypedDict):
    """The body of MERGE_VENDOR: the id of the vendor that goes, and why."""

    duplicate_id: str
    reason: str
