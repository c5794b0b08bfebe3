"""Cards: blocking, unblocking, activating, closing and replacing one, its controls, making and asking for one.

Each is sent with a key (`FormKey`, or a worker's own), raises what `run` raises, and is in the copy when it returns.
Interface: Cards (POST and PUT /cards…), decisions B.7.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django import forms

from dashboard import operations, operations_extra, operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.reads import read_live
from dashboard.commands.run import CommandResult, Key, run, write_through
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Card, Origin
from dashboard.schemas.card_bodies import CreateCardBody, PhysicalCardBody, SingleUseCardBody
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET, CardControls, OncePolicy

POLICY = "single_use_policy"


def block(actor: Actor, card: Card, reason: str, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Blocks a card: nothing is bought with it until it is unblocked; its holder reads why. Answers with the card."""
    return _change(actor, operations.BLOCK_CARD, card, {"reason": reason}, key=key, deadline=deadline)


def unblock(actor: Actor, card: Card, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Unblocks a card. Answers with the card."""
    return _change(actor, operations.UNBLOCK_CARD, card, key=key, deadline=deadline)


def activate(actor: Actor, card: Card, *, key: Key) -> CommandResult:
    """Activates a physical card that has arrived. Answers with the card."""
    return _change(actor, operations_extra.ACTIVATE_CARD, card, key=key)


def retire(actor: Actor, card: Card, reason: str, *, key: Key) -> CommandResult:
    """Closes a card for good; the reason may be empty. Answers with the card."""
    return _change(actor, operations.RETIRE_CARD, card, {"reason": reason or None}, key=key)


def reissue(actor: Actor, card: Card, reason: str, *, key: Key) -> CommandResult:
    """Closes a virtual card and puts new digits with the same controls in its place. Answers with the new card."""
    result = _change(actor, operations.REISSUE_CARD, card, {"reason": reason or None}, key=key)
    # The old one changed with it: what the service says of it is read, not guessed; else it comes by its event.
    with suppress(FinanceError):
        old = read_live(actor, operations.READ_CARD, path={"id": card.remote_id}, subject=card)
        upsert("card", actor.business, [old.data], Origin.POLL)
    return result


def _change(
    actor: Actor, operation: Operation, card: Card, body: dict[str, Any] | None = None, *, key: Key, **options: Any
) -> CommandResult:
    return run(actor, operation, card, body, key=key, path={"id": card.remote_id}, kind="card", **options)


def save_controls(
    actor: Actor, card: Card, *, name: str, controls: CardControls, version: int | None, current_funding: str,
    funding: str, key: Key,
) -> CommandResult:  # fmt: skip
    """Gives the card its name and controls, and another funding where `funding` differs from `current_funding`.

    `controls` is the whole set, amounts in minor units; Stale where the card is no longer of the `version`, NotAllowed
    where it is not theirs to let it spend a wallet of the business. Answers with the card.
    """
    body: dict[str, Any] = {"name": name, "controls": controls, "version": version}
    if funding and funding != current_funding:
        check_funding(actor, funding, current_funding)
        body["funding"] = funding
    return _change(actor, operations.UPDATE_CARD, card, body, key=key)


def check_funding(actor: Actor, funding: str, current: str = ALLOCATION) -> None:
    """NotAllowed where the actor may not let a card spend a wallet of the business and `current` is another funding."""
    if funding == BUSINESS_WALLET != current:
        check_open(actor, operations_pages.CARD_FUNDING)


def create_card(
    actor: Actor, body: CreateCardBody, *, holder_name: str, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Makes a card for somebody else: `body` is a `NewCard`, its limits in minor units of the wallet's currency.

    A virtual one is there at once, a physical one is REQUESTED. NotFound, which the form tells beside its wallet, where
    that is gone. Answers with the card.
    """
    check_funding(actor, body["funding"] or ALLOCATION)
    holder = body["employee_id"]
    subject = Subject(
        business_id=actor.business.pk, kind="card", id="", title=f"{body['name']} for {holder_name}",
        holder_id=holder, makers=frozenset({holder}),
    )  # fmt: skip
    try:
        return run(actor, operations.CREATE_CARD, subject, body, key=key, kind="card", form=form)
    except NotFound as gone:
        if form is not None:
            form.add_error("org_wallet_ref", gone.detail)
        raise


def request_single_use(
    actor: Actor, body: SingleUseCardBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Asks for a card for one purchase: somebody else decides, unless the business lets small ones through (APPROVED).

    Answers with the request.
    """
    operation = operations_extra.REQUEST_SINGLE_USE_CARD
    return run(actor, operation, None, body, key=key, kind="card_request", form=form)


def request_physical(
    actor: Actor, body: PhysicalCardBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Asks for a physical card, which somebody of the office approves. Answers with the order and its card."""
    result = run(actor, operations_extra.REQUEST_PHYSICAL_CARD, None, body, key=key, kind="card_order", form=form)
    if isinstance(result.data.get("card"), dict):
        write_through(actor, "card", result.data["card"])
    return result


def cancel_request(actor: Actor, card_request: ApprovalRequest, *, key: Key) -> CommandResult:
    """Takes back a request for a single-use card while it waits. Answers with the request."""
    operation, path = operations_extra.CANCEL_CARD_REQUEST, {"id": card_request.remote_id}
    return run(actor, operation, card_request, {"action": "cancel"}, key=key, path=path, kind="card_request")


def single_use_policy_subject(actor: Actor) -> Subject:
    """The business's policy of single-use cards, as a rule and the audit know it."""
    return Subject(business_id=actor.business.pk, kind=POLICY, id="cards", title="single-use cards")


def set_single_use_policy(
    actor: Actor, once_policy: OncePolicy, *, before: Mapping[str, str], after: Mapping[str, str], key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Puts a policy of single-use cards in place of its `version`; Stale where somebody changed that meanwhile.

    `before` and `after` are what changes, in the words of the page by label: the audit keeps them.
    """
    operation, subject = operations_extra.SET_SINGLE_USE_POLICY, single_use_policy_subject(actor)
    result = run(actor, operation, subject, once_policy.model_dump(), key=key, form=form)
    if before or after:
        # Of the same form posted again nothing is left to tell.
        record(
            actor, operation, subject, Outcome.NOTED, before=dict(before), after=dict(after),
            request_id=result.request_id,
        )  # fmt: skip
    return result
