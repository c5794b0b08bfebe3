"""What a card may be used for (decisions B.7): a pure function from facts to a verdict, tested as a table.

Blocks win over allows; of several limits the most restrictive applies. Windows are days, weeks, months and years of
the business's time zone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from service.cards.schemas_shapes import CheckShape, ControlsShape, LimitControls


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
    """An earlier use that was allowed, and what of it was given back."""

    amount_minor: int
    mcc: str
    at: datetime
    refunded_minor: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a use, and whether the use passed it."""

    name: str
    passed: bool
    code: str = ""

    def as_dict(self) -> CheckShape:
        """The check as the interface tells it: its name, whether it passed, and the code of the refusal."""
        return {"check": self.name, "passed": self.passed, "code": self.code}


@dataclass(frozen=True, slots=True)
class LimitState:
    """A limit over time as it stands at a moment; `start` is None for one that never begins anew."""

    interval: str
    amount_minor: int
    spent_minor: int
    mcc: tuple[str, ...]
    start: datetime | None

    @property
    def remaining_minor(self) -> int:
        """What may still be spent; never below nothing."""
        return max(0, self.amount_minor - self.spent_minor)


INTERVALS = ("PER_DAY", "PER_WEEK", "PER_MONTH", "PER_YEAR", "ALL_TIME")
EVER = datetime.min.replace(tzinfo=UTC)


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


def controls_in_force(controls: ControlsShape, at: datetime) -> ControlsShape:
    """The controls as they are at a moment: a temporary rise counts until its time is over, then falls back by itself."""
    rise = controls.get("temporary")
    if not rise or at >= datetime.fromisoformat(rise["until"]):
        return controls
    raised = controls.copy()
    if rise.get("per_transaction_limit") is not None:
        raised["per_transaction_limit"] = rise["per_transaction_limit"]
    if rise.get("limits"):
        instead = {limit_key(limit): limit for limit in rise["limits"]}
        raised["limits"] = [instead.get(limit_key(limit), limit) for limit in controls.get("limits") or []]
    return raised


def limit_key(limit_controls: LimitControls) -> tuple[str, tuple[str, ...]]:
    """What is different between any two limits of a card: the interval and the merchant codes it is about."""
    return limit_controls["interval"], tuple(sorted(limit_controls.get("mcc") or []))


def earliest_relevant(controls: ControlsShape, at: datetime, zone: ZoneInfo) -> datetime | None:
    """The earliest moment from which earlier uses matter; EVER for all of them, None for none at all."""
    starts = [window_start(limit["interval"], at, zone) or EVER for limit in controls.get("limits") or []]
    starts += [at - span for _, span, _ in _counts(controls)]
    if controls.get("single_use"):
        starts.append(EVER)
    return min(starts, default=None)


def lines(controls: ControlsShape, past: Iterable[Past], at: datetime, zone: ZoneInfo) -> list[LimitState]:
    """Each limit over time with what was spent of it in the window that `at` lies in."""
    earlier, counted = list(past), []
    for limit in controls.get("limits") or []:
        mccs = tuple(limit.get("mcc") or ())
        start = window_start(limit["interval"], at, zone)
        within = [use for use in earlier if (start is None or use.at >= start) and (not mccs or use.mcc in mccs)]
        spent = sum(use.amount_minor for use in within)
        if limit.get("counts_refunds"):
            spent -= sum(use.refunded_minor for use in within)
        counted.append(LimitState(limit["interval"], limit["amount"], spent, mccs, start))
    return counted


def check_controls(
    controls: ControlsShape, use: Use, past: Iterable[Past], zone: ZoneInfo, *, receipt_overdue: bool = False
) -> list[Check]:
    """Every check in the order of the decision; the first that failed is the reason."""
    earlier, now = list(past), controls_in_force(controls, use.at)
    return [
        _listed("mcc", use.mcc, now.get("mcc_blocked"), now.get("mcc_allowed"), "mcc_blocked"),
        _merchant(now, use),
        _listed(
            "countries", use.country, now.get("countries_blocked"), now.get("countries_allowed"), "country_blocked"
        ),
        _channel(now, use),
        _per_transaction(now, use),
        *_limits(now, use, earlier, zone),
        *_velocity(now, use, earlier),
        _single_use(now, use, earlier),
        _active_window(now, use, zone),
        _auto_lock(now, use, zone),
        *_receipts(now, overdue=receipt_overdue),
    ]


