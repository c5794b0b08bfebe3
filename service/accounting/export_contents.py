"""What a journal export holds, and what the next one of some days would: its lines, its corrections, and what they come to by
account."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection, transaction

from service import errors
from service.accounting import export_corrections
from service.accounting.entry_categories import FILED, PARTS, SUBCATEGORY, TAGS, TAX, TEAM
from service.accounting.export_corrections import CHANGED, Correction
from service.accounting.models import JournalExport
from service.auth import Caller

SECONDS = "60s"

# Each entry is looked up among the exported ones by its key (`offset 0` keeps it from becoming a join): right after an export the
# database takes its many entries for a few, and as a join this looked through all of them for each entry of the days.
UNCLAIMED = """
from ledger_account account
join ledger_entry entry on entry.account_id = account.id
join ledger_transaction posted on posted.id = entry.transaction_id
where account.business_id = %(business)s and posted.effective_on between %(first)s and %(last)s
    and not exists (select from accounting_exportedentry held where held.live and held.correction = 0
        and held.ledger_account_id = entry.account_id and held.entry_seq = entry.seq offset 0)
"""
# What a correction takes back has the other sign.
SIGNED = "case when held.correction < 0 then -entry.amount else entry.amount end"
# Summed before accounts are looked at: right after an export the database takes its many entries for a few, and as one join this
# looked through all of them for each account.
SUMS = """
with summed as materialized (
    select account_id, coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as debit,
        coalesce(sum(amount) filter (where amount > 0), 0)::bigint as credit, count(*) as entries
    from ({entries}) moved(account_id, amount) group by account_id
)
select account.id, account.kind, coalesce(wallet.name, ''), account.currency, account.holder_type, account.holder_id,
    summed.debit, summed.credit, summed.entries
from summed join ledger_account account on account.id = summed.account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
order by account.currency, account.kind, account.id
"""
HELD = f"""select entry.account_id, {SIGNED} from accounting_exportedentry held
    join ledger_entry entry on entry.account_id = held.ledger_account_id and entry.seq = held.entry_seq
    where held.export_id = %(export)s"""  # noqa: S608  put together from constants alone
HELD_SUMS = SUMS.format(entries=HELD)
WAITING = f"""select entry.account_id, entry.amount {UNCLAIMED} union all
    select account_id, side * amount from ({CHANGED}) changed cross join (values (-1), (1)) sides(side)
"""  # noqa: S608  put together from constants alone
UNCLAIMED_SUMS = SUMS.format(entries=WAITING)
UNCLAIMED_FILED = f"""
with changed as materialized ({CHANGED})
select count(*), count(distinct posting_id), (select count(*) from changed),
    array(select distinct corrected_export from changed order by 1), array_agg(distinct subcategory_id), array_agg(distinct team_id),
    array_agg(distinct tax_id), string_to_array(string_agg(distinct array_to_string(tag_ids, ','), ','), ','),
    string_to_array(string_agg(distinct array_to_string(parts, ','), ','), ',')
