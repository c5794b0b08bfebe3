"""What is read for payouts: one with its payments, where money can be sent, which wallets pay, what was paid lately."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.shortcuts import get_object_or_404
from django.utils import timezone
from pydantic import ValidationError

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.cash.earlier_payments import NEVER_PAID, RECENT
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.live_rows import store_rows
from dashboard.mirror.models import Approval, ApprovalRequest, Wallet
from dashboard.mirror.scopes import visible_approvals, visible_payouts, visible_wallets
from dashboard.money import exponent
from dashboard.payout_files.services import copies_of, drafts_of_table
from dashboard.schemas.payments import Bank, Channel, PayoutItem, PayoutLedger
from dashboard.schemas.payments import Payout as PayoutWithItems

LIVE_S = 3.0
POLL_S = 1.5


def payout_for(actor: Actor, remote_id: str) -> ApprovalRequest:
    """The payout of that id; Http404 outside what the actor may see."""
    payout: ApprovalRequest = get_object_or_404(visible_payouts(actor), remote_id=remote_id)
    return payout


def payout_by_number(actor: Actor, batch_no: str) -> ApprovalRequest | None:
    """The payout of a number, written through as it is now; None where the service does not answer, or it is not the actor's
    to see."""
    try:
        answer = read_live(actor, operations.LIST_PAYOUTS, query={"batch_no": batch_no}, deadline=LIVE_S)
        rows = [{name: value for name, value in row.items() if name != "items"} for row in read_page(answer.data).rows]
    except (FinanceError, ValueError):
        return None
    store_rows(actor, "payout", rows)
    payout: ApprovalRequest | None = visible_payouts(actor).filter(ref=batch_no).first()
    return payout


def read_payments(actor: Actor, payout: ApprovalRequest) -> list[PayoutItem] | None:
    """The payments of a payout as they are now, and the copy written through; None where the service does not answer.

    Accounts stand in the answer whole: they are shown by their last characters, and never kept.
    """
    try:
        answer = read_live(
            actor, operations.LIST_PAYOUTS, query={"batch_no": payout.ref}, subject=payout, deadline=LIVE_S
        )
        [row] = read_page(answer.data).rows
        whole = PayoutWithItems.model_validate(row)
    except (FinanceError, ValueError, ValidationError):
        return None
    store_rows(actor, "payout", [{name: value for name, value in row.items() if name != "items"}])
    payout.refresh_from_db()
    return whole.items or []


def read_ledger(actor: Actor, payout: ApprovalRequest) -> PayoutLedger | None:
    """What the ledger holds of a payout; None where the service does not say."""
    try:
        answer = read_live(
            actor, operations_extra.READ_PAYOUT_LEDGER, path={"batch_no": payout.ref}, subject=payout, deadline=LIVE_S
        )
        return PayoutLedger.model_validate(answer.data)
    except (FinanceError, ValidationError):
        return None


def refresh_counts(actor: Actor, payout: ApprovalRequest) -> bool:
    """Writes through how far a payout is that is being paid: one read without its payments. False where it is not known."""
    query: dict[str, str | int] = {"status": payout.status, "limit": 50}
    try:
        rows = read_page(
            read_live(actor, operations.LIST_PAYOUTS, query=query, subject=payout, deadline=POLL_S, tries=1).data
        ).rows
    except FinanceError:
        return False
    mine = [row for row in rows if row.get("_id") == payout.remote_id]
    if mine:
        store_rows(actor, "payout", mine)
        payout.refresh_from_db()
    return bool(mine)


def live_copies(actor: Actor, payout: ApprovalRequest) -> list[ApprovalRequest]:
    """The payouts that were made from this one, or from one of those, and may pay, or did: neither cancelled, rejected nor
    failed as a whole."""
    return _live(actor, copies_of(actor.business, payout.remote_id))


def same_tables(actor: Actor, table_hash: str) -> list[ApprovalRequest]:
    """The payouts of the last 30 days, drafts too, that were made from the same table and may pay, or did."""
    return _live(actor, drafts_of_table(actor.business, table_hash, timezone.now() - RECENT))


def _live(actor: Actor, ids: list[str]) -> list[ApprovalRequest]:
    rows = visible_payouts(actor).filter(remote_id__in=ids).exclude(status__in=NEVER_PAID) if ids else []
    return sorted(rows, key=lambda row: ids.index(row.remote_id))


def open_approval(actor: Actor, payout: ApprovalRequest) -> Approval | None:
    """The payment request that is voted on, where it waits and the actor may see it."""
    rows = visible_approvals(actor).filter(ref=payout.ref, status="PENDING")
    approval: Approval | None = rows.order_by("-requested_at").first()
    return approval


@dataclass(frozen=True)
class PayoutDestinations:
    """Where money can be sent in the business's country: its channels and banks."""

    channels: dict[str, Channel]
    banks: list[Bank]

    def channel_code(self, text: str) -> str:
        """The code of a channel by its code or its name, however it is spelt; "" for none."""
        return self._channel_spellings.get(_folded(text), "")

    def bank_code(self, text: str) -> str:
        """The code of a bank by its code or its name; "" for none."""
        return self._bank_spellings.get(_folded(text), "")

    @cached_property
    def _channel_spellings(self) -> dict[str, str]:
        return _spellings(self.channels.values())

    @cached_property
    def _bank_spellings(self) -> dict[str, str]:
        return _spellings(self.banks)

    def needs(self, code: str) -> list[str]:
        """The fields that a channel needs beside the account."""
        return self.channels[code].needs if code in self.channels else []

    def name(self, code: str) -> str:
        """What a channel is called; its code where it is not known."""
        return (self.channels[code].name if code in self.channels else "") or code

    def fee_minor(self, code: str, currency: str) -> int | None:
        """What a payment on a channel costs, in minor units of its currency, cut to whole ones as the service does; None where
        it does not say."""
        fee = self.channels[code].fee if code in self.channels else None
        return None if fee is None else int(fee * 10 ** exponent(currency))

    def carries(self, code: str, currency: str) -> bool:
        """Whether a channel pays in a currency."""
        currencies = self.channels[code].currencies
        return not currencies or currency in currencies


def _spellings(rows: Iterable[Channel | Bank]) -> dict[str, str]:
    """The code by each spelling: of two that share one, the first's."""
    spellings: dict[str, str] = {}
    for row in rows:
        for name in (row.code, row.name):
            spellings.setdefault(_folded(name), row.code)
    spellings.pop("", None)
    return spellings


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def destinations(actor: Actor) -> PayoutDestinations:
    """The channels and banks of the business's country. Raises the FinanceError tree where the service does not say."""
    channels = typed(read_page(read_live(actor, operations.LIST_PAYMENT_CHANNELS, deadline=LIVE_S).data).rows, Channel)
    banks = typed(read_page(read_live(actor, operations.LIST_BANKS, deadline=LIVE_S).data).rows, Bank)
    return PayoutDestinations({row.code: row for row in channels}, banks)


def paying_wallets(actor: Actor, currency: str = "") -> list[Wallet]:
    """The active wallets that the actor sees, the main ones first; of one currency where that is named."""
    rows = visible_wallets(actor).filter(status="ACTIVE")
    rows = rows.filter(currency=currency) if currency else rows
    return sorted(rows, key=lambda wallet: (wallet.wallet_type != "MAIN", wallet.name, wallet.currency))
