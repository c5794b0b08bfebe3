"""Cancelling a subscription, step by step: each step is done once, by whoever may change the subscription, and audited.

What a step does at the service goes through the commands of cards and of subscriptions: the gate decides on each.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import check_or_record_denial, record
from dashboard.client.reads import read_live
from dashboard.commands import cards, subscriptions
from dashboard.commands.run import FormKey
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.models import Card, Subscription
from dashboard.renewals import selectors
from dashboard.renewals.models import Cancellation, CancellationStep
from dashboard.renewals.selectors import cancellation_of, cancelled_word
from dashboard.renewals.services import refresh_of
from dashboard.schemas.cards import CardControls, LimitBody

AREA = "cancel_subscription"
Name, State = CancellationStep.Name, Cancellation.State
# What must be done before a subscription is ended.
BEFORE_END = (Name.VENDOR_NOTIFIED, Name.CARD_STOPPED, Name.LAST_CHARGE)
MONTH = "PER_MONTH"
WITHDRAW_FIRST = "Withdraw its cancellation first."


def start(actor: Actor, row: Subscription) -> Cancellation:
    """Begins to cancel a subscription; one that is begun already is given back. NotAllowed for who may not change it."""
    _check(actor, row)
    try:
        with transaction.atomic():
            cancellation = Cancellation.objects.create(
                business=actor.business, subscription_id=row.remote_id, opened_by=actor.name[:254]
            )
            _record(actor, row, f"started to cancel subscription {row.name}")
    except IntegrityError:
        return _live(actor, row)
    return cancellation


def withdraw(actor: Actor, row: Subscription, reason: str) -> None:
    """Takes the cancellation back; its steps stay in the audit, and the subscription is at the service as it was: one that was
    ended stays paused there until it is resumed. Conflict where there is none."""
    _check(actor, row)
    with transaction.atomic():
        cancellation = _locked(actor, row)
        cancellation.state = State.WITHDRAWN
        cancellation.save(update_fields=["state"])
        refresh_of(row, actor.business)
        _record(actor, row, f"withdrew the cancellation of subscription {row.name}", reason=reason)


def check_resumable(actor: Actor, row: Subscription) -> None:
    """Conflict for a subscription that is cancelled or being cancelled: active it would still be read as that."""
    if cancellation := cancellation_of(actor.business, row.remote_id):
        raise Conflict(f"{row.name} is {cancelled_word(cancellation.state)}. {WITHDRAW_FIRST}", code="cancelled")


def vendor_notified(actor: Actor, row: Subscription, *, by: str, on: date, how: str) -> None:
    """Notes who told the vendor, on which day and how. The last day to act is none any more."""
    _check(actor, row)
    note = (
        f"{by} told the vendor on {on.day} {on:%b %Y}: {how}" if how else f"{by} told the vendor on {on.day} {on:%b %Y}"
    )
    _tick(actor, row, Name.VENDOR_NOTIFIED, note)
    refresh_of(row, actor.business)


def block_card(actor: Actor, row: Subscription, card: Card, *, key: FormKey) -> None:
    """Blocks the card, through its own gate, and notes that. One that is blocked already is only noted."""
    _check_open_step(actor, row, Name.CARD_STOPPED)
    if card.status == "BLOCKED":
        note = f"{_name_of(card)} was blocked already"
    else:
        cards.block(actor, card, f"Subscription {row.name} is cancelled."[:300], key=key)
        note = f"{_name_of(card)} was blocked"
    _tick(actor, row, Name.CARD_STOPPED, note)


def lower_limit(actor: Actor, row: Subscription, card: Card, amount_minor: int, text: str, *, key: FormKey) -> None:
    """Lowers the monthly limit of the card to so many minor units (`text` in words), through its own gate, and notes that.

    One that is just this already, as after an answer that was lost, is only noted. Rejected where it is lower already; Stale
    where somebody changed the card meanwhile.
    """
    _check_open_step(actor, row, Name.CARD_STOPPED)
    live = read_live(actor, operations.READ_CARD, path={"id": card.remote_id}, subject=card).data
    stored: CardControls | None = live.get("controls")
    controls = stored.copy() if stored else CardControls()
    limits = controls.get("limits") or []
    monthly = next((limit for limit in limits if _is_monthly(limit)), None)
    now = int(monthly["amount"]) if monthly is not None else None
    if now is not None and now < amount_minor:
        raise Rejected("The monthly limit of this card is below that already.", code="limit")
    # A rise for a while would lift the limit again.
    rise = controls.pop("temporary", None)
    if now == amount_minor and not rise:
        _tick(actor, row, Name.CARD_STOPPED, f"The monthly limit of {_name_of(card)} is {text} already")
        return
    others = [limit for limit in limits if limit is not monthly]
    controls["limits"] = [*others, {"interval": MONTH, "amount": amount_minor}]
    cards.save_controls(
        actor, card, name=card.name, controls=controls,
        version=live.get("version"), current_funding=card.funding, funding="", key=key,
    )  # fmt: skip
    _tick(actor, row, Name.CARD_STOPPED, f"The monthly limit of {_name_of(card)} was lowered to {text}")


def no_card(actor: Actor, row: Subscription, reason: str) -> None:
    """Notes why no card is stopped: another subscription is charged on it, or it is not paid by card."""
    _check(actor, row)
    _tick(actor, row, Name.CARD_STOPPED, f"No card was stopped: {reason}")


def last_charge(actor: Actor, row: Subscription, until: date, *, is_expected: bool) -> None:
    """Notes until which day a last charge is expected: what is charged later is a charge after cancellation."""
    _check(actor, row)
    day = f"{until.day} {until:%b %Y}"
    note = f"A last charge is expected until {day}" if is_expected else f"No charge is expected after {day}"
    _tick(actor, row, Name.LAST_CHARGE, note, charges_until=until)


def end(actor: Actor, row: Subscription, *, key: FormKey) -> None:
    """Pauses the subscription at the service, where it is active, and ends its cancellation.

    Conflict where a step before is not done, and where it was withdrawn while the service paused the subscription.
    """
    _check_open_step(actor, row, Name.ENDED)
    _check_steps_before(_live(actor, row), Name.ENDED)
    if row.status == "ACTIVE":
        subscriptions.pause(actor, row, key=key)
    _tick(actor, row, Name.ENDED, "The subscription was ended", state=State.ENDED)


def _check(actor: Actor, row: Subscription) -> None:
    check_or_record_denial(actor, operations.SET_SUBSCRIPTION_STATUS, row)


def _check_open_step(actor: Actor, row: Subscription, name: str) -> None:
    _check(actor, row)
    if _live(actor, row).steps.filter(name=name).exists():
        raise _done(name)


def _check_steps_before(cancellation: Cancellation, name: str) -> None:
    if name != Name.ENDED:
        return
    done = set(cancellation.steps.values_list("name", flat=True))
    if missing := [Name(step).label for step in BEFORE_END if step not in done]:
        raise Conflict(f"Not done yet: {', '.join(missing)}.", code="steps")


def _live(actor: Actor, row: Subscription) -> Cancellation:
    cancellation = cancellation_of(actor.business, row.remote_id)
    if cancellation is None:
        raise _none(row)
    return cancellation


def _none(row: Subscription) -> Conflict:
    return Conflict(f"{row.name} is not being cancelled.", code="invalid_state")


def _locked(actor: Actor, row: Subscription) -> Cancellation:
    """The live cancellation, locked until the transaction ends. Conflict where there is none, or none any more: whoever held
    the lock before may have withdrawn it, so its state is asked for with the lock, never before it."""
    rows = Cancellation.objects.select_for_update(no_key=True)
    cancellation = rows.filter(business=actor.business, subscription_id=row.remote_id, state__in=selectors.LIVE).first()
    if cancellation is None:
        raise _none(row)
    return cancellation


def _tick(actor: Actor, row: Subscription, name: str, note: str, **changes: Any) -> None:
    """Stores a step with who did it and when, these fields of its cancellation, and its line of the audit, all or nothing.

    Conflict where it is done already, where a step before it is not, and where the cancellation was withdrawn meanwhile.
    """
    with transaction.atomic():
        cancellation = _locked(actor, row)
        if cancellation.steps.filter(name=name).exists():
            raise _done(name)
        _check_steps_before(cancellation, name)
        cancellation.steps.create(
            name=name, note=note[:400], done_by_id=actor.member_id, done_by_name=actor.name[:254]
        )  # fmt: skip
        for field, value in changes.items():
            setattr(cancellation, field, value)
        if changes:
            cancellation.save(update_fields=list(changes))
        sentence = f"cancelling subscription {row.name}: {note}"
        _record(actor, row, sentence, after={str(Name(name).label): note})


def _done(name: str) -> Conflict:
    return Conflict(f"This step is done already: {Name(name).label}.", code="invalid_state")


def _record(
    actor: Actor, row: Subscription, sentence: str, *, reason: str = "", after: Mapping[str, str] | None = None
) -> None:
    record(actor, AREA, row, Outcome.NOTED, sentence=sentence[:500], reason=reason, after=dict(after or {}))


def _is_monthly(limit: LimitBody) -> bool:
    return limit.get("interval") == MONTH and not limit.get("mcc")


def _name_of(card: Card) -> str:
    return f"card ···{card.last_four}"
