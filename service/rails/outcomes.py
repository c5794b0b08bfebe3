"""What a rail answers about a payment, and the magic endings by which the simulated rails decide."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class State(StrEnum):
    """PENDING: the rail has it and will say later. Never guess from silence: ask again by reference."""

    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    PENDING = "PENDING"


@dataclass(frozen=True, slots=True)
class Order:
    """A payment to the outside. The reference makes it one payment however often it is sent."""

    reference: str
    channel: str
    account: str
    bank_code: str
    receiver_name: str
    amount_minor: int
    currency: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a payment; `failure_code` says why it failed."""

    state: State
    provider_ref: str = ""
    failure_code: str = ""


class RailTimeoutError(Exception):
    """The rail did not answer in time: whether it has the payment is unknown until it is asked again."""


DELAY = timedelta(seconds=2)

UNKNOWN_ACCOUNT, REFUSED, DELAYED, LATE_SUCCESS, LOST, LATE_FAILURE = "0001", "0002", "0003", "0004", "0005", "0006"
AT_ONCE = {UNKNOWN_ACCOUNT: "account_not_found", REFUSED: "refused_by_provider"}
TIMES_OUT = frozenset({LATE_SUCCESS, LOST})
LATER = {
    DELAYED: Outcome(State.SUCCEEDED),
    LATE_SUCCESS: Outcome(State.SUCCEEDED),
    LOST: Outcome(State.FAILED, failure_code="not_received"),
    LATE_FAILURE: Outcome(State.FAILED, failure_code="returned"),
}


def ending(destination: str) -> str:
    """The last four digits of an account or phone, which decide."""
    return "".join(character for character in destination if character.isdigit())[-4:]


def provider_ref(prefix: str, reference: str) -> str:
    """The rail's own reference: the same for the same payment, as a real rail's is."""
    return prefix + hashlib.sha256(reference.encode()).hexdigest()[:12].upper()


def simulated_send(prefix: str, order: Order) -> Outcome:
    """What a simulated rail answers when it is given a payment; RailTimeoutError for the endings that time out."""
    magic = ending(order.account)
    if magic in AT_ONCE:
        return Outcome(State.FAILED, failure_code=AT_ONCE[magic])
    if magic in TIMES_OUT:
        raise RailTimeoutError(order.reference)
    if magic in LATER:
        return Outcome(State.PENDING, provider_ref(prefix, order.reference))
    return Outcome(State.SUCCEEDED, provider_ref(prefix, order.reference))


def simulated_status(prefix: str, order: Order, now: datetime) -> Outcome:
    """What a simulated rail answers when it is asked about a payment later."""
    later = LATER.get(ending(order.account))
    if later is None:
        return simulated_send(prefix, order)
    if now < order.sent_at + DELAY:
        return Outcome(State.PENDING, provider_ref(prefix, order.reference))
    known = provider_ref(prefix, order.reference) if later.state == State.SUCCEEDED else ""
    return Outcome(later.state, known, later.failure_code)
