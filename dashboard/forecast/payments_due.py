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
    unsent = [payment for payment in {payment.key: payment for payment in expected}.values() if payment.unsent]
    dated = [
        (payment.day, payment)
        for payment in unsent
        if payment.day and not payment.undated and payment.day <= today + WITHIN
    ]
    return PaymentsDue(
        dated=tuple(payment for _, payment in sorted(dated, key=lambda pair: (pair[0], pair[1].key))),
        undated=tuple(sorted((payment for payment in unsent if payment.undated), key=lambda payment: payment.key)),
        overdue=sum(day < today for day, _ in dated),
    )


def sums_of(payments: Iterable[Expected]) -> dict[str, int]:
    """What they come to per currency in minor units, above zero; one whose amount is not known adds nothing."""
    sums: dict[str, int] = {}
    for payment in payments:
        if payment.minor:
            sums[payment.currency] = sums.get(payment.currency, 0) - payment.minor
    return dict(sorted(sums.items()))
