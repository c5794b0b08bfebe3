"""Journal exports: entries of the ledger given to the accountant, each once.

An export claims every entry of its days that no live export holds, all entries of a posting together, so that what it
holds comes to nothing in each currency. What it holds does not change; it can be undone, by two people.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from service import effects, errors
from service.accounting.models import ExportedEntry, ExportStatus, JournalExport
from service.auth import ADMINS, Caller
from service.businesses.models import Business, Employee
from service.events.audit import note

SECONDS = "60s"

# The parts of what a transaction `moved`: of a refund those of its expense.
PARTS = """transactions_transactionpart part
        on part.transaction_id = moved.id or moved.type = 'REFUND' and part.expense_id = moved.expense_id"""
# What a posting is filed under: by the transactions that it belongs to, where they agree. An expense's own subcategory
# counts, and of what is split its parts; the entry across a wallet of a split transaction, which has its posting to itself,
# is given in its parts, its fees with the first. A tax that was withheld is of the entry on the account of what is owed. Tags are those of all its expenses.
FILED = f"""
left join (
    select withheld.ledger_transaction_id, case when count(distinct withheld.tax_id) = 1 then max(withheld.tax_id) end as tax_id
    from taxes_taxtransaction withheld
    where withheld.business_id = %(business)s
    group by withheld.ledger_transaction_id
) taxed on taxed.ledger_transaction_id = posting_id and account_kind = 'WHT_PAYABLE'
left join lateral (
    select case when count(distinct coalesce(part.subcategory_id, expense.subcategory_id, moved.subcategory_id)) = 1
            then max(coalesce(part.subcategory_id, expense.subcategory_id, moved.subcategory_id)) end as subcategory_id,
        case when count(distinct nullif(moved.team_id, '')) = 1 then max(moved.team_id) end as team_id,
        array_agg(distinct tag.id) filter (where tag.id is not null) as tag_ids
    from transactions_transaction moved
    left join expenses_expense expense on expense.id = moved.expense_id
    left join expenses_tag tag on tag.business_id = expense.business_id and tag.name = any(expense.tags)
    left join {PARTS}
    where moved.ledger_transaction_id = posting_id
) filed on true
left join lateral (
    select array_agg(part.subcategory_id || ':' || sign(amount)::int * (part.amount_minor
        + case part.position when 1 then moved.fees_minor else 0 end) order by part.position) as parts
    from transactions_transaction moved join {PARTS}
    where moved.ledger_transaction_id = posting_id and account_kind in ('BANK_FLOAT', 'MOBILE_FLOAT', 'CARD_FLOAT')
        and abs(amount) = moved.amount_minor + moved.fees_minor
        and (select count(*) from transactions_transaction beside where beside.ledger_transaction_id = posting_id) = 1
) shares on true
"""  # noqa: S608  put together from constants alone
UNCLAIMED = """
from ledger_account account
join ledger_entry entry on entry.account_id = account.id
join ledger_transaction posted on posted.id = entry.transaction_id
where account.business_id = %(business)s and posted.effective_on between %(first)s and %(last)s
    and not exists (select from accounting_exportedentry held where held.live
        and held.ledger_account_id = entry.account_id and held.entry_seq = entry.seq)
"""
CLAIM = f"""
insert into accounting_exportedentry (export_id, number, live, ledger_account_id, entry_seq, ledger_transaction_id,
    subcategory_id, team_id, tax_id, tag_ids, parts)
select %(export)s, row_number() over (order by effective_on, posting_id, account_id, seq), true, account_id, seq,
    posting_id, coalesce(filed.subcategory_id, ''), coalesce(filed.team_id, ''), coalesce(taxed.tax_id, ''),
    coalesce(filed.tag_ids, '{{}}'), coalesce(shares.parts, '{{}}')
