"""An expense in the fields of the old interface."""

from typing import Any

from service.respond import JsonObject

FIELDS = (
    "_id",
    "amount",
    "fees",
    "charge",
    "original_amount",
    "fx_rate",
    "currency",
    "original_currency",
    "transaction_ref",
    "provider_ref",
    "employee_id",
    "person",
    "transaction_date",
    "MerchantCategoryCode",
    "MerchantIdentifier",
    "card_vcn",
    "receiver",
    "accno",
    "payment_type",
    "channel",
    "subcategory",
    "team",
    "tag",
    "notes",
    "risk",
    "risk_notes",
)


def as_v1(full: JsonObject) -> dict[str, Any]:
    """An expense in the fields of the old interface, whose numbers are always numbers: what was not exchanged was
    exchanged at 1. Addresses (`ip`) are not kept."""
    shown = {name: full[name] for name in FIELDS}
    if shown["original_amount"] is None:
        shown |= {"original_amount": full["amount"], "original_currency": full["currency"], "fx_rate": 1}
    return {**shown, "ip": "", "status": full["status"]}
