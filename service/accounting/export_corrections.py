"""Corrections: entries that were exported and are filed otherwise now. The next export takes back what was said of each and
says it anew, as two lines that come to nothing: the export that held it stays as it is.

Only the other side of a wallet is corrected, and what is owed of withheld taxes: there a category says more than the account.
The wallet's own line keeps the category and tags that it was exported with.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from service import errors
from service.accounting.entry_categories import FILED, FLOATS, PARTS, SUBCATEGORY, TAGS, TAX, TEAM
from service.accounting.models import ExportedEntry, JournalExport

# Of each exported entry what the latest live export said of it, and what it is filed under now, where that differs.
CHANGED = f"""
select unclaimed.*, {SUBCATEGORY} as subcategory_id, {TEAM} as team_id, {TAX} as tax_id, {TAGS} as tag_ids, {PARTS} as parts
from (
    select distinct on (held.ledger_account_id, held.entry_seq) posted.effective_on, posted.id as posting_id,
        posted.kind as posting_kind, posted.external_ref, coalesce(entry.note, posted.description) as description,
        entry.account_id, entry.seq, account.kind as account_kind, account.currency, entry.amount, entry.note as entry_note,
        held.subcategory_id as exported_subcategory_id, held.team_id as exported_team_id, held.tax_id as exported_tax_id,
        held.tag_ids as exported_tag_ids, held.parts as exported_parts, corrected.number as corrected_export
    from ledger_account account
    join accounting_exportedentry held on held.ledger_account_id = account.id and held.live and held.correction >= 0
    join accounting_journalexport corrected on corrected.id = held.export_id
    join ledger_entry entry on entry.account_id = held.ledger_account_id and entry.seq = held.entry_seq
    join ledger_transaction posted on posted.id = held.ledger_transaction_id
    where account.business_id = %(business)s and (account.kind in {FLOATS} or account.kind = 'WHT_PAYABLE')
        and posted.effective_on between %(first)s and %(last)s
    order by held.ledger_account_id, held.entry_seq, held.id desc
) unclaimed
{FILED}
where (exported_subcategory_id, exported_team_id, exported_tax_id, exported_tag_ids, exported_parts)
    is distinct from ({SUBCATEGORY}, {TEAM}, {TAX}, {TAGS}, {PARTS})
"""  # noqa: S608  put together from constants alone
# The parts of what is taken back: with the other sign.
NEGATED = """array(
    select concat_ws(':', split_part(part, ':', 1), -(split_part(part, ':', 2)::bigint), split_part(part, ':', 3),
        split_part(part, ':', 4), split_part(part, ':', 5))
    from unnest(exported_parts) with ordinality listed(part, place) order by place)"""
# What a correction has of lines.
LINES_PER_CORRECTION = 2
# Behind the entries of the export: each taken back, then said anew. A posting's first correction is 1, its second one 2: below
# zero what is taken back. What this very export has claimed a statement before, and somebody has filed otherwise since, is left
# to the next one.
CLAIM = f"""
insert into accounting_exportedentry (export_id, number, live, ledger_account_id, entry_seq, ledger_transaction_id,
    subcategory_id, team_id, tax_id, tag_ids, parts, corrected_export, correction)
select %(export)s, %(claimed)s + row_number() over (order by effective_on, posting_id, account_id, seq, side), true, account_id,
    seq, posting_id, case when side < 0 then exported_subcategory_id else subcategory_id end,
    case when side < 0 then exported_team_id else team_id end, case when side < 0 then exported_tax_id else tax_id end,
    case when side < 0 then exported_tag_ids else tag_ids end, case when side < 0 then {NEGATED} else parts end, corrected_export,
    side * (1 + coalesce((select max(abs(earlier.correction)) from accounting_exportedentry earlier
        where earlier.ledger_transaction_id = posting_id), 0))
from (select * from ({CHANGED}) every_change where corrected_export <> %(number)s
    order by effective_on, posting_id, account_id, seq limit %(room)s) changed
cross join (values (-1), (1)) sides(side)
"""  # noqa: S608  put together from constants alone
# A page of them, behind a place.
PAGE = f"""
select effective_on, posting_id, account_id, seq, account_kind, coalesce((select wallet.name from accounts_wallet wallet
        where wallet.ledger_account_id = account_id), ''), coalesce(nullif(description, ''), external_ref), currency, amount,
    corrected_export, exported_subcategory_id, exported_team_id, exported_tag_ids, exported_parts, subcategory_id, team_id, tag_ids, parts
from ({CHANGED}) changed
where (effective_on, posting_id, account_id, seq) > (%(after_day)s, %(after_posting)s, %(after_account)s, %(after_seq)s)
order by effective_on, posting_id, account_id, seq limit %(limit)s
"""  # noqa: S608  put together from constants alone


@dataclass(frozen=True, slots=True)
class Correction:
    """An exported entry that is filed otherwise now: what was exported, in the export of that number, and what it is.
    `parts` as the table holds them."""

    effective_on: date
    ledger_transaction_id: int
    account_id: int
    seq: int
    account_kind: str
    account_name: str
    description: str
    currency: str
    amount_minor: int
    corrected_export: int
    exported_subcategory_id: str
    exported_team_id: str
    exported_tag_ids: Sequence[str]
    exported_parts: Sequence[str]
    subcategory_id: str
    team_id: str
    tag_ids: Sequence[str]
    parts: Sequence[str]

    @property
    def place(self) -> str:
        """Where it stands among the corrections: day, posting, account and number in the account."""
        return f"{self.effective_on}.{self.ledger_transaction_id}.{self.account_id}.{self.seq}"


def claim(cursor: Any, values: Mapping[str, str | int | date], claimed: int, room: int | None) -> int:
    """Puts the corrections of an export behind the entries that it has claimed, the first `room` of them, or all; how many
    entries it corrects."""
    cursor.execute(CLAIM, {**values, "claimed": claimed, "room": room})
    return int(cursor.rowcount) // LINES_PER_CORRECTION


def page_of_corrections(values: Mapping[str, str | int | date]) -> list[Correction]:
    """Those of a business's days behind a place, at most `limit`: what the next export of these days would correct."""
    with connection.cursor() as cursor:
        cursor.execute(PAGE, values)
        return [Correction(*row) for row in cursor.fetchall()]


def refuse_unknown(row: JournalExport, correctable: Collection[int]) -> None:
    """409 where an export would correct another one than those: its caller would not know what to take back."""
    corrected = ExportedEntry.objects.filter(export=row, correction__lt=0).exclude(corrected_export__in=correctable)
    number = corrected.order_by("corrected_export").values_list("corrected_export", flat=True).first()
    if number is not None:
        raise errors.conflict("corrected_unknown", f"It would correct lines of export {number}: nothing was exported.")


def refuse_corrected(row: JournalExport) -> None:
    """409 where a later live export corrects what this one holds: undone alone, the accountant's books would have the
    correction without what it corrects."""
    held = ExportedEntry.objects.filter(export=row, live=True, correction__gte=0)
    later = ExportedEntry.objects.filter(
        live=True, export__business_id=row.business_id, export__number__gt=row.number, correction__lt=0,
        ledger_transaction_id__in=held.values("ledger_transaction_id"),
    ).order_by("export__number")  # fmt: skip
    number = later.values_list("export__number", flat=True).first()
    if number is not None:
        raise errors.invalid_state(f"Export {number} corrects lines of this one: undo that one first.")
