"""The editor of a card's controls: all its parts together, and the controls that they come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Card
from dashboard.pages.cards.forms.controls import AmountsForm, ControlsPart, FundingForm, LimitForm, RaiseForm
from dashboard.pages.cards.forms.places_and_times import WhenForm, WhereForm
from dashboard.pages.cards.presenters.controls import limit_name, whole_units
from dashboard.pages.cards.presenters.editor import read_base_controls
from dashboard.pages.cards.selectors.funding import UNLIMITED, funding_choices, is_bounded
from dashboard.schemas.cards import BUSINESS_WALLET, CardControls, LimitBody, TemporaryLimits
from dashboard.times import local
from dashboard.web.fields import Verbatim, WholeField

SPARE_ROWS, MAX_ROWS = 2, 20
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
    def of(cls, actor: Actor, card: Card, controls: CardControls) -> "Editor":
        """The editor of a card as it is: unbound forms with these controls as their initial values."""
        business, currency, name = actor.business, card.currency, card.name
        options: dict[str, Any] = {"currency": currency, "locale": business.locale}
        rise = controls.get("temporary")
        raised = {limit_name(limit): limit["amount"] for limit in (rise.get("limits") if rise else None) or []}
        rows = [_row(limit, raised.get(limit_name(limit)), currency) for limit in controls.get("limits") or []]
        rows += [{} for _ in range(SPARE_ROWS)]
        until = moment(rise.get("until")) if rise else None
        initial = {
            "raise_until": local(until, business).replace(tzinfo=None) if until else None,
            "raise_purchase": whole_units(rise.get("per_transaction_limit") if rise else None, currency),
        }
        return cls(
            business,
            FundingForm(initial={"funding": card.funding}, **_choices(actor, card), **options),
            AmountsForm(initial={"name": name} | AmountsForm.initial_of(controls, currency), **options),
            [LimitForm(initial=row, prefix=f"limit{at}", **options) for at, row in enumerate(rows)],
            RaiseForm(initial=initial, **options),
            WhereForm(initial=WhereForm.initial_of(controls, business.locale), **options),
            WhenForm(initial=WhenForm.initial_of(controls), **options),
        )

    @classmethod
    def bound(cls, actor: Actor, card: Card, data: QueryDict) -> "Editor":
        """The editor with what was typed."""
        business = actor.business
        options: dict[str, Any] = {"currency": card.currency, "locale": business.locale}
        rows = sum(1 for at in range(MAX_ROWS) if f"limit{at}-amount" in data)
        return cls(
            business,
            FundingForm(data, **_choices(actor, card), **options),
            AmountsForm(data, **options),
            [LimitForm(data, prefix=f"limit{at}", **options) for at in range(rows)],
            RaiseForm(data, **options),
            WhereForm(data, **options),
            WhenForm(data, **options),
        )

    @property
    def parts(self) -> Iterator[ControlsPart]:
        """Every form, in the order of the page."""
        yield from (self.amounts, self.funding, *self.limits, self.rise, self.where, self.when)

    def is_valid(self) -> bool:
        """Whether every part is valid, and they are together; the first field that is not gets the focus."""
        parts_valid = [part.is_valid() for part in self.parts]
        is_valid = all(parts_valid) and self._rises() and self._limits_differ() and self._bounds()
        if not is_valid:
            self.focus()
        return is_valid

    def focus(self) -> None:
        """Puts the focus on the first field that something is wrong with."""
        wrong = ((part, name) for part in self.parts for name in part.errors if name in part.fields)
        if (first := next(wrong, None)) is not None:
            first[0].fields[first[1]].widget.attrs["autofocus"] = True

    @property
    def problems(self) -> list[str]:
        """What is wrong, a sentence for each error with the label of its field."""
        return [
            f"{part.fields[name].label}: {error}" if name in part.fields else str(error)
            for part in self.parts
            for name, errors in part.errors.items()
            for error in errors
        ]

    def controls(self) -> CardControls:
        """The `controls` of an UPDATE_CARD body; amounts in minor units, nothing that is not set."""
        limits = [limit for row in self.limits if (limit := row.limit())]
        controls = {
            **self.amounts.controls(),
            "limits": limits,
            **self.where.controls(),
            **self.when.controls(),
            "temporary": self._rise(),
        }
        return cast(CardControls, {name: value for name, value in controls.items() if value not in (None, [], {})})

    def _rise(self) -> TemporaryLimits | None:
        until: datetime | None = self.rise.cleaned_data["raise_until"]
        if until is None:
            return None
        rise: TemporaryLimits = {"until": until.replace(tzinfo=ZoneInfo(self.business.time_zone)).isoformat()}
        if self.rise.cleaned_data["raise_purchase"]:
            rise["per_transaction_limit"] = self.rise.cleaned_data["raise_purchase"]
        if limits := [limit for row in self.limits if (limit := row.limit("raised"))]:
            rise["limits"] = limits
        return rise

    def _rises(self) -> bool:
        rise, single = self.rise.cleaned_data, self.amounts.cleaned_data["one_purchase"]
        until, higher = rise["raise_until"], rise["raise_purchase"]
        raises = higher or any(row.cleaned_data.get("raised") for row in self.limits)
        if raises and until is None:
            self.rise.add_error("raise_until", "Enter an end: the usual limits apply again afterwards.")
        elif until is not None and not raises:
            self.rise.add_error(
                "raise_until", "No limit is raised: enter a per-transaction limit, or raise a spending limit."
            )
        elif until is not None and until.replace(tzinfo=ZoneInfo(self.business.time_zone)) <= timezone.now():
            self.rise.add_error("raise_until", "This time has passed.")
        if higher and (single is None or higher <= single):
            self.rise.add_error("raise_purchase", "The card has no lower limit to raise.")
        return not self.rise.errors

    def _limits_differ(self) -> bool:
        seen = set()
        for row in self.limits:
            limit = row.limit()
            if limit and limit_name(limit) in seen:
                row.add_error("interval", "There is already a limit for this period.")
            seen.add(limit_name(limit) if limit else "")
        return not any(row.errors for row in self.limits)

    def _bounds(self) -> bool:
        """A wallet of the business is spent within a limit over time."""
        limits = [limit for row in self.limits if (limit := row.limit())]
        if self.funding.chosen() != BUSINESS_WALLET or is_bounded(limits):
            return True
        self.funding.add_error("funding", UNLIMITED)
        return False

    def add_refusal(self, rejection: Rejected | Conflict) -> None:
        """Puts a refusal of the service beside its field; without a field, above the form with the request id."""
        for problem in rejection.fields:
            words = problem.field.split(".")
            place = next((PLACES[word] for word in words if word in PLACES), "")
            form = next((part for part in self.parts if place in part.fields), self.amounts)
            form.add_error(place or None, problem.message)
        if not rejection.fields:
            reference = f" (request {rejection.request_id})" if rejection.request_id else ""
            self.amounts.add_error(None, f"{rejection.detail} {rejection.consequence}{reference}")
        self.focus()


def _choices(actor: Actor, card: Card) -> dict[str, Any]:
    return {"now": card.funding, "choices": funding_choices(actor, card.funding)}


def _row(limit: LimitBody, raised: int | None, currency: str) -> dict[str, Any]:
    return {
        "interval": limit["interval"],
        "amount": whole_units(limit["amount"], currency),
        "raised": whole_units(raised, currency),
        "codes": " ".join(limit.get("mcc") or []),
        "refunds": bool(limit.get("counts_refunds")),
    }


class EditBaseForm(forms.Form):
    """What an edit is based on: the card's version, and its funding (`stood`) and signed controls (`base`) at that version."""

    version = WholeField(required=False, widget=forms.HiddenInput)
    stood = Verbatim(required=False, max_length=20, widget=forms.HiddenInput)
    base = Verbatim(required=False, max_length=100_000, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict, card: Card) -> None:
        self.card = card
        super().__init__(data)

    def clean_base(self) -> CardControls:
        """The controls as our page had them; ValidationError for what no page of this card's editor was given."""
        controls = read_base_controls(self.cleaned_data["base"], self.card)
        if controls is None:
            raise forms.ValidationError("These are no controls of this card.", code="invalid")
        return controls