from (select posted.effective_on, posted.id as posting_id, entry.account_id, entry.seq, account.kind as account_kind, entry.amount
    {UNCLAIMED}) unclaimed
{FILED}
"""  # noqa: S608  put together from constants alone
# One line of text per entry, in the order of their numbers: whoever has the entries comes to the same hash.
DIGEST = """
select count(*), count(distinct held.ledger_transaction_id), encode(sha256(convert_to(coalesce(string_agg(concat_ws(';',
    held.number, posted.effective_on, posted.id, held.ledger_account_id, held.entry_seq, entry.currency, entry.amount,
    held.subcategory_id, held.team_id, held.tax_id, array_to_string(held.tag_ids, ','),
    nullif(array_to_string(held.parts, ','), '')) || chr(10), '' order by held.number), ''), 'UTF8')), 'hex')
from accounting_exportedentry held
join ledger_entry entry on entry.account_id = held.ledger_account_id and entry.seq = held.entry_seq
join ledger_transaction posted on posted.id = held.ledger_transaction_id
where held.export_id = %(export)s
"""
SUMS = """
select account.id, account.kind, coalesce(wallet.name, ''), account.currency, account.holder_type, account.holder_id,
    coalesce(-sum(amount) filter (where amount < 0), 0)::bigint, coalesce(sum(amount) filter (where amount > 0), 0)::bigint,
    count(*)
from ({entries}) moved(account_id, amount)
join ledger_account account on account.id = moved.account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
group by account.id, wallet.id
order by account.currency, account.kind, account.id
"""
HELD_SUMS = SUMS.format(
    entries="select entry.account_id, entry.amount from accounting_exportedentry held join ledger_entry entry"
    " on entry.account_id = held.ledger_account_id and entry.seq = held.entry_seq where held.export_id = %(export)s"
)
UNCLAIMED_SUMS = SUMS.format(entries=f"select entry.account_id, entry.amount {UNCLAIMED}")
UNCLAIMED_FILED = f"""
select count(*), count(distinct posting_id), array_agg(distinct filed.subcategory_id),
    array_agg(distinct filed.team_id), array_agg(distinct taxed.tax_id),
    (select array_agg(distinct tag_id) from unnest(string_to_array(string_agg(distinct array_to_string(filed.tag_ids, ','), ','), ',')) tag_id),
    (select array_agg(distinct split_part(part, ':', 1))
        from unnest(string_to_array(string_agg(distinct array_to_string(shares.parts, ','), ','), ',')) part)
from (select posted.id as posting_id, account.kind as account_kind, entry.amount {UNCLAIMED}) unclaimed
{FILED}
"""  # noqa: S608  put together from constants alone
LINES = """
select held.number, posted.effective_on, entry.posted_at, posted.id, posted.kind, posted.external_ref,
    coalesce(entry.note, posted.description), account.id, entry.seq, account.kind, coalesce(wallet.name, ''),
    account.holder_type, account.holder_id, entry.currency, entry.amount, held.subcategory_id, held.team_id, held.tax_id, held.tag_ids,
    held.parts
from accounting_exportedentry held
join ledger_entry entry on entry.account_id = held.ledger_account_id and entry.seq = held.entry_seq
join ledger_transaction posted on posted.id = held.ledger_transaction_id
join ledger_account account on account.id = held.ledger_account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
where held.export_id = %(export)s and held.number > %(after)s
order by held.number limit %(limit)s
"""

# Line by line, in the order in which an export would number them; behind the line that is known.
UNCLAIMED_LINES = f"""
select 0, effective_on, posted_at, posting_id, posting_kind, external_ref, description, account_id, seq, account_kind,
    account_name, holder_type, holder_id, currency, amount, coalesce(filed.subcategory_id, ''),
    coalesce(filed.team_id, ''), coalesce(taxed.tax_id, ''), coalesce(filed.tag_ids, '{{}}'), coalesce(shares.parts, '{{}}')
