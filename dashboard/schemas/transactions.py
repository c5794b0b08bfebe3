"""Transactions, and money in and out, as the service tells them, and the bodies that make and change one (decisions B.17)."""

from datetime import date, datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text


class TransactionFile(ResponseSchema):
    """A document of a transaction; `size` in bytes, `kind` one of the seven formats."""

    id: Id
    file_name: Text = ""
    kind: Text = ""
    mime: Text = ""
    size: int = 0
    sha256: Text = ""
    uploaded_by: Text = ""
    createdAt: datetime | None = None  # noqa: N815  the published spelling


class PartCategory(ResponseSchema):
    """The subcategory that a part is filed under."""

    id: Id
    name: Text = ""


class TransactionPart(ResponseSchema):
    """A part of a split transaction, in minor units of its currency."""

    subcategory: PartCategory
    amount_minor: int
    description: Text = ""


class TransactionRow(ResponseSchema):
    """A movement on one wallet; the amounts in minor units of its currency, without a sign: `direction` IN or OUT says it."""

    id: Id
    type: Text = ""
    status: Text = ""
    org_wallet_ref: Text = ""
    to_org_wallet_ref: Text = ""
    amount_minor: int = 0
    fees_minor: int = 0
    currency: Text = ""
    direction: Text = ""
    counterparty: Text = ""
    ref: Text = ""
    channel: Text = ""
    description: Text = ""
    parts: list[TransactionPart] = []
    documents: list[TransactionFile] = []
    version: int = 0
    expense_id: Text = ""
    ledger_transaction_id: int | None = None
    effective_on: date | None = None
    value_date: date | None = None
    transaction_date: datetime | None = None
    created_by: Text = ""
    decided_by: Text = ""
    decided_at: datetime | None = None
    reason: Text = ""
    failure_code: Text = ""


class NewTransaction(RequestSchema):
    """A movement that happened outside, to be approved by a second person: an IFT names the other wallet, any other type a
    counterparty."""

    type: str
    org_wallet_ref: str
    to_org_wallet_ref: str | None = None
    amount: Decimal
    currency: str | None = None
    counterparty: str | None = None
    ref: str | None = None
    description: str = ""
    channel: str = "BANK"
    subcategory_id: str | None = None
    value_date: str | None = None


class NewPart(RequestSchema):
    """A part: an amount in whole units of the transaction's currency."""

    subcategory_id: str
    amount: Decimal
    description: str = ""


class Split(RequestSchema):
    """All parts of a transaction of that version: they come to its amount, and none make it whole again."""

    version: int
    parts: list[NewPart]


class DocumentBody(RequestSchema):
    """The document that is removed."""

    document_id: str


class MonthOfMovement(ResponseSchema):
    """One month: what came in, what went out, in whole units of the currency."""

    month: Text
    money_in: Amount
    money_out: Amount
    net: Amount


class TopOfMovement(ResponseSchema):
    """Where much money came from, or what much was spent on; `share` of the whole, 0 to 1."""

    name: Text = ""
    amount: Amount
    count: int = 0
    share: Amount = Decimal(0)


class Movement(ResponseSchema):
    """Money in and out of all wallets of a currency; transfers and exchanges are on neither side.

    `by_type["FEE"]` is the sum of the fees of these days; `exchange_spread` is no fee, and in neither.
    """

    currency: Currency
    money_in: Amount
    money_out: Amount
    net: Amount
    by_type: dict[str, Amount] = {}
    top_sources: list[TopOfMovement] = []
    top_spends: list[TopOfMovement] = []
    trend: list[MonthOfMovement] = []
    exchange_spread: Amount = Decimal(0)


class Movements(ResponseSchema):
    """What was moved, one row for each currency."""

    docs: list[Movement] = []


class Fee(ResponseSchema):
    """What was paid in fees for one type of movement over one channel."""

    type: Text = ""
    channel: Text = ""
    currency: Currency
    amount: Amount
    count: int = 0


def most(months: list[MonthOfMovement]) -> Decimal:
    """The greatest amount among them: what the bars are measured against."""
    return max((max(month.money_in, month.money_out) for month in months), default=Decimal(0))


class TransactionBody(TypedDict):
    """The body of CREATE_TRANSACTION: `value_date` as YYYY-MM-DD; a transfer names the other wallet, any other type the
    counterparty."""

    type: str
    org_wallet_ref: str
    amount: Decimal
    currency: str
    channel: str
    description: str
    to_org_wallet_ref: NotRequired[str]
    counterparty: NotRequired[str]
    ref: NotRequired[str]
    subcategory_id: NotRequired[str]
    value_date: NotRequired[str]
