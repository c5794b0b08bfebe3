"""A payment of a payout as a row: on its page and on its closing sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.lists.states import state_in
from dashboard.mirror.models import ApprovalRequest
from dashboard.money import text, to_minor
from dashboard.pages.payouts.selectors.candidates import Candidate
from dashboard.pages.payouts.selectors.progress import LETTERS, NO_LETTER, WatchedRows, ranges_text
from dashboard.schemas.payments import PayoutItem, ProgressRow

LAST = 4
ITEM_STATES = {
    "QUEUED": ("Waiting", ""),
    "SENT": ("Sent", "info"),
    "SUCCEEDED": ("Paid", "ok"),
    "FAILED": ("Failed", "bad"),
    "RETURNED": ("Returned", "bad"),
}
FAILURES = {
    "account_not_found": "The account is not known", "refused_by_provider": "Refused by the provider",
    "not_received": "It did not reach the provider", "returned": "Sent back by the receiver's bank",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaymentRow:
    """A payment of a payout as a row: the account by its last characters; `position` is where it stands in the payout, from
    0, and `letter` its status as a poll says what is shown."""

    position: int
    letter: str

    receiver: str
    channel: str
    account: str
    reference: str
    note: str
    amount: str
    fee: str
    state: str
    tone: str
    failure: str


@dataclass(frozen=True, slots=True)
class PaymentState:
    """What became of a payment that is shown already, by its position in the payout."""

    position: int
    state: str
    tone: str
    failure: str


def watched_rows(rows: Sequence[PaymentRow]) -> WatchedRows:
    """What a page shows of these payments, in their order."""
    return WatchedRows(ranges_text([row.position for row in rows]), "".join(row.letter for row in rows))


def payment_states(changed: Sequence[ProgressRow]) -> list[PaymentState]:
    """What became of payments, in words."""
    return [
        PaymentState(row.position, *state_in(ITEM_STATES, row.status), failure_text(row.failure_code))
        for row in changed
    ]


def failure_text(code: str) -> str:
    """Why a payment failed, in words; "" for one that did not."""
    return FAILURES.get(code, code.replace("_", " "))


def payment_row(actor: Actor, payout: ApprovalRequest, payout_item: PayoutItem, position: int = 0) -> PaymentRow:
    """A payment as it is printed; `position` is where it stands in the payout, from 0."""
    locale, currency = actor.business.locale, payout.currency
    state, tone = state_in(ITEM_STATES, payout_item.status)
    return PaymentRow(
        position=position,
        letter=LETTERS.get(payout_item.status, NO_LETTER),
        receiver=payout_item.receiver_name,
        channel=channel_text(payout_item.channel),
        account=f"···{payout_item.account[-LAST:]}" if payout_item.account else "",
        reference=payout_item.account_reference,
        note=payout_item.note,
        amount=text(to_minor(payout_item.amount, currency), currency, locale),
        fee=text(to_minor(payout_item.fee, currency), currency, locale) if payout_item.fee else "",
        state=state,
        tone=tone,
        failure=failure_text(payout_item.failure_code),
    )


def destination_text(candidate: Candidate) -> str:
    """Where somebody who can be chosen is paid: "PesaLink ···0981"; "" where that is typed."""
    return f"{channel_text(candidate.channel)} ···{candidate.account}" if candidate.channel else ""


def channel_text(code: str) -> str:
    """A channel in words: "M-Pesa send money", "PesaLink"."""
    words = code.removeprefix("BANK_").replace("_", " ").lower().split()
    named = {"mpesa": "M-Pesa", "eft": "EFT", "rtgs": "RTGS", "swift": "SWIFT", "pesalink": "PesaLink"}
    spelt = " ".join(named.get(word, word) for word in words)
    return spelt[:1].upper() + spelt[1:]