from (select posted.effective_on, entry.posted_at, posted.id as posting_id, posted.kind as posting_kind,
        posted.external_ref, coalesce(entry.note, posted.description) as description, account.id as account_id,
        entry.seq, account.kind as account_kind, coalesce((select wallet.name from accounts_wallet wallet
            where wallet.ledger_account_id = account.id), '') as account_name, account.holder_type, account.holder_id,
        entry.currency, entry.amount
    {UNCLAIMED} and (posted.effective_on, posted.id, account.id, entry.seq)
        > (%(after_day)s, %(after_posting)s, %(after_account)s, %(after_seq)s)
    order by posted.effective_on, posted.id, account.id, entry.seq limit %(limit)s) unclaimed
{FILED}
order by effective_on, posting_id, account_id, seq
"""  # noqa: S608  put together from constants alone


@dataclass(frozen=True, slots=True)
class AccountSum:
    """What an account moved in an export, in minor units; a credit is what its holder gained."""

    account_id: int
    kind: str
    name: str
    currency: str
    holder_type: str
    holder_id: str
    debit_minor: int
    credit_minor: int
    line_count: int


@dataclass(frozen=True, slots=True)
class Pending:
    """What an export of these days would claim now; subcategories, teams, taxes and tags by id."""

    line_count: int
    posting_count: int
    accounts: Sequence[AccountSum]
    subcategories: Sequence[str]
    teams: Sequence[str]
    taxes: Sequence[str]
    tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class ExportLine:
    """An entry of an export, by its number there from 1; `parts` "subcategory:minor units" of one that is split."""

    number: int
    effective_on: date
    posted_at: datetime
    ledger_transaction_id: int
    kind: str
    ref: str
    description: str
    account_id: int
    seq: int
    account_kind: str
    account_name: str
    holder_type: str
    holder_id: str
    currency: str
    amount_minor: int
    subcategory_id: str
    team_id: str
    tax_id: str
    tag_ids: Sequence[str]
    parts: Sequence[str]

    @property
    def place(self) -> str:
        """Where the line stands among those that nobody has exported: day, posting, account and number in the account."""
        return f"{self.effective_on}.{self.ledger_transaction_id}.{self.account_id}.{self.seq}"


def journal_exports(caller: Caller) -> QuerySet[JournalExport]:
    """The exports of the business."""
    return JournalExport.objects.filter(business_id=caller.business.id)


def get_export(caller: Caller, export_id: str) -> JournalExport:
    """One export; 404 for any other's."""
    row = journal_exports(caller).filter(id=export_id).first()
    if row is None:
        raise errors.not_found("journal export")
    return row


