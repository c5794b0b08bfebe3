"""The closing sheet of a payout: what became of each payment, the sums, and whether the ledger says the same to the cent."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.mirror.models import ApprovalRequest
from dashboard.money import Money, text, to_minor
from dashboard.pages.payouts.presenters.rows import payment_row
from dashboard.schemas.payments import PayoutItem, PayoutLedger
from dashboard.spreadsheet import rows_writer, safe_row

# What left the wallet; RETURNED came back after it had.
SENT, OPEN = frozenset({"SUCCEEDED", "RETURNED"}), frozenset({"QUEUED", "SENT"})
MOST_NAMED = 5
NOT_FINAL = "This sheet is not final: {count} still open."
UNPOSTED = "The ledger has no postings of this payout yet: what is open is posted once it was paid."
NONE_SENT = "The ledger has no postings of this payout, and no payment of it is recorded as sent."
NO_LEDGER = "The ledger could not be read, so the sheet was not compared with it."
HEADING = (
    "Receiver", "Channel", "Account", "Reference", "Status", "Failure", "Provider reference", "Currency", "Amount", "Sent",
    "Failed", "Reversed", "Open", "Fee", "Ledger: sent", "Ledger: fee",
)  # fmt: skip
# The last column, where a payment has one: all others stay where they are without it.
NOTE = "Note"


@dataclass(frozen=True, slots=True)
class Sums:
    """Minor units by what became of them; `fees` are those of what was sent: what failed costs none."""

    sent: int = 0
    failed: int = 0
    reversed: int = 0
    open: int = 0
    fees: int = 0

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.sent + other.sent, self.failed + other.failed, self.reversed + other.reversed, self.open + other.open,
            self.fees + other.fees,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A payment on the sheet, its sums, and what the ledger took for it and its fee: None where that is not known."""

    receiver: str
    channel: str
    account: str
    reference: str
    state: str
    failure: str
    provider_ref: str
    note: str
    amount: int
    sums: Sums
    ledger: tuple[int, int] | None

    @property
    def differs(self) -> bool:
        """Whether the ledger says another thing than the payment's state."""
        return self.ledger is not None and self.ledger != (self.sums.sent, self.sums.fees)


@dataclass(frozen=True, slots=True)
class ClosingSheet:
    """What was seen of a payout: its rows and sums, how many are open, the postings that it was compared with, and every
    difference as a sentence. `equal` is None where the ledger could not be read."""

    title: str
    number: str
    currency: str
    locale: str
    seen: str
    rows: list[SheetRow]
    sums: Sums
    open_count: int
    equal: bool | None
    postings: list[str]
    differences: list[str]

    @property
    def has_notes(self) -> bool:
        """Whether it is said of any payment what it is for."""
        return any(row.note for row in self.rows)

    @property
    def totals(self) -> list[tuple[str, str]]:
        """The sums with their words, as they are printed."""
        sums = self.sums
        parts = (("Sent", sums.sent), ("Failed", sums.failed), ("Reversed", sums.reversed), ("Open", sums.open))
        return [(word, self.money(minor)) for word, minor in (*parts, ("Fees", sums.fees))]

    @property
    def sentences(self) -> list[str]:
        """What is to be known of the sheet: whether it is final, and what it is equal to."""
        first = (
            [NOT_FINAL.format(count=_counted(self.open_count, "payment is", "payments are"))] if self.open_count else []
        )
        if self.equal is None:
            return [*first, NO_LEDGER]
        if not self.equal:
            return [*first, "The sheet is not equal to the ledger.", *self.differences]
        if not self.postings:
            # What is on its way is posted once it has arrived: until then no posting says nothing of it.
            return [*first, UNPOSTED if self.open_count else NONE_SENT]
        total = self.money(self.sums.sent + self.sums.fees)
        count = _counted(len(self.postings), "ledger posting", "ledger postings")
        return [
            *first,
            f"Equal to the cent: {count} took {total} out of the wallet, sent and fees together, row by row.",
        ]

    def money(self, minor: int) -> str:
        """An amount of the payout's currency as it is printed."""
        return text(minor, self.currency, self.locale)


