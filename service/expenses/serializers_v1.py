"""An expense in the fields of the old interface."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service.expenses.schemas_shapes import SubcategoryRefShape, TeamRefShape


class _CommonShape(TypedDict):
    """The fields that a movement and an expense of the old interface have in common."""

    _id: str
    status: str
    amount: Decimal
    fees: Decimal
    charge: Decimal
    currency: str
    original_currency: str | None
    transaction_ref: str
    provider_ref: str
    employee_id: str
    person: str
    transaction_date: datetime
    MerchantCategoryCode: str
    MerchantIdentifier: str
    card_vcn: str
    receiver: str
    accno: str
    payment_type: str
    channel: str
    subcategory: SubcategoryRefShape | None
    team: TeamRefShape | None
    tag: list[str]
    notes: str
    risk: int
    risk_notes: str


class ExpenseShapeV1(_CommonShape):
    """What the old interface shows of an expense, and in the same fields of any other movement that its statements nest."""

    original_amount: Decimal | None
    fx_rate: Decimal | None


class ExpenseV1Shape(_CommonShape):
    """An expense as the old interface shows it."""

    original_amount: Decimal
    fx_rate: Decimal | int | None
    ip: str


def as_v1(full: ExpenseShapeV1) -> ExpenseV1Shape:
    """An expense in the fields of the old interface, whose numbers are always numbers: what was not exchanged was
    exchanged at 1. Addresses (`ip`) are not kept."""
    original_amount, original_currency, fx_rate = full["original_amount"], full["original_currency"], full["fx_rate"]
    return {
        "_id": full["_id"],
        "amount": full["amount"],
        "fees": full["fees"],
        "charge": full["charge"],
        "original_amount": full["amount"] if original_amount is None else original_amount,
        "fx_rate": 1 if original_amount is None else fx_rate,
        "currency": full["currency"],
        "original_currency": full["currency"] if original_amount is None else original_currency,
        "transaction_ref": full["transaction_ref"],
        "provider_ref": full["provider_ref"],
        "employee_id": full["employee_id"],
        "person": full["person"],
        "transaction_date": full["transaction_date"],
        "MerchantCategoryCode": full["MerchantCategoryCode"],
        "MerchantIdentifier": full["MerchantIdentifier"],
        "card_vcn": full["card_vcn"],
        "receiver": full["receiver"],
        "accno": full["accno"],
        "payment_type": full["payment_type"],
        "channel": full["channel"],
        "subcategory": full["subcategory"],
        "team": full["team"],
        "tag": full["tag"],
        "notes": full["notes"],
        "risk": full["risk"],
        "risk_notes": full["risk_notes"],
        "ip": "",
        "status": full["status"],
    }
