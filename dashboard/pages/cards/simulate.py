"""“What would happen to a purchase of … at …”: asked of the service, as the card is and as it would be, nothing changed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from pydantic import ValidationError

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.reads import Err, Ok, Read, read_together
from dashboard.errors import BadAnswer, FinanceError
from dashboard.mirror.models import Card
from dashboard.money import text, to_minor
from dashboard.pages.cards.codes import CHANNELS, INTERVALS, MERCHANT_KINDS, countries
from dashboard.pages.cards.fields import CodesField
from dashboard.pages.cards.forms import Part
from dashboard.pages.cards.presenters import Controls, ControlsPresenter
from dashboard.schemas.cards import Check, Tried
from dashboard.web.card_text import QUESTIONS, why
from dashboard.web.fields import AmountField, MomentField, Name

TRY_S = 3.0


class TrialForm(Part):
    """An example purchase."""

    prefix = "try"
    amount = AmountField(min_value=0, max_digits=18, required=False, label="A purchase of")
    merchant = Name(max_length=100, required=False, label="at")
    sells = forms.ChoiceField(
        choices=[("", "any kind"), *((name, label) for name, (label, _) in MERCHANT_KINDS.items()), ("code", "by its code")],
        required=False,
        label="which sells",
    )  # fmt: skip
    code = CodesField(label="Code")
    country = forms.ChoiceField(required=False, label="in")
    channel = forms.ChoiceField(choices=list(CHANNELS.items()), required=False, label="paid")
    at = MomentField(required=False, label="on", help_text="Empty: now.")

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        names = countries(self.locale)
        self.fields["country"].choices = sorted(names.items(), key=lambda one: one[1])  # type: ignore[attr-defined]
        self.fields["amount"].label = f"A purchase of, {self.currency}"
        self.fields["at"].label = "on (the business's clock)"

    def purchase(self, card: Card, zone: str) -> dict[str, Any] | None:
        """The purchase as it is sent; None where there is no amount to try."""
        found = self.cleaned_data
        if not found.get("amount"):
            return None
        codes = found["code"] if found["sells"] == "code" else sorted(MERCHANT_KINDS.get(found["sells"], ("", []))[1])
        at: datetime | None = found["at"]
        return {
            "card_id": card.remote_id,
            "amount": found["amount"],
            "merchant": found["merchant"] or "A merchant",
            "mcc": codes[0] if codes else None,
            "country": found["country"] or self.locale[-2:],
            "channel": found["channel"] or "CARD_PRESENT",
            "at": at.replace(tzinfo=ZoneInfo(zone)).isoformat() if at else None,
        }


@dataclass(frozen=True)
class Draft:
    """What somebody is about to give a card: its controls, and another funding where that changes."""

    controls: Controls
    funding: str = ""


@dataclass(frozen=True)
class Verdict:
    """What would happen: whether it goes through, and the rule that decides with what it says."""

    passes: bool
    sentence: str
    rule: str
    asked: list[tuple[str, bool]]


@dataclass(frozen=True)
class Trial:
    """The example under the controls as they stand, and as they would be where that differs; or why it was not asked."""

    before: Verdict | None = None
    after: Verdict | None = None
    failed: str = ""
    request_id: str = ""


def try_purchase(actor: Actor, card: Card, purchase: dict[str, Any], draft: Draft | None, stands: Controls) -> Trial:
    """Asks what would happen; `draft` is what the card would be given."""
    asks = {"before": purchase}
    if draft is not None:
        asks["after"] = purchase | {"controls": dict(draft.controls), "funding": draft.funding or None}
    try:
        results = read_together(actor, {name: _read(card, body) for name, body in asks.items()})
        under = {"before": stands, "after": draft.controls if draft else {}}
        verdicts = {name: _verdict(actor, card, result, under[name]) for name, result in results.items()}
    except FinanceError as error:
        said = " ".join(problem.message for problem in error.fields) or error.detail
        return Trial(failed=said, request_id=error.request_id)
    return Trial(verdicts.get("before"), verdicts.get("after"))


def _read(card: Card, body: dict[str, Any]) -> Read:
    return Read(operations_extra.TRY_PURCHASE, body=body, subject=card, deadline=TRY_S)


def _verdict(actor: Actor, card: Card, result: Ok | Err, controls: Controls) -> Verdict:
    if isinstance(result, Err):
        raise result.error
    try:
        found = Tried.model_validate(result.answer.data)
    except ValidationError:
        raise BadAnswer(code="unreadable") from None
    decided = next((one for one in found.checks if not one.passed), None)
    asked = [(question(one.check), one.passed) for one in found.checks]
    if found.approved or decided is None:
        return Verdict(True, "It would go through.", "", asked)
    happened, _ = why(found.code, decided.check, found.reason)
    if found.remaining is not None:
        left = text(to_minor(found.remaining, card.currency), card.currency, actor.business.locale)
        happened = f"{happened} {left} is left."
    return Verdict(False, happened, _rule(actor, card, decided, controls), asked)


def question(name: str) -> str:
    """The name of a check in words."""
    if name.startswith("limit "):
        return INTERVALS.get(name.removeprefix("limit "), name)
    return QUESTIONS.get(name, name.replace("_", " ").capitalize())


def _rule(actor: Actor, card: Card, decided: Check, controls: Controls) -> str:
    """The rule by its name, with what it says where it is one of the card's own."""
    told = ControlsPresenter(actor.business, card.currency).texts(controls)
    own = [said for name, said in told.items() if name == decided.check or name.startswith(f"{decided.check} ")]
    if decided.check in ("per_transaction_limit", *(f"limit {one}" for one in INTERVALS)) and "temporary" in told:
        own.append(told["temporary"])
    if not own:
        return question(decided.check)
    return "; ".join(f"{said.label}: {said.text}" for said in own)


def example_of(card: Card, given: dict[str, str]) -> dict[str, Any]:
    """What the example begins with: what an address names, such as a purchase that was declined."""
    kinds = {code: name for name, (_, own) in MERCHANT_KINDS.items() for code in own}
    mcc = given.get("mcc", "")
    return {
        "amount": given.get("amount", ""),
        "merchant": given.get("merchant", "")[:100],
        "sells": kinds.get(mcc, "code" if mcc else ""),
        "code": mcc if mcc and mcc not in kinds else "",
        "country": given.get("country", ""),
        "channel": given.get("channel", "CARD_PRESENT"),
    }
