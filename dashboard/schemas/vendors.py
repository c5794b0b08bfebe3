"""Vendors and the accounts they are paid on, as the service tells them, and the bodies that make and change them
(interface, "Vendors"; decisions B.20)."""

from datetime import datetime

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
    changed_at: datetime | None = None


class Vendor(ResponseSchema):
    """Whom the business pays: `type` BUSINESS or INDIVIDUAL, `status` ACTIVE or DELETED."""

    id: Id
    name: Text = ""
    email: Text = ""
    phone: Text = ""
    taxPin: Text = ""  # noqa: N815  the published spelling
    type: Text = "BUSINESS"
    country: Text = ""
    currency: Text = ""
    payment_instructions: list[PaymentInstruction] = []
    status: Text = "ACTIVE"


class RecentVendor(ResponseSchema):
    """Somebody who was paid on a channel lately; without an id nobody has made them a vendor."""

    id: Text = ""
    name: Text = ""
    channel: Text = ""
    account: Text = ""
    currency: Text = ""
    last_paid_at: datetime
    last_amount: Amount
    count: int = 0


class NewVendor(RequestSchema):
    """A vendor without an account: the first one, too, is proposed, and confirmed by a second person."""

    name: str
    email: str | None = None
    phone: str | None = None
    taxPin: str | None = None  # noqa: N815
    type: str
    country: str | None = None
    currency: str | None = None


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


class NewInstruction(RequestSchema):
    """Another account to pay a vendor on."""

    channel: str
    account: str
    bank_code: str = ""
    branch_code: str = ""
    account_name: str | None = None
    account_reference: str = ""
    is_default: bool = False


class InstructionChange(NewInstruction):
    """What an account in use becomes."""

    instruction_id: str


class InstructionDecision(RequestSchema):
    """What the second person found: whom they called back, on which number, and when."""

    reason: str
