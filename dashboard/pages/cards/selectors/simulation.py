"""What would happen to a purchase with a card as it is and as it would be: read from the service, nothing changes."""

from dataclasses import dataclass

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import Err, Ok, ReadCall, read_together
from dashboard.errors import FinanceError
from dashboard.mirror.models import Card
from dashboard.money import text, to_minor
from dashboard.pages.cards.presenters.codes import LIMIT_INTERVALS
from dashboard.pages.cards.presenters.controls import ControlsPresenter
from dashboard.schemas.card_bodies import PurchaseBody
from dashboard.schemas.cards import CardControls, Check, SimulatedPurchase
from dashboard.web.card_text import QUESTIONS, decline_text

SIMULATION_S = 3.0


@dataclass(frozen=True, slots=True)
class ControlsDraft:
    """What somebody is about to give a card: its controls, and another funding where that changes."""

    controls: CardControls
    funding: str = ""


@dataclass(frozen=True, slots=True)
class PurchaseResult:
    """What would happen to a purchase: whether it goes through, a sentence, and the rule that declines it, "" for none."""

    passes: bool
    sentence: str
    rule: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """A purchase under the controls as they are, and as they would be where that differs; or in `failed` why it could not
    be simulated."""

    before: PurchaseResult | None = None
    after: PurchaseResult | None = None
    failed: str = ""
    request_id: str = ""


def simulate_purchase(
    actor: Actor,
    card: Card,
    purchase: PurchaseBody,
    controls_draft: ControlsDraft | None,
    current_controls: CardControls,
) -> Simulation:
    """What would happen to the purchase under the current controls, and under those of the draft."""
    bodies = {"before": purchase}
    if controls_draft is not None:
        bodies["after"] = {**purchase, "controls": controls_draft.controls, "funding": controls_draft.funding or None}
    try:
        results = read_together(actor, {name: _read(card, body) for name, body in bodies.items()})
        controls: dict[str, CardControls] = {
            "before": current_controls,
            "after": controls_draft.controls if controls_draft else {},
        }
        outcomes = {name: _result(actor, card, result, controls[name]) for name, result in results.items()}
    except FinanceError as error:
        failed = " ".join(problem.message for problem in error.fields) or error.detail
        return Simulation(failed=failed, request_id=error.request_id)
    return Simulation(outcomes.get("before"), outcomes.get("after"))


def _read(card: Card, body: PurchaseBody) -> ReadCall:
    return ReadCall(operations_extra.TRY_PURCHASE, body=body, subject=card, deadline=SIMULATION_S)


def _result(actor: Actor, card: Card, read_result: Ok | Err, controls: CardControls) -> PurchaseResult:
    if isinstance(read_result, Err):
        raise read_result.error
    outcome = parsed(read_result.answer.data, SimulatedPurchase)
    declining = next((check for check in outcome.checks if not check.passed), None)
    if outcome.approved or declining is None:
        return PurchaseResult(True, "It would be approved.", "")
    happened, _ = decline_text(outcome.code, declining.check, outcome.reason)
    if outcome.remaining is not None:
        left = text(to_minor(outcome.remaining, card.currency), card.currency, actor.business.locale)
        happened = f"{happened} {left} would be left."
    return PurchaseResult(False, happened, _rule(actor, card, declining, controls))


def _question(name: str) -> str:
    """The name of a check of the service, in words."""
    if name.startswith("limit "):
        return LIMIT_INTERVALS.get(name.removeprefix("limit "), name)
    return QUESTIONS.get(name, name.replace("_", " ").capitalize())


def _rule(actor: Actor, card: Card, check: Check, controls: CardControls) -> str:
    """The rule by its name, with what it says where it is one of the card's own."""
    texts = ControlsPresenter(actor.business, card.currency).texts(controls)
    own = [control for name, control in texts.items() if name == check.check or name.startswith(f"{check.check} ")]
    if (
        check.check in ("per_transaction_limit", *(f"limit {interval}" for interval in LIMIT_INTERVALS))
        and "temporary" in texts
    ):
        own.append(texts["temporary"])
    if not own:
        return _question(check.check)
    return "; ".join(f"{control.label}: {control.text}" for control in own)
