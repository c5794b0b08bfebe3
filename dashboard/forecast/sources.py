"""Everything that the copy knows of money to come: payments, subscriptions with their repeats, withdrawals of funds."""

from collections.abc import Iterator
from typing import Any

from dashboard.forecast.days import Expected
from dashboard.forecast.look import MOST, RESERVED, Look, joined
from dashboard.forecast.payments import payments_of
from dashboard.forecast.repeats import charge_days, frequency_of, repeats
from dashboard.mirror.mappers.vendors import NEVER
from dashboard.mirror.models import FundAccount, Subscription
from dashboard.mirror.scopes import visible_fund_accounts, visible_subscriptions

# Of a fund's movement that has not come to its end.
MOVING = {"PENDING_APPROVAL": "waits for approval", "REQUESTED": "asked for", "PROCESSING": "with the fund's manager"}
STAYS = "It goes to the fund account's own wallet, which is not among those that the forecast begins with."


def expected_of(look: Look) -> tuple[list[Expected], bool]:
    """All that is expected, each once, and whether there is more than is looked at."""
    found, more = payments_of(look)
    active = visible_subscriptions(look.actor).filter(status="ACTIVE").order_by("next_charge_at", "pk")
    rows = list(active[:MOST])
    found += [one for row in rows for one in _charges(look, row)]
    found += [one for account in visible_fund_accounts(look.actor).order_by("pk") for one in _movements(look, account)]
    return found, more or len(rows) == MOST


def _charges(look: Look, row: Subscription) -> Iterator[Expected]:
    known = row.next_charge_at.year != NEVER.year
    last_on, next_on = look.day_of(row.payload, "last_charge_at"), look.on(row.next_charge_at) if known else None
    often = repeats(row.billing_frequency)
    said = joined(
        "Subscription",
        frequency_of(row.billing_frequency) if row.billing_frequency else "",
        f"paid to {row.vendor}" if row.vendor and row.vendor != row.name else "",
        f"last charged on {look.said(last_on)}" if last_on else "not charged yet",
        "" if often else "when it comes again is not known",
    )
    until = look.last
    days = charge_days(row.billing_frequency, last_on, next_on, look.first, until) if next_on else iter((None,))
    for day in days:
        yield Expected(
            key=f"subscription:{row.remote_id}:{day}",
            currency=row.currency,
            minor=-row.amount_minor if row.amount_minor else None,
            day=day,
            title=row.name,
            said=said if day == next_on or day is None else joined(said, "and again on this day"),
            href=look.page("subscriptions_item", row.remote_id),
        )


def _movements(look: Look, account: FundAccount) -> Iterator[Expected]:
    for one in account.payload.get("movements") or []:
        if not isinstance(one, dict) or one.get("status") not in MOVING:
            continue
        # An investment out of the fund account's own wallet touches none of ours.
        if one.get("kind") == "WITHDRAW" or (one.get("kind") == "INVEST" and one.get("org_wallet_ref")):
            yield _movement(look, account, one)


def _movement(look: Look, account: FundAccount, one: dict[str, Any]) -> Expected:
    day, minor, ref = look.day_of(one, "value_date"), one.get("amount_minor"), str(one.get("ref") or one.get("_id"))
    minor = minor if isinstance(minor, int) else None
    withdrawn = one["kind"] == "WITHDRAW"
    if withdrawn:
        title, why_not = f"Withdrawal from {account.fund_name}", "" if one.get("org_wallet_ref") else STAYS
    else:
        title, minor, why_not = f"Investment in {account.fund_name}", minor and -minor, RESERVED
    return Expected(
        key=f"payment:{ref}",
        currency=account.currency,
        minor=minor,
        day=day,
        title=title,
        said=joined(
            ref,
            f"value date {look.said(day)}" if day else "",
            MOVING[str(one["status"])],
            "as much as its units are worth today" if withdrawn else "",
        ),
        href=look.page("investments_item", account.remote_id),
        why_not=why_not,
    )
