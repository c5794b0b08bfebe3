"""A payment that is about to be made beside one that it may be the same as, field by field."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.cash.earlier_payments import EarlierPayment
from dashboard.lists.states import state_in
from dashboard.money import text
from dashboard.pages.payouts.presenters.rows import ITEM_STATES, LAST, channel_text
from dashboard.pages.payouts.services.lines import PaymentLine
from dashboard.pages.payouts.tables import PAYOUT_STATES
from dashboard.times import day_and_time

LABELS = ("Receiver", "Channel", "Account", "Amount", "Created", "Status")
# How a payment stands that its payout has not begun with.
NOT_BEGUN = "QUEUED"


@dataclass(frozen=True, slots=True)
class PairedField:
    """A field of both: its label, what this payment and the other have there ("" where it is not known), and whether they differ."""

    label: str
    own: str
    other: str
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A payment beside another: what the other is called, its page ("" of a row of the same table), their fields, and how many
    more there are that are not shown, in a sentence."""

    own: str
    other: str
    href: str
    fields: list[PairedField]
    more: str


def pair_of(
    actor: Actor, currency: str, line: PaymentLine, other: EarlierPayment | PaymentLine, more: int = 0
) -> ComparedPair:
    """A row beside an earlier payment, or an earlier row of its table; `more` other payments are the same, too."""
    own = _of_line(actor, currency, line)
    if isinstance(other, PaymentLine):
        return ComparedPair(
            f"Row {line.number}", f"Row {other.number}", "", _fields(own, _of_line(actor, currency, other)), ""
        )
    row = f", row {other.row}" if other.row else ""
    fields = _fields(own, _of_payment(actor, currency, other))
    sentence = f"At least {more} other payment{'s are' if more > 1 else ' is'} the same: the newest is shown."
    return ComparedPair(
        f"Row {line.number}", f"{other.title}, {other.ref}{row}", other.href, fields, sentence if more else ""
    )


def _fields(own: Sequence[str], other: Sequence[str]) -> list[PairedField]:
    """What either of both says: two rows of a table say nothing of when they were created."""
    pairs = zip(LABELS, own, other, strict=True)
    return [
        PairedField(label, mine, its, bool(mine and its and mine != its)) for label, mine, its in pairs if mine or its
    ]


def _of_line(actor: Actor, currency: str, line: PaymentLine) -> list[str]:
    body = line.body
    amount = text(line.amount_minor, currency, actor.business.locale)
    return [body["receiver_name"], channel_text(body["channel"]), _ending(body["account"]), amount, "", ""]


def _of_payment(actor: Actor, currency: str, other_payment: EarlierPayment) -> list[str]:
    amount = text(other_payment.amount_minor, currency, actor.business.locale)
    created = day_and_time(other_payment.at, actor.business)
    return [
        other_payment.receiver,
        channel_text(other_payment.channel),
        _ending(other_payment.account_ends),
        amount,
        created,
        _status(other_payment),
    ]


def _ending(account: str) -> str:
    return f"···{account[-LAST:]}" if account else ""


def _status(other_payment: EarlierPayment) -> str:
    """How the payment stands; as its payout does before it was begun with."""
    is_begun = other_payment.item_status not in ("", NOT_BEGUN)
    word, _ = (
        state_in(ITEM_STATES, other_payment.item_status) if is_begun else state_in(PAYOUT_STATES, other_payment.status)
    )
    return f"{word}, in a bank file" if other_payment.is_in_bank_file else word