from (
    select posting_id, {SUBCATEGORY} as subcategory_id, {TEAM} as team_id, {TAX} as tax_id, {TAGS} as tag_ids, {PARTS} as parts
    from (select posted.id as posting_id, posted.kind as posting_kind, account.kind as account_kind, entry.amount,
            entry.note as entry_note
        {UNCLAIMED}) unclaimed
    {FILED}
    union all
    select posting_id, subcategory_id, team_id, tax_id, tag_ids, parts from changed
    union all
    select posting_id, exported_subcategory_id, exported_team_id, exported_tax_id, exported_tag_ids, exported_parts from changed
) line
"""  # noqa: S608  put together from constants alone
# Accounts that parts stand on, which need not move themselves.
HELD_ON = """
select distinct split_part(part, ':', 4) from accounting_exportedentry held, unnest(held.parts) part
where held.export_id = %(export)s and split_part(part, ':', 4) <> ''
"""
STOOD_ON = """
select account.id, account.kind, coalesce(wallet.name, ''), account.currency, account.holder_type, account.holder_id, 0, 0, 0
from ledger_account account left join accounts_wallet wallet on wallet.ledger_account_id = account.id
where account.id = any(%s)
order by account.currency, account.kind, account.id
"""
# Each entry is looked up by its key, whatever the database believes of a table that has just grown by a hundred thousand.
LINES = f"""
with held as materialized (
    select * from accounting_exportedentry where export_id = %(export)s and number > %(after)s order by number limit %(limit)s
)
select held.number, posted.effective_on, entry.posted_at, posted.id, posted.kind, posted.external_ref,
    case when held.correction <> 0 then 'Correction: ' else '' end || coalesce(entry.note, posted.description), account.id, entry.seq, account.kind, coalesce(wallet.name, ''),
    account.holder_type, account.holder_id, entry.currency, {SIGNED}, held.subcategory_id, held.team_id, held.tax_id, held.tag_ids,
    held.parts, held.correction, held.corrected_export
from held join lateral (
    select * from ledger_entry one where one.account_id = held.ledger_account_id and one.seq = held.entry_seq limit 1
) entry on true
join ledger_transaction posted on posted.id = held.ledger_transaction_id
join ledger_account account on account.id = held.ledger_account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
order by held.number
"""  # noqa: S608  put together from constants alone

# Line by line, in the order in which an export would number them; behind the line that is known.
UNCLAIMED_LINES = f"""
select 0, effective_on, posted_at, posting_id, posting_kind, external_ref, description, account_id, seq, account_kind,
    account_name, holder_type, holder_id, currency, amount, {SUBCATEGORY}, {TEAM}, {TAX}, {TAGS}, {PARTS}, 0, null
