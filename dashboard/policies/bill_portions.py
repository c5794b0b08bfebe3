"""How a payment of a bill falls to the subcategories that the bill and its lines are filed under."""

from __future__ import annotations

from dashboard.money import to_minor
from dashboard.schemas.bills import BillPayload


def filed_under(bill_payload: BillPayload) -> list[str]:
    """The subcategories of a bill and of its lines."""
    lines = [str(line.get("subcategory_id") or "") for line in bill_payload.get("line_items") or []]
    return [str(bill_payload.get("subcategory_id") or ""), *lines]


def portions(bill_payload: BillPayload, minor: int, currency: str) -> dict[str, int]:
    """How much of a payment (minor units) falls to each subcategory of the bill's lines, in proportion to their amounts
    with tax; a line without a subcategory counts to the bill's."""
    own, weights = str(bill_payload.get("subcategory_id") or ""), dict[str, int]()
    for line in bill_payload.get("line_items") or []:
        filed = str(line.get("subcategory_id") or "") or own
        tax = to_minor(str(line.get("tax_amount") or 0), currency)
        weights[filed] = weights.get(filed, 0) + int(line.get("amount_minor") or 0) + tax
    weights = weights or {own: 1}
    total, before, handed_out, shares = sum(weights.values()), 0, 0, dict[str, int]()
    for filed, weight in weights.items():
        before += weight
        shares[filed] = minor * before // total - handed_out if total else 0
        handed_out += shares[filed]
    return {filed: share for filed, share in shares.items() if filed and share}