def _check(name: str, passed: bool, code: str) -> Check:
    return Check(name, passed, "" if passed else code)


def _listed(name: str, value: str, blocked: Sequence[str] | None, allowed: Sequence[str] | None, code: str) -> Check:
    blocked, allowed = blocked or [], allowed or []
    return _check(name, value not in blocked and (not allowed or value in allowed), code)


def _merchant(controls: ControlsShape, use: Use) -> Check:
    names = {use.merchant_id.casefold(), _normal(use.merchant)} - {""}
    blocked = {_normal(merchant) for merchant in controls.get("merchants_blocked") or []}
    allowed = {_normal(merchant) for merchant in controls.get("merchants_allowed") or []}
    return _check("merchant", not names & blocked and (not allowed or bool(names & allowed)), "merchant_blocked")


def _normal(name: str) -> str:
    return " ".join(name.casefold().split())


def _channel(controls: ControlsShape, use: Use) -> Check:
    allowed = controls.get("channels_allowed") or []
    return _check("channel", not allowed or use.channel in allowed, "channel_blocked")


def _per_transaction(controls: ControlsShape, use: Use) -> Check:
    limit = controls.get("per_transaction_limit")
    return _check("per_transaction_limit", limit is None or use.amount_minor <= limit, "per_transaction_limit")


def _limits(controls: ControlsShape, use: Use, past: list[Past], zone: ZoneInfo) -> list[Check]:
    return [
        _check(f"limit {line.interval}", line.spent_minor + use.amount_minor <= line.amount_minor, "interval_limit")
        for line in lines(controls, past, use.at, zone)
        if not line.mcc or use.mcc in line.mcc
    ]


def _velocity(controls: ControlsShape, use: Use, past: list[Past]) -> list[Check]:
    return [
        _check(f"max_count {name}", sum(1 for earlier in past if earlier.at > use.at - span) < most, "velocity")
        for name, span, most in _counts(controls)
    ]


def _counts(controls: ControlsShape) -> list[tuple[str, timedelta, int]]:
    """The name and the span of each count that is bounded, and how many uses it allows."""
    counts = controls.get("max_count") or {}
    spans = (("1h", timedelta(hours=1), counts.get("1h")), ("24h", timedelta(hours=24), counts.get("24h")))
    return [(name, span, most) for name, span, most in spans if most is not None]


def _single_use(controls: ControlsShape, use: Use, past: list[Past]) -> Check:
    rule = controls.get("single_use")
    if not rule:
        return Check("single_use", passed=True)
    if past:
        return Check("single_use", passed=False, code="single_use_spent")
    is_exact, amount = rule.get("comparison", "LTE") == "EQUALS", rule.get("amount")
    fits = amount is None or (use.amount_minor == amount if is_exact else use.amount_minor <= amount)
    return _check("single_use", fits, "per_transaction_limit")


def _active_window(controls: ControlsShape, use: Use, zone: ZoneInfo) -> Check:
    window = controls.get("active_window") or {}
    local_time = use.at.astimezone(zone)
    day, clock, hours = local_time.date().isoformat(), f"{local_time:%H:%M}", window.get("hours")
    first, last = window.get("from"), window.get("until")
    passed = (
        (not first or first <= day)
        and (not last or day <= last)
        and (not window.get("weekdays") or local_time.isoweekday() in window["weekdays"])
        and (not hours or _within(clock, hours["from"], hours["to"]))
    )
    return _check("active_window", passed, "policy_blocked")


def _within(clock: str, start: str, end: str) -> bool:
    """Whether a time lies in the half-open span, which may go over midnight."""
    return start <= clock < end if start <= end else clock >= start or clock < end


def _auto_lock(controls: ControlsShape, use: Use, zone: ZoneInfo) -> Check:
    day = controls.get("auto_lock_at")
    return _check("auto_lock_at", not day or use.at.astimezone(zone).date().isoformat() < day, "card_blocked")


def _receipts(controls: ControlsShape, *, overdue: bool) -> list[Check]:
    if controls.get("require_receipt_within_days") is None:
        return []
    return [_check("require_receipt_within_days", not overdue, "policy_blocked")]