def closing_sheet(
    actor: Actor, payout: ApprovalRequest, payments: Sequence[PayoutItem], payout_ledger: PayoutLedger | None, seen: str
) -> ClosingSheet:
    """The sheet of a payout from its payments as they were read, compared with what its postings hold."""
    held = {row.item_id: (row.out_minor, row.fee_minor) for row in payout_ledger.rows} if payout_ledger else {}
    rows = [_row(actor, payout, item, held.get(item.id, (0, 0)) if payout_ledger else None) for item in payments]
    sums = sum((row.sums for row in rows), Sums())
    sheet = ClosingSheet(
        title=payout.title, number=payout.ref, currency=payout.currency, locale=actor.business.locale, seen=seen, rows=rows,
        sums=sums, open_count=sum(item.status in OPEN for item in payments), equal=None, postings=[], differences=[],
    )  # fmt: skip
    if payout_ledger is None:
        return sheet
    differences = _differences(sheet, payout_ledger)
    names = [f"{row.ref} ({sheet.money(row.out_minor)})" for row in (*payout_ledger.postings, *payout_ledger.reversals)]
    return ClosingSheet(
        sheet.title, sheet.number, sheet.currency, sheet.locale, seen, rows, sums, sheet.open_count, not differences, names,
        differences,
    )  # fmt: skip


def _row(actor: Actor, payout: ApprovalRequest, payout_item: PayoutItem, held: tuple[int, int] | None) -> SheetRow:
    amount, fee = to_minor(payout_item.amount, payout.currency), to_minor(payout_item.fee or 0, payout.currency)
    sums = Sums(
        sent=amount if payout_item.status in SENT else 0,
        failed=amount if payout_item.status == "FAILED" else 0,
        reversed=amount if payout_item.status == "RETURNED" else 0,
        open=amount if payout_item.status in OPEN else 0,
        fees=fee if payout_item.status in SENT else 0,
    )
    row = payment_row(actor, payout, payout_item)
    state = "Open" if payout_item.status in OPEN else "Reversed" if payout_item.status == "RETURNED" else row.state
    return SheetRow(
        row.receiver,
        row.channel,
        row.account,
        row.reference,
        state,
        row.failure,
        payout_item.provider_ref,
        row.note,
        amount,
        sums,
        held,
    )


def _differences(sheet: ClosingSheet, payout_ledger: PayoutLedger) -> list[str]:
    sums = sheet.sums
    pairs = (
        ("Sent and fees", sums.sent + sums.fees, payout_ledger.out_minor), ("Fees", sums.fees, payout_ledger.fees_minor),
        ("Reversed", sums.reversed, payout_ledger.reversed_minor), ("Sent for none of these payments", 0, payout_ledger.other_minor),
    )  # fmt: skip
    sentences = [
        f"{word}: {sheet.money(ours)} on the sheet, {sheet.money(theirs)} in the ledger."
        for word, ours, theirs in pairs
        if ours != theirs
    ]
    wrong = [(number, row) for number, row in enumerate(sheet.rows, 1) if row.differs]
    for number, row in wrong[:MOST_NAMED]:
        sent, fee = row.ledger or (0, 0)
        sentences.append(
            f"Row {number}, {row.receiver}: {sheet.money(row.sums.sent)} and a fee of {sheet.money(row.sums.fees)} on the "
            f"sheet, {sheet.money(sent)} and {sheet.money(fee)} in the ledger."
        )
    if len(wrong) > MOST_NAMED:
        sentences.append(f"{len(wrong) - MOST_NAMED:,} more rows differ.")
    return sentences


def _counted(count: int, singular: str, plural: str) -> str:
    return f"{count:,} {singular if count == 1 else plural}"


def closing_csv(sheet: ClosingSheet) -> str:
    """The sheet as CSV: a row per payment, their total, and what it is equal to. Accounts by their last characters."""
    file = io.StringIO()
    writer = rows_writer(file)

    def amount(minor: int) -> object:
        return Money(minor, sheet.currency).amount

    writer.writerow([*HEADING, NOTE] if sheet.has_notes else HEADING)
    for row in sheet.rows:
        cells = [row.receiver, row.channel, row.account, row.reference, row.state, row.failure, row.provider_ref]
        held = [amount(part) for part in row.ledger] if row.ledger else ["", ""]
        amounts = [amount(row.amount), *map(amount, _in_order(row.sums)), *held]
        writer.writerow(
            [*safe_row([*cells, sheet.currency]), *amounts, *safe_row([row.note] if sheet.has_notes else [])]
        )
    total = sum(row.amount for row in sheet.rows)
    held_total = [
        amount(sum(row.ledger[place] for row in sheet.rows if row.ledger)) if sheet.equal is not None else ""
        for place in (0, 1)
    ]
    writer.writerow(
        [
            *safe_row(["Total", *[""] * 6, sheet.currency]),
            amount(total),
            *map(amount, _in_order(sheet.sums)),
            *held_total,
        ]
    )
    for sentence in (*sheet.sentences, *(f"Posting {name}" for name in sheet.postings), f"Seen {sheet.seen}"):
        writer.writerow(safe_row([sentence]))
    return file.getvalue()


def _in_order(sums: Sums) -> tuple[int, int, int, int, int]:
    return sums.sent, sums.failed, sums.reversed, sums.open, sums.fees
