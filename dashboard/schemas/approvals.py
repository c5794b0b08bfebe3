"""Payment requests that wait for votes, and the digest that scores their risk (decisions B.13)."""

from datetime import datetime
from typing import Any

from pydantic import Field, model_validator

from dashboard.money import Money
from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text, money_of


class Approval(ResponseSchema):
    """A payment request: of a batch, or of a single transfer. `status` is PENDING until the last vote it needs."""

    id: Id
    kind: Text = ""
    action_type: int | None = None
    ref: Text = ""
    title: Text = ""
    amount: Amount
    amount_minor: int | None = None
    currency: Currency
    org_wallet_ref: Text = ""
    requested_by: Any = None
    requested_at: datetime | None = None
    expires_at: datetime | None = None
    status: Text = ""
    approvals_required: int = 1
    approvals_given: int = 0
    steps: list[dict[str, Any]] = []
    version: int | None = None

    @model_validator(mode="after")
    def amounts_agree(self) -> "Approval":
        """Refuses a request whose two amounts differ."""
        money_of(self.amount, self.amount_minor, self.currency)
        return self

    @property
    def money(self) -> Money:
        """What would be paid."""
        return money_of(self.amount, self.amount_minor, self.currency)


class Signal(ResponseSchema):
    """One reason for the risk score: its weight and the numbers it used."""

    code: str
    weight: int
    evidence: Any = None


class Risk(ResponseSchema):
    """A score of 0 to 100 with its reasons; LOW below 30, MEDIUM below 60, HIGH below 85, else CRITICAL."""

    score: int = Field(ge=0, le=100)
    level: Text = ""
    signals: list[Signal] = []
    version: Text = Field("", alias="model_version")


class ApprovalDigest(ResponseSchema):
    """A payment request in short, with its risk."""

    id: Id
    ref: Text = ""
    headline: Text = ""
    amount: Amount
    currency: Currency
    payee: Any = None
    due: datetime | None = None
    status: Text = ""
    my_turn: bool = False
    risk: Risk | None = None


class VoteBody(RequestSchema):
    """A vote on a payment request; a vote against needs a reason."""

    approval_id: str
    reason: str | None = Field(None, max_length=500)
