"""The words of the settings: how the copy, the connection and what waits stand."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import datetime, timedelta

from django import get_version

from dashboard.decisions.models import DecisionState

# What this is, as the changelog names it; pyproject.toml says the same.
VERSION = "0.1.0"
DECISION_WORDS = {
    DecisionState.WAITING: "Decisions to be sent",
    DecisionState.SENDING: "Decisions being sent",
    DecisionState.UNKNOWN: "Decisions, not known",
}
WRITES_IN_DOUBT = "Writes, not known"

# What each band of the copy reads (mirror/schedule.py), in the order in which people look for it.
BANDS = {
    "hot": "Expenses, today and the two days before",
    "review": "Expenses, days on which some wait",
    "warm": "Expenses, the last 35 days",
    "cold": "Expenses, all days, every seventh week each night",
    "approvals": "What waits for approval",
    "requests": "Payments and other requests that wait",
    "cards": "Cards",
    "funds": "Petty cash funds",
    "transactions": "Transactions, the newest",
    "transactions_whole": "Transactions, all",
    "bills": "Bills, the open ones",
    "bills_whole": "Bills, all",
    "payouts": "Payouts, the open ones",
    "payouts_whole": "Payouts, all",
    "vendors": "Vendors",
    "customers": "Customers",
    "subscriptions": "Subscriptions",
    "lookups": "People, teams, categories and wallets",
    "policies": "Wallet policies",
    "wallet_rights": "Wallet rights",
    "spend_policies": "Policies on spending",
    "workflows": "Workflows",
}
# A read that is due waits for its turn: late is what has been due for as long again, and some minutes.
SLACK = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class BandRow:
    """One part of the copy: what it is, when it was last read whole (None: not yet), how often it is, whether it is late."""

    label: str
    read_at: datetime | None
    every: str
    is_late: bool


def band_rows(bands: dict[str, str], periods_s: dict[str, float], now: datetime) -> list[BandRow]:
    """The parts of the copy by the times that the mirror noted, `{band: ISO time of its last whole read}`, and the seconds
    between two reads of each."""
    return [_band_row(label, bands.get(name), periods_s[name], now) for name, label in BANDS.items()]


def _band_row(label: str, noted: str | None, every_s: float, now: datetime) -> BandRow:
    read_at = datetime.fromisoformat(noted) if noted else None
    is_late = read_at is None or now - read_at > 2 * timedelta(seconds=every_s) + SLACK
    return BandRow(label, read_at, _interval(every_s), is_late)


def _interval(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 60:
        return "every minute" if minutes == 1 else f"every {minutes} minutes"
    return "every hour" if minutes == 60 else f"every {minutes // 60} hours"


def feed_text(*, has_feed: bool | None, sequence: int) -> str:
    """How news comes from the service besides webhooks."""
    if has_feed is None:
        return "not asked yet"
    return f"read up to event {sequence:,}" if has_feed else "this service has none: lists are read again instead"


def queue_text(counts: dict[str, int] | None) -> str:
    """What waits for a worker, of all businesses together, by queue; None where the queue cannot be asked."""
    if counts is None:
        return "the queue does not answer: what is due is found by the schedule once it does"
    return ", ".join(f"{count:,} in “{queue}”" for queue, count in counts.items())


def version_text(database_version: int) -> str:
    """The dashboard's version and what it runs on; PostgreSQL's as it tells it, 160004 for 16.4."""
    postgres = f"{database_version // 10_000}.{database_version % 10_000}"
    return f"Countersign {VERSION}, Django {get_version()}, Python {platform.python_version()}, PostgreSQL {postgres}"
