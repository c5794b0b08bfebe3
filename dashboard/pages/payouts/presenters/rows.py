"""A payment of a payout as a row: on its page and on its closing sheet."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.lists.states import state_in
from dashboard.mirror.models import ApprovalRequest
from dashboard.money import text, to_minor
from dashboard.pages.payouts.selectors.sources import Candidate
from dashboard.schemas.payments import PayoutItem

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
    """A payment of a payout as a row: the account by its last characters."""

    receiver: str
    channel: str
    account: str
    reference: str
    amount: str
    fee: str
    state: str
    tone: str
    failure: str


def payment_row(actor: Actor, payout: ApprovalRequest, item: PayoutItem) -> PaymentRow:
    """A payment as it is printed."""
    locale, currency = actor.business.locale, payout.currency
    state, tone = state_in(ITEM_STATES, item.status)
    return PaymentRow(
        receiver=item.receiver_name,
        channel=channel_text(item.channel),
        account=f"···{item.account[-LAST:]}" if item.account else "",
        reference=item.account_reference,
        amount=text(to_minor(item.amount, currency), currency, locale),
        fee=text(to_minor(item.fee, currency), currency, locale) if item.fee else "",
        state=state,
        tone=tone,
        failure=FAILURES.get(item.failure_code, item.failure_code.replace("_", " ")),
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
