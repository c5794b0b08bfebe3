"""What a transaction made in the ledger, as its page shows it: its own entries, and the others of their posting."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.mirror.models import Transaction
from dashboard.money import text
from dashboard.pages.transactions.selectors import PostingEntries
from dashboard.schemas.accounting import Posting, PostingEntry
from dashboard.times import day_text

# So many entries of a posting stand on the page; the payments of a payout may be thousands.
MOST_ENTRIES = 50
# What the note of a fee begins with; the rest is that of the payment.
FEE_OF = "Fee: "


@dataclass(frozen=True, slots=True)
class LedgerEntryLine:
    """An entry of its posting as it is printed: the account, debit or credit, and the balance after it, "" where the account keeps
    none or it is not for the reader; `href` of the account's ledger, "" where the reader does not see the books."""

    account: str
    note: str
    side: str
    amount: str
    balance: str
    href: str


@dataclass(frozen=True, slots=True)
class LedgerText:
    """What it made in the ledger: its entries, those on its own wallet and of its own amount first, `others` of a posting of several
    transactions, both together at most so many, of `total`; the posting's number and page, "" where there is none or it is not for the reader; `is_whole` where those on other accounts are for
    the reader, too; `is_read` False where the service did not answer."""

    lines: list[LedgerEntryLine]
    others: list[LedgerEntryLine]
    total: int
    number: str
    href: str
    day: str
    is_whole: bool
    is_read: bool = True

    @property
    def line_count(self) -> int:
        """How many of its entries stand on the page."""
        return len(self.lines) + len(self.others)


def ledger_text(actor: Actor, row: Transaction, entries: PostingEntries) -> LedgerText:
    """The entries of its posting, or that there is none yet; those that are its own apart from the others where the posting holds
    several transactions, as that of a payout does."""
    posting, slug = entries.posting, actor.business.slug
    if posting is None:
        return LedgerText([], [], 0, "", "", "", entries.is_whole, entries.is_read)

    def place(posting_entry: PostingEntry) -> tuple[bool, bool, bool]:
        # A batch may post purchases of the same amount: the merchant's name tells them apart.
        other_wallet = bool(entries.org_wallet_ref) and posting_entry.org_wallet_ref != entries.org_wallet_ref
        return other_wallet, posting_entry.amount_minor != row.amount_minor, posting_entry.note != row.counterparty

    own_first = sorted(entries.entries, key=place)[:MOST_ENTRIES]
    is_shared = len(posting.transactions) > 1
    own = own_entries(row, own_first) if is_shared else own_first
    # What no entry says to be its own is not told apart.
    own = own or own_first
    others = [entry for entry in own_first if entry not in own]
    number = posting.ledger_transaction_id
    return LedgerText(
        [_line(actor, posting, entry, is_whole=entries.is_whole) for entry in own],
        [_line(actor, posting, entry, is_whole=entries.is_whole) for entry in others],
        len(entries.entries),
        str(number),
        reverse("accounting_posting", args=[slug, number]) if entries.is_whole else "",
        day_text(posting.effective_on),
        entries.is_whole,
    )


def own_entries(row: Transaction, posting_entries: Sequence[PostingEntry]) -> list[PostingEntry]:
    """Which entries of a posting of several transactions are of this one: those of its amount whose note names its counterparty,
    as that of a payment does with the payment's number behind the name, and the fees of that payment."""
    name, minor = row.counterparty, abs(row.amount_minor)
    payments = {
        entry.note
        for entry in posting_entries
        if abs(entry.amount_minor) == minor and entry.note.startswith(f"{name} ")
    }
    fees = {f"{FEE_OF}{note}" for note in payments}
    return [
        entry
        for entry in posting_entries
        if entry.note in payments | fees or (entry.note == name and abs(entry.amount_minor) == minor)
    ]


def _line(actor: Actor, posting: Posting, posting_entry: PostingEntry, *, is_whole: bool) -> LedgerEntryLine:
    slug, locale, currency = actor.business.slug, actor.business.locale, posting_entry.currency
    ledger = reverse("accounting_ledger", args=[slug, f"{posting.effective_on:%Y-%m}"]) if is_whole else ""
    return LedgerEntryLine(
        posting_entry.name,
        posting_entry.note or posting.description,
        "Debit" if posting_entry.amount_minor < 0 else "Credit",
        text(abs(posting_entry.amount_minor), currency, locale),
        "" if posting_entry.balance_minor is None else text(posting_entry.balance_minor, currency, locale),
        f"{ledger}?account={posting_entry.account_id}" if ledger else "",
    )
