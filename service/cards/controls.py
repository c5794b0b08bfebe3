"""What a card may be used for (decisions B.7): a pure function from facts to a verdict, tested as a table.

Blocks win over allows; of several limits the most restrictive applies. Windows are days, weeks, months and years of
the business's time zone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Use:
    """A use of the card that is to be decided on; `at` is aware, amounts are minor units."""

    amount_minor: int
    merchant: str
    merchant_id: str
    mcc: str
    country: str
    channel: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier use that was allowed."""

    amount_minor: int
    mcc: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Check:
    """One question that was asked, and whether the use passed it."""

    name: str
    passed: bool
    code: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For the interface."""
        return {"check": self.name, "passed": self.passed, "code": self.code}


INTERVALS = ("PER_DAY", "PER_WEEK", "PER_MONTH", "PER_YEAR", "ALL_TIME")


def window_start(interval: str, at: datetime, zone: ZoneInfo) -> datetime | None:
    """When the window that `at` lies in began; None for ALL_TIME."""
    day = at.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    starts = {
        "PER_DAY": day,
        "PER_WEEK": day - timedelta(days=day.weekday()),
        "PER_MONTH": day.replace(day=1),
        "PER_YEAR": day.replace(month=1, day=1),
    }
    return starts.get(interval)


def evaluate(controls: dict[str, Any], use: Use, past: Iterable[Past], zone: ZoneInfo) -> list[Check]:
    """Every check in the order of the decision; the first that failed is the reason."""
    earlier = list(past)
    return [
        _listed(controls, "mcc", use.mcc, "mcc_blocked"),
        _merchant(controls, use),
        _listed(controls, "countries", use.country, "country_blocked"),
        _channel(controls, use),
        _per_transaction(controls, use),
        *_limits(controls, use, earlier, zone),
        *_velocity(controls, use, earlier),
        _single_use(controls, use, earlier),
        _auto_lock(controls, use, zone),
    ]


def _listed(controls: dict[str, Any], name: str, value: str, code: str) -> Check:
    blocked, allowed = controls.get(f"{name}_blocked") or [], controls.get(f"{name}_allowed") or []
    passed = value not in blocked and (not allowed or value in allowed)
    return Check(name, passed, "" if passed else code)


def _merchant(controls: dict[str, Any], use: Use) -> Check:
    names = {use.merchant_id.casefold(), _normal(use.merchant)} - {""}
    blocked = {_normal(each) for each in controls.get("merchants_blocked") or []}
    allowed = {_normal(each) for each in controls.get("merchants_allowed") or []}
    passed = not names & blocked and (not allowed or bool(names & allowed))
    return Check("merchant", passed, "" if passed else "merchant_blocked")


def _normal(name: str) -> str:
    return " ".join(name.casefold().split())


def _channel(controls: dict[str, Any], use: Use) -> Check:
    allowed = controls.get("channels_allowed") or []
    passed = not allowed or use.channel in allowed
    return Check("channel", passed, "" if passed else "channel_blocked")


def _per_transaction(controls: dict[str, Any], use: Use) -> Check:
    limit = controls.get("per_transaction_limit")
    passed = limit is None or use.amount_minor <= limit
    return Check("per_transaction_limit", passed, "" if passed else "per_transaction_limit")


def _limits(controls: dict[str, Any], use: Use, past: list[Past], zone: ZoneInfo) -> list[Check]:
    checks = []
    for limit in controls.get("limits") or []:
        mccs = limit.get("mcc") or []
        if mccs and use.mcc not in mccs:
            continue
        start = window_start(limit["interval"], use.at, zone)
        within = [each for each in past if start is None or each.at >= start]
        spent = sum(each.amount_minor for each in within if not mccs or each.mcc in mccs)
        passed = spent + use.amount_minor <= limit["amount"]
        checks.append(Check(f"limit {limit['interval']}", passed, "" if passed else "interval_limit"))
    return checks


def _velocity(controls: dict[str, Any], use: Use, past: list[Past]) -> list[Check]:
    counts = controls.get("max_count") or {}
    checks = []
    for name, span in (("1h", timedelta(hours=1)), ("24h", timedelta(hours=24))):
        if counts.get(name) is not None:
            recent = sum(1 for each in past if each.at > use.at - span)
            passed = recent < counts[name]
            checks.append(Check(f"max_count {name}", passed, "" if passed else "velocity"))
    return checks


def _single_use(controls: dict[str, Any], use: Use, past: list[Past]) -> Check:
    rule = controls.get("single_use")
    if not rule:
        return Check("single_use", passed=True)
    if past:
        return Check("single_use", passed=False, code="single_use_spent")
    same, amount = rule.get("comparison", "LTE") == "EQUALS", rule.get("amount")
    fits = amount is None or (use.amount_minor == amount if same else use.amount_minor <= amount)
    return Check("single_use", fits, "" if fits else "per_transaction_limit")


def _auto_lock(controls: dict[str, Any], use: Use, zone: ZoneInfo) -> Check:
    day = controls.get("auto_lock_at")
    passed = not day or use.at.astimezone(zone).date().isoformat() < day
    return Check("auto_lock_at", passed, "" if passed else "card_blocked")
