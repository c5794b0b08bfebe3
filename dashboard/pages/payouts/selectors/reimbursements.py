"""Expenses that a payout pays back to the people who paid them: which there are, and the payments of those chosen."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from dashboard.pages.payouts.selectors.sources import (
    MAX_SOURCE_ROWS,
    Candidate,
    ChosenPayees,
    Drawn,
    Typed,
    amount_with_currency,
)
from dashboard.times import day

# The column of a table with the references of the expenses that a payment pays back; only some tables have it.
EXPENSES = "expenses"
# Older ones are named in a table.
RECENT = timedelta(days=366)
# The service pays so many back by one payment.
MOST_TOGETHER = 100
# A reference that stands alone in a cell of several.
PLAIN = re.compile(r"[^\s,;]+")
PAID_BY = {"CARD": "by card", "MPESA": "by M-Pesa", "BANK": "from a bank account", "AIRTIME": "for airtime"}
NO_ACCOUNT = "{name}: say where it is paid, at one of the expenses of this person."


def expense_candidates(actor: Actor, term: str) -> list[Candidate]:
    """The approved expenses of the last year that no payout pays back yet, the newest first, of people of this name; one more than
    MAX_SOURCE_ROWS where there are more."""
    rows = _payable(actor).filter(transaction_date__gte=timezone.now() - RECENT)
    if term:
        rows = rows.filter(employee_name__icontains=term)
    newest = rows.order_by("-transaction_date", "-pk")[: MAX_SOURCE_ROWS + 1]
    return [_candidate(actor, row) for row in newest]


def _payable(actor: Actor) -> QuerySet[Expense]:
    paid_back = Q(payload__has_key="paid_back_by") & ~Q(payload__paid_back_by=None)
    return visible_expenses(actor).filter(status="APPROVED").exclude(employee_id="").exclude(paid_back)


def _candidate(actor: Actor, row: Expense) -> Candidate:
    paid = PAID_BY.get(str(row.payload.get("payment_type") or ""), "")
    what = (
        row.merchant,
        day(row.transaction_date, actor.business),
        row.transaction_ref,
        f"paid {paid}" if paid else "",
    )
    amount = amount_with_currency(actor, row.amount_minor, row.currency)
    return Candidate(row.remote_id, row.employee_name, " · ".join(filter(None, what)), amount=amount)


def expense_rows(actor: Actor, chosen: ChosenPayees) -> Drawn:
    """A payment for the chosen expenses of a person in a currency to an account; where none was typed beside one, to that of another
    expense of the same person."""
    by_person: dict[str, list[Expense]] = defaultdict(list)
    for row in _payable(actor).filter(remote_id__in=list(chosen)).order_by("employee_name", "transaction_date", "pk"):
        by_person[row.employee_id].append(row)
    drawn = Drawn([], [])
    for expenses in by_person.values():
        usual = next((chosen[row.remote_id] for row in expenses if chosen[row.remote_id].account), None)
        if usual is None:
            drawn.left_out.append(NO_ACCOUNT.format(name=expenses[0].employee_name))
            continue
        groups: dict[tuple[str, str, str, str], list[Expense]] = defaultdict(list)
        for row in expenses:
            to = chosen[row.remote_id] if chosen[row.remote_id].account else usual
            groups[to.channel, to.account, to.bank, row.currency].append(row)
        drawn.rows.extend(
            _payment(actor, Typed("", channel, account, bank), part)
            for (channel, account, bank, _), of in groups.items()
            for part in _parts(of)
        )
    return drawn


def _parts(expenses: Sequence[Expense]) -> Iterator[Sequence[Expense]]:
    for first in range(0, len(expenses), MOST_TOGETHER):
        yield expenses[first : first + MOST_TOGETHER]


def _payment(actor: Actor, to: Typed, expenses: Sequence[Expense]) -> dict[str, str]:
    amount = amount_with_currency(actor, sum(row.amount_minor for row in expenses), expenses[0].currency)
    refs = (row.transaction_ref if PLAIN.fullmatch(row.transaction_ref) else row.remote_id for row in expenses)
    return {
        "receiver": expenses[0].employee_name[:100], "channel": to.channel, "account": to.account, "bank": to.bank,
        "reference": "", "amount": amount, "note": "Reimbursement", EXPENSES: " ".join(refs),
    }  # fmt: skip


def expense_refs_of(actor: Actor, ids: Collection[str]) -> dict[str, str]:
    """The references of these expenses by their ids, of those that the actor sees."""
    rows = visible_expenses(actor).filter(remote_id__in=ids)
    return (
        {remote_id: ref or remote_id for remote_id, ref in rows.values_list("remote_id", "transaction_ref")}
        if ids
        else {}
    )


def expense_ids_of(actor: Actor, refs: Collection[str]) -> dict[str, str]:
    """The ids of the expenses that the actor sees, by their references and by themselves, of those that are named."""
    ids: dict[str, str] = {}
    if refs:
        rows = visible_expenses(actor).filter(Q(transaction_ref__in=refs) | Q(remote_id__in=refs))
        for remote_id, ref in rows.values_list("remote_id", "transaction_ref"):
            ids[ref] = ids[remote_id] = remote_id
    return ids
