"""All parts of the editor together: read from a form, begun with what stands, and put together to the controls that are sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Card
from dashboard.pages.cards.fields import whole_units
from dashboard.pages.cards.forms import AmountsForm, FundingForm, LimitForm, Part, RaiseForm, WhenForm, WhereForm
from dashboard.pages.cards.funding import UNLIMITED, choices_for, is_bounded
from dashboard.pages.cards.presenters import Controls, limit_name
from dashboard.schemas.cards import BUSINESS_WALLET
from dashboard.times import local
from dashboard.web.fields import Verbatim, WholeField

SPARE_ROWS, MOST_ROWS = 2, 20
# Where the service says that something of the controls is wrong, and which field of ours that is.
PLACES = {
    "name": "name", "funding": "funding", "per_transaction_limit": "one_purchase", "max_count": "hour_count", "single_use": "single_amount",
    "mcc_allowed": "mcc_codes", "mcc_blocked": "mcc_codes", "merchants_allowed": "merchants_only",
    "merchants_blocked": "merchants_never", "countries_allowed": "countries_only", "channels_allowed": "channels",
    "countries_blocked": "countries_never", "active_window": "from_day", "auto_lock_at": "last_day",
    "require_receipt_within_days": "receipt_days", "temporary": "raise_until",
}  # fmt: skip


@dataclass
class Editor:
    """The parts of the editor of one card's controls."""

    business: Business
    funding: FundingForm
    amounts: AmountsForm
    limits: list[LimitForm]
    rise: RaiseForm
    where: WhereForm
    when: WhenForm

    @classmethod
    def begin(cls, actor: Actor, card: Card, controls: Controls) -> "Editor":
        """With what stands."""
        business, currency, name = actor.business, card.currency, card.name
        told: dict[str, Any] = {"currency": currency, "locale": business.locale}
        rise = controls.get("temporary") or {}
        raised = {limit_name(limit): limit["amount"] for limit in rise.get("limits") or []}
        rows = [_row(limit, raised.get(limit_name(limit)), currency) for limit in controls.get("limits") or []]
        rows += [{} for _ in range(SPARE_ROWS)]
        until = moment(rise.get("until"))
        begun = {
            "raise_until": local(until, business).replace(tzinfo=None) if until else None,
            "raise_purchase": whole_units(rise.get("per_transaction_limit"), currency),
        }
        return cls(
            business,
            FundingForm(initial={"funding": card.funding}, **_choices(actor, card), **told),
            AmountsForm(initial={"name": name} | AmountsForm.of(controls, currency), **told),
            [LimitForm(initial=row, prefix=f"limit{at}", **told) for at, row in enumerate(rows)],
            RaiseForm(initial=begun, **told),
            WhereForm(initial=WhereForm.of(controls, business.locale), **told),
            WhenForm(initial=WhenForm.of(controls), **told),
        )

    @classmethod
    def read(cls, actor: Actor, card: Card, given: QueryDict) -> "Editor":
        """What was typed."""
        business = actor.business
        told: dict[str, Any] = {"currency": card.currency, "locale": business.locale}
        rows = sum(1 for at in range(MOST_ROWS) if f"limit{at}-amount" in given)
        return cls(
            business,
            FundingForm(given, **_choices(actor, card), **told),
            AmountsForm(given, **told),
            [LimitForm(given, prefix=f"limit{at}", **told) for at in range(rows)],
            RaiseForm(given, **told),
            WhereForm(given, **told),
            WhenForm(given, **told),
        )

    @property
    def parts(self) -> Iterator[Part]:
        """Every form, in the order of the page."""
        yield from (self.amounts, self.funding, *self.limits, self.rise, self.where, self.when)

    def is_valid(self) -> bool:
        """Whether every part is; the first field that is not gets the focus."""
        found = [part.is_valid() for part in self.parts]
        whole = all(found) and self._rises() and self._limits_differ() and self._bounds()
        if not whole:
            self.focus()
        return whole

    def focus(self) -> None:
        """Puts the focus on the first field that something is wrong with."""
        wrong = ((part, name) for part in self.parts for name in part.errors if name in part.fields)
        if (first := next(wrong, None)) is not None:
            first[0].fields[first[1]].widget.attrs["autofocus"] = True

    @property
    def problems(self) -> list[str]:
        """What is wrong, each with the name of its field."""
        return [
            f"{part.fields[name].label}: {error}" if name in part.fields else str(error)
            for part in self.parts
            for name, errors in part.errors.items()
            for error in errors
        ]

    def controls(self) -> dict[str, Any]:
        """The controls as they are sent: nothing that is not set."""
        limits = [limit for row in self.limits if (limit := row.limit())]
        found = {
            **self.amounts.controls(),
            "limits": limits,
            **self.where.controls(),
            **self.when.controls(),
            "temporary": self._rise(),
        }
        return {name: value for name, value in found.items() if value not in (None, [], {})}

    def _rise(self) -> dict[str, Any] | None:
        until: datetime | None = self.rise.cleaned_data["raise_until"]
        if until is None:
            return None
        rise: dict[str, Any] = {"until": until.replace(tzinfo=ZoneInfo(self.business.time_zone)).isoformat()}
        if self.rise.cleaned_data["raise_purchase"]:
            rise["per_transaction_limit"] = self.rise.cleaned_data["raise_purchase"]
        if limits := [limit for row in self.limits if (limit := row.limit("raised"))]:
            rise["limits"] = limits
        return rise

    def _rises(self) -> bool:
        found, single = self.rise.cleaned_data, self.amounts.cleaned_data["one_purchase"]
        until, higher = found["raise_until"], found["raise_purchase"]
        raises = higher or any(row.cleaned_data.get("raised") for row in self.limits)
        if raises and until is None:
            self.rise.add_error("raise_until", "Say until when: then the limits fall back by themselves.")
        elif until is not None and not raises:
            self.rise.add_error("raise_until", "Nothing is raised: say what one purchase may cost, or raise a limit.")
        elif until is not None and until.replace(tzinfo=ZoneInfo(self.business.time_zone)) <= timezone.now():
            self.rise.add_error("raise_until", "That moment is over.")
        if higher and (single is None or higher <= single):
            self.rise.add_error("raise_purchase", "This raises no limit of the card: it has none, or not a lower one.")
        return not self.rise.errors

    def _limits_differ(self) -> bool:
        seen = set()
        for row in self.limits:
            limit = row.limit()
            if limit and limit_name(limit) in seen:
                row.add_error("interval", "There is a limit for this window already.")
            seen.add(limit_name(limit) if limit else "")
        return not any(row.errors for row in self.limits)

    def _bounds(self) -> bool:
        """A wallet of the business is spent within a limit over time."""
        limits = [limit for row in self.limits if (limit := row.limit())]
        if self.funding.chosen() != BUSINESS_WALLET or is_bounded(limits):
            return True
        self.funding.add_error("funding", UNLIMITED)
        return False

    def add_refusal(self, refused: Rejected | Conflict) -> None:
        """Says beside its field what the service refused; without a field, above the form with the request id."""
        for problem in refused.fields:
            words = problem.field.split(".")
            place = next((PLACES[word] for word in words if word in PLACES), "")
            form = next((part for part in self.parts if place in part.fields), self.amounts)
            form.add_error(place or None, problem.message)
        if not refused.fields:
            asked = f" (request {refused.request_id})" if refused.request_id else ""
            self.amounts.add_error(None, f"{refused.detail} {refused.consequence}{asked}")
        self.focus()


def _choices(actor: Actor, card: Card) -> dict[str, Any]:
    return {"now": card.funding, "choices": choices_for(actor, card.funding)}


def _row(limit: Mapping[str, Any], raised: int | None, currency: str) -> dict[str, Any]:
    return {
        "interval": limit["interval"],
        "amount": whole_units(limit["amount"], currency),
        "raised": whole_units(raised, currency),
        "codes": " ".join(limit.get("mcc") or []),
        "refunds": bool(limit.get("counts_refunds")),
    }


class StandingForm(forms.Form):
    """What the editor was opened on: the card's version, and its funding and controls as they were."""

    version = WholeField(required=False, widget=forms.HiddenInput)
    stood = Verbatim(required=False, max_length=20, widget=forms.HiddenInput)
    base = forms.JSONField(required=False, widget=forms.HiddenInput)
