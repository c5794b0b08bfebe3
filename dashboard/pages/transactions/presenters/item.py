"""How a transaction is shown on its own page: its facts, what made it, its fee, its documents and its entries."""

from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict

from django.urls import reverse

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.categorisation import uncategorised
from dashboard.categorisation.uncategorised import TRANSACTION_KIND
from dashboard.decisions.desk_items import Paper
from dashboard.documents.claims import claim_of_transaction
from dashboard.documents.sources import documents_of
from dashboard.documents.viewers import viewers_of
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import ApprovalRequest, Bill, Transaction
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import text
from dashboard.pages.transactions import tables
from dashboard.pages.transactions.forms import AddDocumentsForm
from dashboard.pages.transactions.presenters.ledger_text import LedgerText, ledger_text
from dashboard.pages.transactions.presenters.splits import PartLine, part_lines
from dashboard.pages.transactions.selectors import (
    PostingEntries,
    TransactionSources,
    posting_entries,
    transaction_sources,
)
from dashboard.pages.transactions.tables import FILED, type_of
from dashboard.schemas.transactions import TransactionRow
from dashboard.times import as_of, day_and_time, day_text, local
from dashboard.web.forms import CategoryChoiceForm

# What a fee was charged for, by the channel that the money went over.
FEE_TEXTS = {
    "MPESA": "Charged by the mobile money network",
    "BANK": "Charged by the bank",
    "CARD": "Charged by the card network",
    "FX": "Charged for the conversion",
}
FEE_TEXT = "Charged for this movement"
# The channel of the two legs of an exchange.
FX = "FX"
CHANNELS = {"MPESA": "M-Pesa", FX: "FX"}
# Documents of other kinds stay where they are (Interface: Transaction).
REMOVABLE = FILED


@dataclass(frozen=True, slots=True)
class Origin:
    """Something that made a transaction: what it is, its name, its amount ("" for none), and the page it is on ("" for
    none)."""

    label: str
    name: str
    amount: str
    href: str


@dataclass(frozen=True, slots=True)
class TransactionDocument:
    """A document in its viewer, and the address at which it is removed ("" where it is not)."""

    paper: Paper
    remove: str


class TransactionContext(TypedDict):
    """What transactions/item.html reads; `parts` are none where it is not split; `ledger` is None where it is not for the actor; `fee` "" where there was none; a form is there where the actor may send it."""

    transaction: Transaction
    title: str
    state: tuple[str, str]
    seen: str
    facts: Facts
    origins: list[Origin]
    fee: str
    parts: list[PartLine]
    version: int
    may_split: bool
    documents: list[TransactionDocument]
    ledger: LedgerText | None
    upload_form: NotRequired[AddDocumentsForm]
    category_form: NotRequired[CategoryChoiceForm]
    waits: NotRequired[ApprovalRequest | None]


def transaction_context(actor: Actor, row: Transaction) -> TransactionContext:
    """One transaction as its page prints it."""
    whole = TransactionRow.model_validate(row.payload)
    entries = posting_entries(actor, row)
    locale, parts = actor.business.locale, transaction_sources(actor, row)
    context: TransactionContext = {
        "transaction": row,
        "title": row.counterparty or type_of(row.type),
        "state": state_in(tables.STATES, row.status),
        "seen": as_of(row.last_seen, actor.business),
        "facts": [(label, value) for label, value in _facts(actor, row, whole, parts) if value],
        "origins": [*_origins(actor, parts), *_spread(actor, entries)],
        "fee": _fee(row, whole, locale),
        "parts": part_lines(row, whole, locale),
        "version": whole.version,
        "may_split": _may_split(actor, row, whole, parts),
        "documents": _documents(actor, row),
        "ledger": None if entries is None else ledger_text(actor, row, entries),
    }
    if can(actor, operations.UPLOAD_TRANSACTION_DOCUMENT, row):
        context["upload_form"] = AddDocumentsForm()
    if row.type in FILED and not whole.parts and can(actor, operations.TAG_TRANSACTION, row):
        category_id = _category_id(row)
        # Without a category none is proposed: whoever presses the button has chosen.
        unset = [] if category_id else [("", "Choose a category")]
        choices = [*unset, *categories_of(actor)]
        context["category_form"] = CategoryChoiceForm(choices=choices, initial={"subcategory_id": category_id})
    return context


def _may_split(actor: Actor, row: Transaction, transaction_row: TransactionRow, parts: TransactionSources) -> bool:
    # What pays a bill or a payout is filed by the lines of that; one that was split before can be made whole again.
    is_whole_payment = not transaction_row.parts and (parts.bill_payment is not None or parts.payout is not None)
    counts = row.type in FILED and row.status not in uncategorised.OVER[TRANSACTION_KIND] and not is_whole_payment
    return counts and bool(can(actor, operations_extra.SPLIT_TRANSACTION, row))


