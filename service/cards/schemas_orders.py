"""Orders of physical cards on the wire."""

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import ConfigDict, Field

from service.cards.schemas import CardOut, ShippingAddress
from service.cards.schemas_controls import Closed
from service.pagination import Envelope, PageQuery
from service.text import Code, ObjectId, Reason, Words


class OrderQuery(PageQuery):
    """Filters of the orders of cards: their state."""

    status: str | None = Field(default=None, max_length=10, pattern="^[A-Z]+$", description="Such as REQUESTED.")


class WantedOrder(Closed):
    """A physical card that somebody wants for themselves; approvers and admins may name somebody else."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Travel", "org_wallet_ref": "1"}]}
    )

    name: Words
    org_wallet_ref: Code = "1"
    employee_id: ObjectId | None = None
    shipping: ShippingAddress | None = None


class ApproveOrders(Closed):
    """The orders of cards to approve, by their ids."""

    ids: list[ObjectId] = Field(min_length=1, max_length=200)


class RejectOrders(ApproveOrders):
    """The orders, and what those who asked for them will read."""

    reason: Reason


class OrderOut(Schema):
    """An order with its card, which exists from the beginning."""

    id: str = Field(alias="_id")
    status: str
    card: CardOut
    shipping: dict[str, Any] | None
    requested_by: str
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    shipped_at: datetime | None
    delivered_at: datetime | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class OrderPage(Envelope):
    """A page of the orders of physical cards."""

    docs: list[OrderOut]


class OrderResult(Schema):
    """What became of one: `code` and `detail` are a refusal's where `ok` is false."""

    id: str
    ok: bool
    code: str
    detail: str
    order: OrderOut | None


class OrderResults(Schema):
    """What became of each order of several."""

    results: list[OrderResult]
