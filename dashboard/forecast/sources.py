"""Everything that the copy knows of money to come: payments, bills without one, subscriptions with their repeats, withdrawals of funds."""

from collections.abc import Iterator
from typing import Any

from dashboard.forecast.bills import expected_bills
from dashboard.forecast.days import Expected
from dashboard.forecast.horizon import MAX_FORECAST_ROWS, RESERVED, Horizon, joined
from dashboard.forecast.payments import expected_payments
from dashboard.forecast.repeats import charge_days, frequency_of, repeats
from dashboard.mirror.mappers.vendors import NEVER
from dashboard.mirror.models import FundAccount, Subscription
from dashboard.mirror.scopes import visible_fund_accounts, visible_subscriptions

# Of a fund's movement that has not come to its end.
MOVING = {"PENDING_APPROVAL": "awaiting approval", "REQUESTED": "requested", "PROCESSING": "with the fund's manager"}
STAYS = "It goes to the fund account's own wallet, which is not in the opening balance."


def expected_of(horizon: Horizon) -> tuple[list[Expected], bool]:
    """All that is expected; and whether there are more than MOST rows of a kind, which are left out."""
    expected, more = expected_payments(horizon)
    unpaid, more_unpaid = expected_bills(horizon)
    expected += unpaid
    active = visible_subscriptions(horizon.actor).filter(status="ACTIVE").order_by("next_charge_at", "pk")
    rows = list(active[:MAX_FORECAST_ROWS])
    expected += [charge for row in rows for charge in _charges(horizon, row)]
    accounts = visible_fund_accounts(horizon.actor).order_by("pk")
    expected += [movement for account in accounts for movement in _movements(horizon, account)]
    return expected, more or more_unpaid or len(rows) == MAX_FORECAST_ROWS


def _charges(horizon: Horizon, row: Subscription) -> Iterator[Expected]:
    has_next_charge = row.next_charge_at.year != NEVER.year
    last_on, next_on = (
        horizon.day_of(row.payload.get("last_charge_at")),
        horizon.local_day(row.next_charge_at) if has_next_charge else None,
    )
    often = repeats(row.billing_frequency)
    about = joined(
        "Subscription",
        frequency_of(row.billing_frequency) if row.billing_frequency else "",
        f"paid to {row.vendor}" if row.vendor and row.vendor != row.name else "",
        f"last charged on {horizon.day_text(last_on)}" if last_on else "not charged yet",
        "" if often else "the next charge date is not known",
    )
    until = horizon.last
    days = charge_days(row.billing_frequency, last_on, next_on, horizon.first, until) if next_on else iter((None,))
    for day in days:
        yield Expected(
            key=f"subscription:{row.remote_id}:{day}",
            currency=row.currency,
            minor=-row.amount_minor if row.amount_minor else None,
            day=day,
            title=row.name,
            about=about if day == next_on or day is None else joined(about, "and again on this day"),
            href=horizon.url("subscriptions_item", row.remote_id),
        )


def _movements(horizon: Horizon, account: FundAccount) -> Iterator[Expected]:
    for movement in account.payload.get("movements") or []:
        if not isinstance(movement, dict) or movement.get("status") not in MOVING:
            continue
        # An investment out of the fund account's own wallet touches none of ours.
        if movement.get("kind") == "WITHDRAW" or (movement.get("kind") == "INVEST" and movement.get("org_wallet_ref")):
            yield _movement(horizon, account, movement)


def _movement(horizon: Horizon, account: FundAccount, movement: dict[str, Any]) -> Expected:
    day, minor, ref = (
        horizon.day_of(movement.get("value_date")),
        movement.get("amount_minor"),
        str(movement.get("ref") or movement.get("_id")),
    )
    minor = minor if isinstance(minor, int) else None
    withdrawn = movement["kind"] == "WITHDRAW"
    if withdrawn:
        title, why_not = f"Withdrawal from {account.fund_name}", "" if movement.get("org_wallet_ref") else STAYS
    else:
        title, minor, why_not = f"Investment in {account.fund_name}", minor and -minor, RESERVED
    return Expected(
        key=f"payment:{ref}",
        currency=account.currency,
        minor=minor,
        day=day,
        title=title,
        about=joined(
            ref,
            f"value date {horizon.day_text(day)}" if day else "",
            MOVING[str(movement["status"])],
            "at today's unit price" if withdrawn else "",
        ),
        href=horizon.url("investments_item", account.remote_id),
        why_not=why_not,
    )