from (select posted.effective_on, entry.posted_at, posted.id as posting_id, posted.kind as posting_kind,
        posted.external_ref, coalesce(entry.note, posted.description) as description, account.id as account_id,
        entry.seq, account.kind as account_kind, coalesce((select wallet.name from accounts_wallet wallet
            where wallet.ledger_account_id = account.id), '') as account_name, account.holder_type, account.holder_id,
        entry.currency, entry.amount, entry.note as entry_note
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
    correction_count: int
    corrected_exports: Sequence[int]
    accounts: Sequence[AccountSum]
    subcategories: Sequence[str]
    teams: Sequence[str]
    taxes: Sequence[str]
    tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class ExportPart:
    """A part of an entry, in minor units with its sign; `account_id` is the account on which it stands in the business's own
    books, None for the entry's."""

    subcategory_id: str
    amount_minor: int
    team_id: str
    account_id: int | None
    tag_ids: Sequence[str]

    @classmethod
    def from_text(cls, text: str) -> "ExportPart":
        """From what the table holds (entry_categories.py)."""
        subcategory_id, minor, team_id, account_id, tags = text.split(":")
        return cls(
            subcategory_id,
            int(minor),
            team_id,
            int(account_id) if account_id else None,
            tags.split("+") if tags else [],
        )


@dataclass(frozen=True, slots=True)
class ExportLine:
    """An entry of an export, by its number there from 1; `parts` of one that is given in several, or that stands on another
    account in the business's own books: as the table holds them."""

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
    correction: int
    corrected_export: int | None

    @property
    def place(self) -> str:
        """Where the line stands among those that nobody has exported: day, posting, account and number in the account."""
        return f"{self.effective_on}.{self.ledger_transaction_id}.{self.account_id}.{self.seq}"


def pending(caller: Caller, first: date, last: date) -> Pending:
    """What nobody has exported yet of these days; 422 for days in the wrong order."""
    values: dict[str, str | date] = {
        "business": caller.business.id, "first": first, "last": last_day(first, last),
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        bound(cursor)
        cursor.execute(UNCLAIMED_FILED, values)
        [(line_count, posting_count, correction_count, corrected_exports, *filed)] = cursor.fetchall()
        cursor.execute(UNCLAIMED_SUMS, values)
        accounts = [AccountSum(*row) for row in cursor.fetchall()]
        *of_lines, texts = filed
        parts = [ExportPart.from_text(text) for text in texts or () if text]
        accounts += _stood_on(cursor, accounts, {part.account_id for part in parts if part.account_id})
    of_parts = (
        {part.subcategory_id for part in parts}, {part.team_id for part in parts}, set[str](),
        {tag_id for part in parts for tag_id in part.tag_ids},
    )  # fmt: skip
    subcategories, teams, taxes, tags = (
        sorted({*(ids or ()), *more} - {"", None}) for ids, more in zip(of_lines, of_parts, strict=True)
    )
    return Pending(
        line_count, posting_count, correction_count, corrected_exports, accounts, subcategories, teams, taxes, tags
    )  # fmt: skip


def _stood_on(cursor: Any, moved: Sequence[AccountSum], account_ids: set[int]) -> list[AccountSum]:
    """Those of these accounts that do not move, with nothing."""
    cursor.execute(STOOD_ON, [sorted(account_ids - {row.account_id for row in moved})])
    return [AccountSum(*row) for row in cursor.fetchall()]


def pending_lines(caller: Caller, first: date, last: date, after: str, limit: int) -> list[ExportLine]:
    """What nobody has exported yet of these days, line by line behind the `place` of the last one that is known ("" from
    the beginning); their numbers are 0, they get one when they are exported. 422 for days in the wrong order, and for a
    place that is none."""
    values: dict[str, str | int | date] = {
        "business": caller.business.id, "first": first, "last": last_day(first, last), "limit": limit, **_after(after, first),
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        bound(cursor)
        cursor.execute(UNCLAIMED_LINES, values)
        return [ExportLine(*row) for row in cursor.fetchall()]


def corrections(caller: Caller, first: date, last: date, after: str, limit: int) -> list[Correction]:
    """What the next export of these days would correct, entry by entry behind the `place` of the last one that is known ("" from
    the beginning). 422 for days in the wrong order, and for a place that is none."""
    values: dict[str, str | int | date] = {
        "business": caller.business.id, "first": first, "last": last_day(first, last), "limit": limit, **_after(after, first),
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        bound(cursor)
        return export_corrections.page_of_corrections(values)


def _after(place: str, first: date) -> dict[str, int | date]:
    day, *numbers = place.split(".") if place else (str(first), "0", "0", "0")
    try:
        posting, account, seq = (int(number) for number in numbers)
        return {
            "after_day": date.fromisoformat(day), "after_posting": posting, "after_account": account, "after_seq": seq
        }  # fmt: skip
    except ValueError:
        raise errors.validation_failed("after", "It is no place in the journal.") from None


def sums(row: JournalExport) -> list[AccountSum]:
    """What each account moved in an export; nothing for one that a part of a line stands on alone."""
    with connection.cursor() as cursor:
        cursor.execute(HELD_SUMS, {"export": row.id})
        moved = [AccountSum(*values) for values in cursor.fetchall()]
        cursor.execute(HELD_ON, {"export": row.id})
        return moved + _stood_on(cursor, moved, {int(account_id) for (account_id,) in cursor.fetchall()})


def export_lines(row: JournalExport, after: int, limit: int) -> Iterator[ExportLine]:
    """The entries behind the one of that number, in their order."""
    with connection.cursor() as cursor:
        cursor.execute(LINES, {"export": row.id, "after": after, "limit": limit})
        yield from (ExportLine(*values) for values in cursor.fetchall())


def last_day(first: date, last: date) -> date:
    """The last of these days; 422 where it lies before the first."""
    if last < first:
        raise errors.validation_failed("to", "The last day lies before the first one.")
    return last


def bound(cursor: Any) -> None:
    """Has no statement of the transaction take longer than SECONDS."""
    cursor.execute(f"set local statement_timeout = '{SECONDS}'")
