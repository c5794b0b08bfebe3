"""Bills and their payments as the service tells them, and the bodies that make and change them (decisions B.9)."""

from datetime import date, datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from pydantic import Field

from dashboard.schemas.base import Id, RequestSchema, ResponseSchema, Text


class LineSplit(ResponseSchema):
    """A team's share of a line with its tax; `percent` is None where it was given as an amount."""

    team_id: Text = ""
    percent: Decimal | None = None
    amount: Decimal = Decimal(0)
    amount_minor: int = 0


class BillLine(ResponseSchema):
    """A line: `amount` is without the tax, `tax_rate` in per cent."""

    description: Text = ""
    qty: Decimal = Decimal(1)
    unit_price: Decimal = Decimal(0)
    tax_rate: Decimal = Decimal(0)
    amount_minor: int = 0
    subcategory_id: Text = ""
    splits: list[LineSplit] = []


class BillFile(ResponseSchema):
    """A file of a bill, or one that is not attached yet (`bill_id` empty)."""

    id: Id
    bill_id: Text = ""
    file_name: Text = ""
    mime: Text = ""
    size: int = 0
    sha256: Text = ""


class Withheld(ResponseSchema):
    """A tax that is withheld of a payment, or would be if all of the bill were paid today; `rate_bps` 500 is 5 %."""

    tax_id: Text = ""
    code: Text = ""
    name: Text = ""
    rate_bps: int = 0
    amount: Decimal = Decimal(0)


class Bill(ResponseSchema):
    """A bill on its two axes; amounts in minor units of its currency, `payments` the references of its payments."""

    id: Id
    bill_no: Text = ""
    vendor_id: Text = ""
    vendor_name: Text = ""
    currency: Text = ""
    subtotal_minor: int = 0
    tax_amount_minor: int = 0
    total_minor: int = 0
    amount_paid_minor: int = 0
    amount_credited_minor: int = 0
    balance_minor: int = 0
    withholding: list[Withheld] = []
    issued_at: date | None = None
    due_at: date | None = None
    budget_id: Text = ""
    team_id: Text = ""
    subcategory_id: Text = ""
    line_items: list[BillLine] = []
    attachments: list[BillFile] = []
    payments: list[str] = []
    memo: Text = ""
    purchase_order: Text = ""
    discount_percent: Decimal = Decimal(0)
    discount_until: date | None = None
    discount_from_vendor: bool = False
    discounted_minor: int = 0
    status: Text = ""
    approval_status: Text = ""
    duplicate_of: Text = ""
    duplicate_reason: Text = ""


class Attempt(ResponseSchema):
    """One time that the rail was given a payment."""

    number: int = 0
    status: Text = ""
    channel: Text = ""
    account_ends: Text = ""
    provider_ref: Text = ""
    failure_code: Text = ""
    sent_at: datetime | None = None
    settled_at: datetime | None = None


class BillPayment(ResponseSchema):
    """A payment of a bill: `amount_minor` lowers its balance, the vendor gets `net_amount_minor`."""

    id: Id
    payment_ref: Text = ""
    org_wallet_ref: Text = ""
    receiver_name: Text = ""
    channel: Text = ""
    account: Text = ""
    currency: Text = ""
    amount_minor: int = 0
    withheld_amount_minor: int = 0
    net_amount_minor: int = 0
    discount_minor: int = 0
    fee_minor: int = 0
    withholding: list[Withheld] = []
    status: Text = ""
    approval_status: Text = ""
    hold_reason: Text = ""
    failure_code: Text = ""
    scheduled_for: datetime | None = None
    attempts: list[Attempt] = []
    created_by: Text = ""
    requested_by: Text = ""
    settled_at: datetime | None = None
    createdAt: datetime | None = None  # noqa: N815  the published spelling


class BillBudget(ResponseSchema):
    """A budget that a bill can be assigned to, with what is left of it in this period."""

    id: Id
    name: Text = ""
    currency: Text = ""
    available_minor: int = 0


