"""Lines of a bill split over teams, by amounts or in per cent: an addition beside the interface. No cent is lost or made up."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from service import errors, money
from service.bills.models import BillLine, LineSplit
from service.bills.schemas import NewLine, SplitLine


def largest_remainders(total: int, weights: Sequence[int]) -> list[int]:
    """The total shared out by weights, in whole numbers that come to it: each gets what it has wholly, and of what is left
    those get one more that lack most of it, the earlier of two that lack the same."""
    whole = sum(weights)
    shares = [total * weight // whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda at: (-(total * weights[at] % whole), at))
    for at in order[: total - sum(shares)]:
        shares[at] += 1
    return shares


def splits_of(lines: Iterable[tuple[NewLine, BillLine]], currency: str) -> tuple[LineSplit, ...]:
    """The shares of a bill's lines (unsaved, without their bill), each where it ends in the bill.

    422 at the line whose amounts do not come to it.
    """
    splits: list[LineSplit] = []
    before = 0
    for new, line in lines:
        comes_to = line.amount_minor + line.tax_minor
        given = (new.splits if isinstance(new, SplitLine) else None) or []
        shares = _shares(new, line, comes_to, currency) if isinstance(new, SplitLine) and given else []
        upto = before
        for position, (split, share) in enumerate(zip(given, shares, strict=True)):
            upto += share
            bps = None if split.percent is None else int(split.percent * 100)
            splits.append(
                LineSplit(
                    line=line,
                    team_id=split.team_id,
                    position=position,
                    percent_bps=bps,
                    share_minor=share,
                    upto_minor=upto,
                )
            )
        before += comes_to
    return tuple(splits)


def _shares(new: SplitLine, bill_line: BillLine, comes_to: int, currency: str) -> list[int]:
    field, given = f"line_items.{bill_line.position}.splits", new.splits or []
    if given[0].percent is not None:
        return largest_remainders(comes_to, [int((split.percent or 0) * 100) for split in given])
    shares = [_amount(split.amount or Decimal(0), currency, f"{field}.{at}.amount") for at, split in enumerate(given)]
    if sum(shares) != comes_to:
        total, expected = (money.to_number(minor, currency) for minor in (sum(shares), comes_to))
        raise errors.validation_failed(field, f"They come to {total}, the line with its tax to {expected}.", "mismatch")
    return shares


def _amount(amount: Decimal, currency: str, field: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as error:
        raise errors.validation_failed(field, str(error)) from None