def pending(caller: Caller, first: date, last: date) -> Pending:
    """What nobody has exported yet of these days; 422 for days in the wrong order."""
    values: dict[str, str | date] = {
        "business": caller.business.id, "first": first, "last": _last(first, last),
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        _bounded(cursor)
        cursor.execute(UNCLAIMED_FILED, values)
        [(line_count, posting_count, *filed)] = cursor.fetchall()
        cursor.execute(UNCLAIMED_SUMS, values)
        accounts = [AccountSum(*row) for row in cursor.fetchall()]
    subcategories, teams, taxes, tags, of_parts = (sorted(filter(None, ids or ())) for ids in filed)
    subcategories = sorted({*subcategories, *of_parts})
    return Pending(line_count, posting_count, accounts, subcategories, teams, taxes, tags)


def pending_lines(caller: Caller, first: date, last: date, after: str, limit: int) -> list[ExportLine]:
    """What nobody has exported yet of these days, line by line behind the `place` of the last one that is known ("" from
    the beginning); their numbers are 0, they get one when they are exported. 422 for days in the wrong order, and for a
    place that is none."""
    values: dict[str, str | int | date] = {
        "business": caller.business.id, "first": first, "last": _last(first, last), "limit": limit, **_after(after, first),
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        _bounded(cursor)
        cursor.execute(UNCLAIMED_LINES, values)
        return [ExportLine(*row) for row in cursor.fetchall()]


def _after(place: str, first: date) -> dict[str, int | date]:
    day, *numbers = place.split(".") if place else (str(first), "0", "0", "0")
    try:
        posting, account, seq = (int(number) for number in numbers)
        return {
            "after_day": date.fromisoformat(day), "after_posting": posting, "after_account": account, "after_seq": seq
        }  # fmt: skip
    except ValueError:
        raise errors.validation_failed("after", "It is no place in the journal.") from None


def create_export(caller: Caller, first: date, last: date) -> JournalExport:
    """Claims every entry of these days that no live export holds. 409 nothing_to_export where there is none, 422 for days
    in the wrong order."""
    _last(first, last)
    with transaction.atomic(), connection.cursor() as cursor:
        # One export of a business at a time; postings do not wait for it.
        Business.objects.select_for_update(of=("self",), no_key=True).get(id=caller.business.id)
        earlier = effects.earlier(caller, journal_exports(caller))
        if earlier is not None:
            return earlier
        _bounded(cursor)
        newest = journal_exports(caller).aggregate(newest=Max("number"))["newest"] or 0
        row = JournalExport.objects.create(
            id=effects.new_id(caller), business_id=caller.business.id, number=newest + 1, first_day=first, last_day=last,
            exported_by=caller.label,
        )  # fmt: skip
        values: dict[str, str | date] = {
            "business": caller.business.id, "first": first, "last": last, "export": row.id,
        }  # fmt: skip
        cursor.execute(CLAIM, values)
        if not cursor.rowcount:
            raise errors.conflict("nothing_to_export", "Everything of these days is exported already.")
        cursor.execute(DIGEST, values)
        [(row.line_count, row.posting_count, row.sha256)] = cursor.fetchall()
        row.save(update_fields=["line_count", "posting_count", "sha256"])
        note(caller, "journal_export.create", "journal_export", row.id, after=_noted(row))
    return row


def sums(row: JournalExport) -> list[AccountSum]:
    """What each account moved in an export."""
    with connection.cursor() as cursor:
        cursor.execute(HELD_SUMS, {"export": row.id})
        return [AccountSum(*values) for values in cursor.fetchall()]


def export_lines(row: JournalExport, after: int, limit: int) -> Iterator[ExportLine]:
    """The entries behind the one of that number, in their order."""
    with connection.cursor() as cursor:
        cursor.execute(LINES, {"export": row.id, "after": after, "limit": limit})
        yield from (ExportLine(*values) for values in cursor.fetchall())


def undo_export(caller: Caller, export_id: str, proposed_by: str, reason: str) -> JournalExport:
    """Lets go of every entry that an export holds: the next one claims them anew. It stays listed, with what it held.

    404 for it or for the proposer, who is another admin than the caller (403 self_approval_forbidden); an export that is
    undone already stays as it is.
    """
    proposer = Employee.objects.filter(business_id=caller.business.id, id=proposed_by, role__in=ADMINS).first()
    if proposer is None:
        raise errors.not_found("employee")
    if caller.employee_id in {None, proposer.id}:
        raise errors.self_approval_forbidden("Whoever proposed to undo an export does not confirm it.")
    with transaction.atomic():
        row = journal_exports(caller).select_for_update(no_key=True, of=("self",)).filter(id=export_id).first()
        if row is None:
            raise errors.not_found("journal export")
        if row.status == ExportStatus.UNDONE:
            return row
        ExportedEntry.objects.filter(export=row).update(live=False)
        row.status, row.undone_at, row.undone_by = ExportStatus.UNDONE, timezone.now(), caller.label
        row.undo_proposed_by, row.undo_reason = proposer.id, reason
        row.version += 1
        row.save()
        note(caller, "journal_export.undo", "journal_export", row.id, before=_noted(row), after={
            "proposed_by": proposer.id, "reason": reason,
        })  # fmt: skip
    return row


def _noted(row: JournalExport) -> dict[str, object]:
    return {
        "number": row.number, "from": row.first_day, "to": row.last_day, "lines": row.line_count, "sha256": row.sha256,
    }  # fmt: skip


def _last(first: date, last: date) -> date:
    if last < first:
        raise errors.validation_failed("to", "The last day lies before the first one.")
    return last


def _bounded(cursor: Any) -> None:
    cursor.execute(f"set local statement_timeout = '{SECONDS}'")