class NewSplit(RequestSchema):
    """A team's share of a line: per cent of it, or an amount of it with its tax."""

    team_id: str
    percent: Decimal | None = None
    amount: Decimal | None = None


class NewLine(RequestSchema):
    """A line of a bill to enter: quantity by unit price is its amount, and the tax comes on top."""

    description: str
    qty: Decimal
    unit_price: Decimal
    tax_rate: Decimal
    subcategory_id: str | None = None
    splits: list[NewSplit] | None = None


class BillChange(RequestSchema):
    """What of a bill changes; what is not named stays as it is."""

    bill_no: str | None = None
    issued_at: str | None = None
    due_at: str | None = None
    line_items: list[NewLine] | None = None
    budget_id: str | None = None
    team_id: str | None = None
    subcategory_id: str | None = None
    withholding_tax_ids: list[str] | None = None
    memo: str | None = None
    purchase_order: str | None = None
    discount_percent: Decimal | None = None
    discount_until: str | None = None
    status: str | None = None


class NewBill(BillChange):
    """A bill to enter, with the files that were uploaded before; `status` DRAFT or OPEN."""

    bill_no: str
    vendor_id: str
    currency: str | None = None
    issued_at: str
    line_items: list[NewLine]
    attachments: list[str] = Field(default_factory=list)


class FilesBody(RequestSchema):
    """The files that are attached, or taken off."""

    file_ids: list[str]


class CancelBody(RequestSchema):
    """The body that cancels a bill: the reason, which stands in the audit."""

    reason: str


class SplitBody(TypedDict):
    """A share of a line as it is sent (NewSplit): per cent of it, or an amount of it with its tax."""

    team_id: str
    percent: NotRequired[Decimal]
    amount: NotRequired[Decimal]


class LineBody(TypedDict):
    """A line as it is sent (NewLine)."""

    description: str
    qty: Decimal
    unit_price: Decimal
    tax_rate: Decimal
    subcategory_id: NotRequired[str]
    splits: NotRequired[list[SplitBody]]


class BillBody(TypedDict, total=False):
    """A bill as it is sent, new (NewBill) or changed (BillChange): days as 2026-11-25, "" takes a memo away."""

    vendor_id: str
    bill_no: str
    currency: str
    issued_at: str
    due_at: str
    discount_percent: Decimal
    discount_until: str
    subcategory_id: str
    team_id: str
    budget_id: str
    withholding_tax_ids: list[str]
    memo: str
    purchase_order: str
    line_items: list[LineBody]
    attachments: list[str]
    status: str


class BillPaymentBody(TypedDict):
    """A payment of a bill as it is sent: the vendor's own account without one, `scheduled_for` a moment in ISO 8601."""

    org_wallet_ref: str
    amount: NotRequired[Decimal]
    payment_instruction_id: NotRequired[str]
    take_discount: NotRequired[bool]
    scheduled_for: NotRequired[str]


class BillFilePayload(TypedDict, total=False):
    """A file of a bill as the service names it with the bill."""

    _id: str
    file_name: str


class BillLinePayload(TypedDict, total=False):
    """A line of a bill as the service gives it, as far as policies weigh it; `tax_amount` in units of the bill's currency."""

    subcategory_id: str
    amount_minor: int
    tax_amount: Decimal | str


class BillPayload(TypedDict, total=False):
    """A bill as the service gives it, read live or out of the copy, as far as documents and policies need it: amounts in units
    of its currency, and in minor units where the service says them; `issued_at` in ISO 8601."""

    currency: str
    issued_at: str
    vendor_id: str
    vendor_name: str
    subcategory_id: str
    total: Decimal | str
    total_minor: int
    tax_amount: Decimal | str
    tax_amount_minor: int
    attachments: list[BillFilePayload]
    line_items: list[BillLinePayload]
