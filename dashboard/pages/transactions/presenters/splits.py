"""How the split of a transaction is shown, and its form with the parts that there are."""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Transaction
from dashboard.money import Money, text
from dashboard.pages.transactions.forms import MOST_PARTS, SplitForm
from dashboard.pages.transactions.selectors import refresh_transaction
from dashboard.schemas.transactions import TransactionRow

# Lines of a form that has no parts yet, and how many more each press of the button gives.
FIRST_LINES, MORE_LINES = 4, 4


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part of a split transaction as its page prints it; the amount with its currency."""

    category: str
    description: str
    amount: str


def part_lines(row: Transaction, transaction_row: TransactionRow, locale: str) -> list[PartLine]:
    """The parts of a transaction in their order; none where it is not split."""
    return [
        PartLine(part.subcategory.name, part.description, text(part.amount_minor, row.currency, locale))
        for part in transaction_row.parts
    ]


def split_form(actor: Actor, row: Transaction, sent: QueryDict | None = None) -> SplitForm:
    """The form of a split: with what was sent, as many lines as that has and more where they were asked for; else with the
    parts that there are, or with the transaction's own category as the first part."""
    whole = TransactionRow.model_validate(row.payload)
    options: dict[str, Any] = {
        "whole_minor": whole.amount_minor, "currency": row.currency, "categories": _choices(actor, whole),
        "locale": actor.business.locale,
    }  # fmt: skip
    if sent is not None:
        lines = sum(f"category_{place}" in sent for place in range(MOST_PARTS))
        return SplitForm(sent, rows=lines + (MORE_LINES if "more" in sent else 0), **options)
    initial: dict[str, Any] = {"version": whole.version}
    for place, part in enumerate(whole.parts):
        initial |= {
            f"category_{place}": part.subcategory.id, f"description_{place}": part.description,
            f"amount_{place}": Money(part.amount_minor, row.currency).amount,
        }  # fmt: skip
    filed = row.payload.get("subcategory")
    if not whole.parts and isinstance(filed, dict):
        initial["category_0"] = str(filed.get("_id") or "")
    return SplitForm(initial=initial, rows=max(len(whole.parts) + 1, FIRST_LINES), **options)


def split_now(actor: Actor, row: Transaction, form: SplitForm) -> list[PartLine]:
    """The parts that somebody else has given the transaction meanwhile; what is sent next replaces these, once they are on
    the page. None where it is not split, or the service does not answer: then the form stays refused."""
    if not refresh_transaction(actor, row):
        return []
    whole = TransactionRow.model_validate(row.payload)
    form.data = {**{name: form.data[name] for name in form.data}, "version": str(whole.version)}
    return part_lines(row, whole, actor.business.locale)


def _choices(actor: Actor, transaction_row: TransactionRow) -> list[tuple[str, str]]:
    """What a part can be filed under, and what its parts are filed under already."""
    choices = categories_of(actor)
    known = {number for number, _ in choices}
    others = {
        part.subcategory.id: part.subcategory.name for part in transaction_row.parts if part.subcategory.id not in known
    }
    return [*choices, *others.items()]
