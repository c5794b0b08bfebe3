"""What a bill amounts to: lines added up, or two sums as they were sent, in minor units of the bill's currency."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from service import errors, money
from service.bills.models import Bill, BillLine, LineSplit
from service.bills.schemas import NewLine
from service.bills.splits import splits_of
from service.taxes.withholding import rounded


@dataclass(frozen=True, slots=True)
class BillSums:
    """Without tax, and the tax on it; the lines they come from, not saved."""

    subtotal_minor: int
    tax_minor: int
    lines: tuple[BillLine, ...] = ()
    splits: tuple[LineSplit, ...] = ()

    @property
    def total_minor(self) -> int:
        """What is to be paid."""
        return self.subtotal_minor + self.tax_minor


def minor(field: str, amount: Decimal, currency: str) -> int:
    """Minor units; 422 naming the field where the currency does not have so many decimals, or is none."""
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as error:
        raise errors.validation_failed(field, str(error)) from None


def of_lines(lines: Sequence[NewLine], currency: str) -> BillSums:
    """The lines with their amounts, each amount rounded half up on its own, the sums of them, and their shares of teams."""
    rows = tuple(_line(place, line, currency) for place, line in enumerate(lines))
    splits = splits_of(zip(lines, rows, strict=True), currency)
    return BillSums(sum(row.amount_minor for row in rows), sum(row.tax_minor for row in rows), rows, splits)


def _line(place: int, new: NewLine, currency: str) -> BillLine:
    price = minor(f"line_items.{place}.unit_price", new.unit_price, currency)
    amount = int((new.qty * price).quantize(Decimal(1), ROUND_HALF_UP))
    bps = int(new.tax_rate * 100)
    return BillLine(
        position=place,
        description=new.description,
        quantity=new.qty,
        unit_price_minor=price,
        tax_rate_bps=bps,
        amount_minor=amount,
        tax_minor=rounded(amount, bps),
        subcategory_id=new.subcategory_id or "",
    )


def of_body(body: Any, currency: str) -> BillSums | None:
    """The sums that a body (schemas.NewBill or ChangedBill) gives; None where it names no amounts.

    422 where they are nothing, too much, or not what `total` says.
    """
    if body.line_items is not None:
        sums = of_lines(body.line_items, currency)
    elif body.subtotal is not None:
        tax = minor("tax_amount", body.tax_amount or Decimal(0), currency)
        sums = BillSums(minor("subtotal", body.subtotal, currency), tax)
    elif body.tax_amount is not None or body.total is not None:
        raise errors.validation_failed("subtotal", "It comes with the tax and the total.", "missing")
    else:
        return None
    if not 0 < sums.total_minor <= money.LARGEST_MINOR:
        raise errors.validation_failed("total", "It must be more than nothing, and not too large.", "amount")
    if body.total is not None and minor("total", body.total, currency) != sums.total_minor:
        computed_total = money.to_number(sums.total_minor, currency)
        raise errors.validation_failed("total", f"The rest adds up to {computed_total}.", "mismatch")
    return sums


def portions(bill: Bill, amount_minor: int, lines: Iterable[BillLine]) -> dict[str, int]:
    """How much of a payment (minor units) falls to each subcategory of the bill's lines, in proportion to their amounts.

    A line without a subcategory counts to the bill's. The shares add up to the amount, but for what has no subcategory.
    """
    weights: dict[str, int] = {}
    for line in lines:
        subcategory_id = line.subcategory_id or bill.subcategory_id
        weights[subcategory_id] = weights.get(subcategory_id, 0) + line.amount_minor + line.tax_minor
    weights = weights or {bill.subcategory_id: 1}
    total_weight, before, handed_out = sum(weights.values()), 0, 0
    shares = {}
    for subcategory_id, weight in weights.items():
        before += weight
        shares[subcategory_id] = amount_minor * before // total_weight - handed_out
        handed_out += shares[subcategory_id]
    return {subcategory_id: minor for subcategory_id, minor in shares.items() if subcategory_id and minor}
