"""What is read for the transactions: one of them as the service has it now, what made it, and its entries in the ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.shortcuts import get_object_or_404

from dashboard import operations, operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.client.page import parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.live_rows import refresh_row, store_rows
from dashboard.mirror.models import ApprovalRequest, Bill, Card, Expense, Transaction, Wallet
from dashboard.mirror.scopes import (
    visible_bills,
    visible_cards,
    visible_expenses,
    visible_requests,
    visible_transactions,
    visible_wallets,
)
from dashboard.schemas.accounting import Posting, PostingEntry
from dashboard.schemas.transactions import TransactionRow
from dashboard.search import matching

LIVE_S = 1.5
MOST_RECENT = 20
MOST_OTHER_LEGS = 10
# A payout's rows are booked within so many days of the request.
PAYOUT_DAYS = timedelta(days=60)


def transaction_for(actor: Actor, remote_id: str) -> Transaction:
    """The transaction of that id; Http404 outside what the actor may see."""
    row: Transaction = get_object_or_404(visible_transactions(actor), remote_id=remote_id)
    return row


def refresh_transaction(actor: Actor, row: Transaction) -> bool:
    """Brings the transaction in the copy up to the service; False where that does not answer."""
    return refresh_row(actor, "transaction", row, operations.READ_TRANSACTION)


def read_recent(actor: Actor) -> list[TransactionRow]:
    """The newest transactions of the business as the service has them now, of which the actor gets those that they see.
    Raises the FinanceError tree."""
    # The service lists those of everybody, so the business's reader asks; what the actor may see is decided below.
    reader, query = Actor.reader_for(actor.business), {"limit": MOST_RECENT}
    answer = read_live(reader, operations.LIST_RECENT_TRANSACTIONS, query=query, deadline=LIVE_S)
    page = read_page(answer.data)
    store_rows(actor, "transaction", page.rows)
    rows = typed(page.rows, TransactionRow)
    ids = [row.id for row in rows]
    visible = set(visible_transactions(actor).filter(remote_id__in=ids).values_list("remote_id", flat=True))
    return [row for row in rows if row.id in visible]


def visible_choices(actor: Actor, posted: Mapping[str, str]) -> list[tuple[str, str]]:
    """The transaction that a form names, as the only choice, where the actor may see it; else none."""
    named = posted.get("transaction", "")[:64]
    return [(named, named)] if visible_transactions(actor).filter(remote_id=named or "-").exists() else []


def entry_wallets(actor: Actor) -> list[Wallet]:
    """The wallets that a transaction can be entered for, by name."""
    return list(visible_wallets(actor).filter(status="ACTIVE").order_by("name", "id"))


def waiting_request(actor: Actor, row: Transaction) -> ApprovalRequest | None:
    """The transaction as it waits for a second person; None where it does not, or not where the actor sees it."""
    return visible_requests(actor).filter(kind="hand_transaction", remote_id=row.remote_id, status="PENDING").first()


@dataclass(frozen=True, slots=True)
class TransactionSources:
    """What made a transaction, as far as the copy knows and the actor sees it."""

    expense: Expense | None
    card: Card | None
    bill_payment: ApprovalRequest | None
    bill: Bill | None
    payout: ApprovalRequest | None
    others: Sequence[Transaction]


def transaction_sources(actor: Actor, row: Transaction) -> TransactionSources:
    """The expense and the card behind a purchase, the bill or payout that was paid, and the other movements of the same
    reference: the other leg of a transfer or an FX conversion."""
    expense = visible_expenses(actor).filter(remote_id=row.expense_id or "-").first()
    payment = visible_requests(actor).filter(kind="bill_payment", ref=row.ref or "-").first()
    bill_id = str(payment.payload.get("bill_id") or "") if payment else ""
    bill = visible_bills(actor).filter(remote_id=bill_id).first() if bill_id else None
    return TransactionSources(
        expense, _card_of(actor, expense), payment, bill, _payout_of(actor, row), _other_legs(actor, row)
    )


def _card_of(actor: Actor, expense: Expense | None) -> Card | None:
    token = str(expense.payload.get("card_vcn") or "") if expense else ""
    if expense is None or not token:
        return None
    return visible_cards(actor).filter(employee_id=expense.employee_id, payload__card_vcn=token).first()


def _payout_of(actor: Actor, row: Transaction) -> ApprovalRequest | None:
    """The payout whose row this is: its payments are booked under their own ids."""
    since = row.occurred_at - PAYOUT_DAYS
    payouts = visible_requests(actor).filter(kind="payout", requested_at__gte=since, requested_at__lte=row.occurred_at)
    return payouts.filter(payload__items__contains=[{"_id": row.ref or "-"}]).order_by("-requested_at").first()


def _other_legs(actor: Actor, row: Transaction) -> list[Transaction]:
    terms = matching(row.ref, "search") if row.ref else None
    if terms is None:
        return []
    # By the index of the search, since references have none of their own; then the very same reference.
    rows = visible_transactions(actor).filter(terms).filter(ref=row.ref).exclude(pk=row.pk)
    return list(rows.order_by("occurred_at", "id")[:MOST_OTHER_LEGS])


@dataclass(frozen=True, slots=True)
class PostingEntries:
    """The posting of a transaction, None where it has none yet; `entries` are all of it where `is_whole`, else those on the
    transaction's own wallet: the other accounts are for those who see the books. `is_read` is False where the service did not
    answer."""

    posting: Posting | None
    entries: list[PostingEntry]
    is_whole: bool
    org_wallet_ref: str
    is_read: bool = True


def posting_entries(actor: Actor, row: Transaction) -> PostingEntries | None:
    """What it made in the ledger, by the number of its posting; None where that is not for the actor. What a wallet of the business
    paid is for those who see the wallet's statement, what a person's own wallet paid for those who see the books. A posting may
    hold other transactions too: the payments of a payout, the purchases of a batch."""
    whole = TransactionRow.model_validate(row.payload)
    sees_books = bool(can_open(actor, operations_accounting.READ_POSTING))
    if not (_sees_statement(actor, row.org_wallet_ref) if row.org_wallet_ref else sees_books):
        return None
    if whole.ledger_transaction_id is None:
        return PostingEntries(None, [], sees_books, row.org_wallet_ref)
    # The service lets those read postings who see the books: for others its reader asks, and only the wallet's side is shown.
    reader, path = (
        actor if sees_books else Actor.reader_for(actor.business),
        {"posting_id": str(whole.ledger_transaction_id)},
    )
    try:
        answer = read_live(reader, operations_accounting.READ_POSTING, path=path, deadline=LIVE_S, tries=1)
        posting = parsed(answer.data, Posting)
    except FinanceError:
        return PostingEntries(None, [], sees_books, row.org_wallet_ref, is_read=False)
    own = [entry for entry in posting.entries if sees_books or entry.org_wallet_ref == row.org_wallet_ref]
    return PostingEntries(posting, own, sees_books, row.org_wallet_ref)


def _sees_statement(actor: Actor, org_wallet_ref: str) -> bool:
    wallet = visible_wallets(actor).filter(org_wallet_ref=org_wallet_ref).first()
    return wallet is not None and bool(can(actor, operations.LIST_ACCOUNT_TRANSACTIONS, wallet))
