"""A card's controls as sentences, and two sets of controls as what differs between them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import cast

from django.utils import timezone

from dashboard.access.models import Business
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Card
from dashboard.money import exponent, text
from dashboard.pages.cards.presenters.codes import (
    CHANNELS,
    LIMIT_INTERVALS,
    WEEKDAYS,
    countries,
    listed_words,
    named_kinds,
)
from dashboard.schemas.cards import CardControls, LimitBody
from dashboard.times import day_and_time
from dashboard.web.card_text import FUNDINGS

NONE = "not limited"


@dataclass(frozen=True, slots=True)
class ControlText:
    """One control: what it is about, and what it says."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class ControlChange:
    """A control that differs: what it said before and what it says after."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ControlsPresenter:
    """Says controls in the words of a business: its locale, its clock, the card's currency."""

    business: Business
    currency: str

    def texts(self, controls: CardControls) -> dict[str, ControlText]:
        """The controls that are set, each by a name that stays the same, in the order of the editor."""
        texts = {
            "per_transaction_limit": self._single(controls),
            **self._limits(controls),
            "max_count 1h": self._count(controls, "1h", "per hour"),
            "max_count 24h": self._count(controls, "24h", "per 24 hours"),
            "single_use": self._once(controls),
            "mcc": self._lists(
                "Merchant categories", controls.get("mcc_allowed"), controls.get("mcc_blocked"), named_kinds, "for"
            ),
            "merchant": self._lists(
                "Merchants", controls.get("merchants_allowed"), controls.get("merchants_blocked"), listed_words, "at"
            ),
            "countries": self._lists(
                "Countries", controls.get("countries_allowed"), controls.get("countries_blocked"), self._countries, "in"
            ),
            "channel": self._channels(controls),
            "active_window": self._window(controls),
            "auto_lock_at": self._lock(controls),
            "require_receipt_within_days": self._receipts(controls),
            "temporary": self._rise(controls),
        }
        return {name: control for name, control in texts.items() if control}

    def changes(self, before: CardControls, after: CardControls) -> list[ControlChange]:
        """The controls that differ, each as it was and as it would be; "not limited" where it is not set."""
        old, new = self.texts(before), self.texts(after)
        names = [*new, *(name for name in old if name not in new)]
        return [
            ControlChange((new.get(name) or old[name]).label, _text(old, name), _text(new, name))
            for name in names
            if _text(old, name) != _text(new, name)
        ]

    def amount(self, minor: int) -> str:
        """Minor units of the card's currency as text."""
        return text(minor, self.currency, self.business.locale)

    def _single(self, controls: CardControls) -> ControlText | None:
        limit = controls.get("per_transaction_limit")
        return None if limit is None else ControlText("Per-transaction limit", f"at most {self.amount(limit)}")

    def _limits(self, controls: CardControls) -> dict[str, ControlText]:
        return {
            limit_name(limit): ControlText(
                LIMIT_INTERVALS.get(limit["interval"], limit["interval"]), self._limit(limit)
            )
            for limit in controls.get("limits") or []
        }

    def _limit(self, limit: LimitBody) -> str:
        on = f" for {named_kinds(list(limit['mcc']))}" if limit.get("mcc") else ""
        back = ", refunds give back" if limit.get("counts_refunds") else ""
        return f"at most {self.amount(limit['amount'])}{on}{back}"

    def _count(self, controls: CardControls, span: str, words: str) -> ControlText | None:
        most = (controls.get("max_count") or {}).get(span)
        return None if most is None else ControlText(f"Transactions {words}", f"at most {most}")

    def _once(self, controls: CardControls) -> ControlText | None:
        rule = controls.get("single_use")
        if not rule:
            return None
        if rule.get("amount") is None:
            return ControlText("Single use", "one purchase, then the card closes")
        how = "exactly" if rule.get("comparison") == "EQUALS" else "at most"
        return ControlText("Single use", f"one purchase of {how} {self.amount(rule['amount'])}, then the card closes")

    def _lists(
        self,
        label: str,
        allowed: list[str] | None,
        blocked: list[str] | None,
        list_text: Callable[[list[str]], str],
        word: str,
    ) -> ControlText | None:
        parts = [f"{how} {word} {list_text(codes)}" for how, codes in (("only", allowed), ("never", blocked)) if codes]
        return ControlText(label, "; ".join(parts)) if parts else None

    def _countries(self, codes: list[str]) -> str:
        names = countries(self.business.locale)
        return listed_words([names.get(code, code) for code in codes])

    def _channels(self, controls: CardControls) -> ControlText | None:
        allowed = controls.get("channels_allowed")
        return (
            ControlText("Channels", f"only {listed_words([CHANNELS.get(channel, channel) for channel in allowed])}")
            if allowed
            else None
        )

    def _window(self, controls: CardControls) -> ControlText | None:
        window = controls.get("active_window") or {}
        hours, days = window.get("hours"), window.get("weekdays")
        parts = [
            f"from {_day(window['from'])}" if window.get("from") else "",
            f"until {_day(window['until'])}" if window.get("until") else "",
            f"on {_weekdays(days)}" if days else "",
            f"{hours['from']}–{hours['to']} ({self.business.time_zone})" if hours else "",
        ]
        when = ", ".join(part for part in parts if part)
        return ControlText("Schedule", f"only {when}") if when else None

    def _lock(self, controls: CardControls) -> ControlText | None:
        day = controls.get("auto_lock_at")
        return ControlText("Auto-lock date", f"locked from {_day(day)} on") if day else None

    def _receipts(self, controls: CardControls) -> ControlText | None:
        days = controls.get("require_receipt_within_days")
        if days is None:
            return None
        return ControlText("Receipts", f"within {days} day{'' if days == 1 else 's'}, else purchases are declined")

    def _rise(self, controls: CardControls) -> ControlText | None:
        rise = controls.get("temporary")
        until = moment(rise.get("until")) if rise else None
        if not rise or until is None:
            return None
        single, standing = rise.get("per_transaction_limit"), self._limits(controls)
        parts = []
        if single is not None:
            back = self.amount(controls.get("per_transaction_limit") or 0)
            parts.append(f"per transaction {self.amount(single)}, then back to {back}")
        for limit in rise.get("limits") or []:
            label = LIMIT_INTERVALS.get(limit["interval"], limit["interval"]).lower()
            before = standing.get(limit_name(limit))
            back = before.text.removeprefix("at most ") if before else NONE
            parts.append(f"{label} {self.amount(limit['amount'])}, then back to {back}")
        return ControlText("Raised", f"until {day_and_time(until, self.business)}: {'; '.join(parts)}")


