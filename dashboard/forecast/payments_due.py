"""Payments due: the one definition that Home and the forecast show, of what the forecast expects."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.forecast.days import Expected

WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class PaymentsDue:
    """Payments to others that were not sent yet, with their fees, reserved or not, each once and by day.

    `dated` are due or scheduled until seven days from now, the overdue among them; `undated` have no day and leave as
    soon as they are approved. A draft without a day is in neither: nobody has asked for it.
    """

    dated: tuple[Expected, ...]
    undated: tuple[Expected, ...]
    overdue: int


def payments_due(expected: Iterable[Expected], today: date) -> PaymentsDue:
    """Of all that is expected, what is due; `today` on the business's calendar. The same key twice is the later one."""
    unsent = [item for item in {item.key: item for item in expected}.values() if item.unsent]
    dated = [(item.day, item) for item in unsent if item.day and not item.undated and item.day <= today + WITHIN]
    return PaymentsDue(
        dated=tuple(item for _, item in sorted(dated, key=lambda pair: (pair[0], pair[1].key))),
        undated=tuple(sorted((item for item in unsent if item.undated), key=lambda item: item.key)),
        overdue=sum(day < today for day, _ in dated),
    )


def sums_of(payments: Iterable[Expected]) -> dict[str, int]:
    """What they come to per currency in minor units, above zero; one whose amount is not known adds nothing."""
    sums: dict[str, int] = {}
    for payment in payments:
        if payment.minor:
            sums[payment.currency] = sums.get(payment.currency, 0) - payment.minor
    return dict(sorted(sums.items()))
