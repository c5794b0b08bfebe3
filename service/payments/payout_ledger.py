"""What the ledger holds of a payout: its postings, what they took out of the wallet for each payment, what was given back."""

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

from service.ledger.models import LedgerEntry, LedgerTransaction
from service.payments.legs import FEE_NOTE, entry_note, posting_ref
from service.payments.models import Batch, Item


class PostingShape(TypedDict):
    """A posting and what it took out of the wallet, in minor units; below zero where it gave back."""

    id: int
    ref: str
    effective_on: str
    out_minor: int


class LedgerRowShape(TypedDict):
    """What the ledger holds of one payment, in minor units of the payout's currency."""

    item_id: str
    out_minor: int
    fee_minor: int


class LedgerShape(TypedDict):
    """The postings of a payout, those that reverse them, and their sums in minor units; `other_minor` is what they took out
    of the wallet for none of its payments."""

    batch_no: str
    currency: str
    postings: list[PostingShape]
    reversals: list[PostingShape]
    rows: list[LedgerRowShape]
    out_minor: int
    fees_minor: int
    reversed_minor: int
    other_minor: int


def ledger_of(batch: Batch) -> LedgerShape:
    """What was posted for a payout, read from the ledger alone: the payments' own states do not enter into it."""
    items = list(batch.items.order_by("position"))
    refs = [posting_ref(batch, item) for item in items]
    postings = list(LedgerTransaction.objects.filter(external_ref__in=refs, business=batch.business_id).order_by("id"))
    reversals = list(LedgerTransaction.objects.filter(reverses__in=postings).order_by("id"))
    outgoing: Counter[str] = Counter()
    by_posting: Counter[int] = Counter()
    entries = LedgerEntry.objects.filter(
        account_id=batch.wallet.ledger_account_id, transaction__in=[*postings, *reversals]
    )
    turned = {row.pk for row in reversals}
    for posting, note, amount in entries.values_list("transaction_id", "note", "amount"):
        by_posting[posting] -= amount
        if posting not in turned:
            outgoing[note or ""] -= amount
    rows = _rows(items, outgoing)
    out = sum(by_posting[row.pk] for row in postings)
    fees = sum(row["fee_minor"] for row in rows)
    return {
        "batch_no": batch.batch_no,
        "currency": batch.currency,
        "postings": [_posting(row, by_posting) for row in postings],
        "reversals": [_posting(row, by_posting) for row in reversals],
        "rows": rows,
        "out_minor": out,
        "fees_minor": fees,
        "reversed_minor": -sum(by_posting[row.pk] for row in reversals),
        "other_minor": out - fees - sum(row["out_minor"] for row in rows),
    }


def _rows(items: Sequence[Item], outgoing: Counter[str]) -> list[LedgerRowShape]:
    rows: list[LedgerRowShape] = []
    for item in items:
        note = entry_note(item)
        rows.append(
            {"item_id": item.id, "out_minor": outgoing.pop(note, 0), "fee_minor": outgoing.pop(FEE_NOTE + note, 0)}
        )
    return rows


def _posting(row: LedgerTransaction, outgoing: Counter[int]) -> PostingShape:
    return {
        "id": row.pk,
        "ref": row.external_ref,
        "effective_on": row.effective_on.isoformat(),
        "out_minor": outgoing[row.pk],
    }