def whole_units(minor: int | None, currency: str) -> Decimal | None:
    """Minor units as the initial value of an AmountField, in whole units: 1250 or 1250.50; None for None."""
    if minor is None:
        return None
    value = Decimal(minor).scaleb(-exponent(currency))
    return value if value != value.to_integral_value() else Decimal(int(value))


def funding_change(before: str, after: str) -> ControlChange:
    """The change from one funding to another, by their codes."""
    return ControlChange("Funding source", FUNDINGS.get(before, before), FUNDINGS.get(after, after))


def limit_name(limit: LimitBody) -> str:
    """A name for a limit over time, the same for the same window and codes of merchants."""
    return " ".join(["limit", str(limit["interval"]), *sorted(limit.get("mcc") or [])])


def rise_of(controls: CardControls, now: datetime) -> datetime | None:
    """Until when limits are raised; None where they are not, or not any more."""
    rise = controls.get("temporary")
    until = moment(rise.get("until")) if rise else None
    return until if until and until > now else None


def standing(controls: CardControls) -> CardControls:
    """The controls without a rise that is over: it holds no more, and goes with the next change."""
    current = cast(CardControls, dict(controls))
    rise = current.get("temporary")
    until = moment(rise.get("until")) if rise else None
    if until is not None and until <= timezone.now():
        del current["temporary"]
    return current


def current_controls(card: Card) -> CardControls:
    """The controls of a card as the copy has them, without a rise that is over."""
    return standing(cast(CardControls, card.payload.get("controls") or {}))


def _text(texts: dict[str, ControlText], name: str) -> str:
    return texts[name].text if name in texts else NONE


def _day(value: str) -> str:
    day = date.fromisoformat(value)
    return f"{day.day} {day:%b %Y}"


def _weekdays(days: list[int]) -> str:
    ordered = sorted(days)
    if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"{WEEKDAYS[ordered[0]]}–{WEEKDAYS[ordered[-1]]}"
    return listed_words([WEEKDAYS[day] for day in ordered])