def _facts(actor: Actor, row: Transaction, transaction_row: TransactionRow, parts: TransactionSources) -> Facts:
    """The label and the text of what is known; wallets and people where the actor may see them."""
    wallets = dict(
        visible_wallets(actor)
        .filter(org_wallet_ref__in=[row.org_wallet_ref, transaction_row.to_org_wallet_ref])
        .values_list("org_wallet_ref", "name")
    )
    people = {row.employee_id, transaction_row.created_by, transaction_row.decided_by} - {""}
    names = dict(visible_employees(actor).filter(remote_id__in=people).values_list("remote_id", "name"))
    decided = day_and_time(transaction_row.decided_at, actor.business) if transaction_row.decided_at else ""
    return [
        ("Kind", type_of(row.type)),
        ("Date", day_and_time(row.occurred_at, actor.business)),
        ("Posted", _posted(actor, row, transaction_row, parts.bill)),
        ("Wallet", wallets.get(row.org_wallet_ref) or row.org_wallet_ref),
        ("To wallet", wallets.get(transaction_row.to_org_wallet_ref) or transaction_row.to_org_wallet_ref),
        ("Category", row.category_name),
        ("Tags", ", ".join(map(str, (parts.expense.payload.get("tag") if parts.expense else None) or []))),
        ("Person", names.get(row.employee_id, "")),
        ("Reference", row.ref),
        ("Channel", CHANNELS.get(row.channel, row.channel.replace("_", " ").capitalize())),
        ("Description", row.description),
        ("Created by", names.get(transaction_row.created_by, "")),
        ("Decided by", " · ".join(filter(None, (names.get(transaction_row.decided_by, ""), decided)))),
        ("Reason", transaction_row.reason),
        ("Not posted", transaction_row.failure_code.replace("_", " ")),
    ]


def _posted(actor: Actor, row: Transaction, transaction_row: TransactionRow, bill: Bill | None) -> str:
    """The day on which it was posted, and what follows where that is of a later month than its own, or than that of the bill
    that it pays; "" before."""
    if transaction_row.effective_on is None:
        return ""
    day, own = transaction_row.effective_on, local(row.occurred_at, actor.business).date()
    posted = day_text(day)
    if _is_of_later_month(day, own):
        return f"{posted}: a late arrival, counted in the period of that day"
    if bill is not None and bill.issued_on and _is_of_later_month(day, bill.issued_on):
        return f"{posted}: the bill is of {day_text(bill.issued_on)}, and counted in the period of its payment"
    return posted


def _is_of_later_month(day: date, other: date) -> bool:
    return (day.year, day.month) > (other.year, other.month)


def _origins(actor: Actor, parts: TransactionSources) -> list[Origin]:
    slug, origins = actor.business.slug, []
    if (expense := parts.expense) is not None:
        href = reverse("expenses_item", args=[slug, expense.remote_id])
        origins.append(Origin("Expense", expense.merchant or expense.transaction_ref, expense.amount_text, href))
        if can(actor, operations_extra.TAG_EXPENSE, expense):
            origins.append(Origin("Tags", "Change tags", "", reverse("expenses_tags", args=[slug, expense.remote_id])))
    if (card := parts.card) is not None:
        href = reverse("cards_item", args=[slug, card.remote_id])
        origins.append(Origin("Card", f"{card.name or 'Card'} ···{card.last_four}", "", href))
    if (payment := parts.bill_payment) is not None:
        href = reverse("bills_item", args=[slug, parts.bill.remote_id]) if parts.bill else ""
        origins.append(Origin("Bill payment", payment.title or payment.ref, payment.amount_text, href))
    if (payout := parts.payout) is not None:
        href = reverse("payouts_item", args=[slug, payout.remote_id])
        origins.append(Origin("Payout", payout.title or payout.ref, payout.amount_text, href))
    for other in parts.others:
        href = reverse("transactions_item", args=[slug, other.remote_id])
        label = "FX leg" if _is_fx(other) else "Same reference"
        origins.append(Origin(label, other.counterparty or type_of(other.type), other.amount_text, href))
    return origins


def _is_fx(row: Transaction) -> bool:
    return row.channel == FX


def _spread(actor: Actor, entries: PostingEntries | None) -> list[Origin]:
    """What an exchange cost against the mid rate, from its posting; none where there was none, or it is not known."""
    spread = entries.posting.spread if entries and entries.posting else None
    if spread is None:
        return []
    slug, number = actor.business.slug, spread.ledger_transaction_id
    href = reverse("accounting_posting", args=[slug, number]) if entries and entries.is_whole else ""
    amount = text(spread.amount_minor, spread.currency, actor.business.locale)
    return [Origin("FX spread", f"Posting {number}", amount, href)]


def _fee(row: Transaction, transaction_row: TransactionRow, locale: str) -> str:
    """What was charged on top of the amount, why, and what it comes to together; "" where nothing was."""
    if not transaction_row.fees_minor:
        return ""
    why = FEE_TEXTS.get(row.channel.upper(), FEE_TEXT)
    together = text(transaction_row.amount_minor + transaction_row.fees_minor, row.currency, locale)
    direction = "left" if row.direction == "OUT" else "came into"
    return f"{why}, on top of the amount: {together} {direction} the wallet."


def _documents(actor: Actor, row: Transaction) -> list[TransactionDocument]:
    documents = documents_of(row)
    papers = viewers_of(actor, documents, claim_of_transaction(row, actor.business))
    removable = row.type in REMOVABLE and can(actor, operations.REMOVE_TRANSACTION_DOCUMENT, row)
    slug = actor.business.slug
    return [
        TransactionDocument(
            paper,
            reverse("transactions_remove_document", args=[slug, row.remote_id, document.file_id]) if removable else "",
        )
        for document, paper in zip(documents, papers, strict=True)
    ]


def _category_id(row: Transaction) -> str:
    subcategory = row.payload.get("subcategory")
    return str(subcategory.get("_id") or "") if isinstance(subcategory, dict) else ""
