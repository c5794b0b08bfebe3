"""Journal exports: entries of the ledger given to the accountant, each once.

An export claims every entry of its days that no live export holds, all entries of a posting together, so that what it
holds comes to nothing in each currency. What it holds does not change; it can be undone, by two people.
"""

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from service import effects, errors
from service.accounting import export_corrections
from service.accounting.entry_categories import FILED, PARTS, SUBCATEGORY, TAGS, TAX, TEAM
from service.accounting.export_contents import SIGNED, UNCLAIMED, bound, last_day
from service.accounting.export_corrections import CHANGED
from service.accounting.models import ExportedEntry, ExportStatus, JournalExport
from service.auth import ADMINS, Caller
from service.businesses.models import Business, Employee
from service.events.audit import record_audit

LARGEST_ID = 10**18 - 1

# The last posting of those that are claimed first, in the order of their days, and have no more lines than that: one at least.
CUT = f"""
select effective_on, posting_id from (
    select posted.effective_on, posted.id as posting_id, row_number() over (order by posted.effective_on, posted.id) as place,
        sum(count(*)) over (order by posted.effective_on, posted.id) as line_count
    {UNCLAIMED} group by posted.effective_on, posted.id
) posting
where line_count <= %(most)s or place = 1
order by effective_on desc, posting_id desc limit 1
"""  # noqa: S608  put together from constants alone
CLAIM = f"""
insert into accounting_exportedentry (export_id, number, live, ledger_account_id, entry_seq, ledger_transaction_id,
    subcategory_id, team_id, tax_id, tag_ids, parts)
select %(export)s, row_number() over (order by effective_on, posting_id, account_id, seq), true, account_id, seq,
    posting_id, {SUBCATEGORY}, {TEAM}, {TAX}, {TAGS}, {PARTS}
from (select posted.effective_on, posted.id as posting_id, posted.kind as posting_kind, entry.account_id, entry.seq,
        account.kind as account_kind, entry.amount, entry.note as entry_note
    {UNCLAIMED} and (posted.effective_on, posted.id) <= (%(through_day)s, %(through_posting)s)) unclaimed
{FILED}
"""  # noqa: S608  put together from constants alone
# Whether anything of these days is in no export, or filed otherwise than in the latest: what one of so many lines has left.
LEFT = f"""
select exists (select {UNCLAIMED}) or exists (select from ({CHANGED}) changed)
"""  # noqa: S608  put together from constants alone
# One line of text per entry, in the order of their numbers: whoever has the entries comes to the same hash.
DIGEST = f"""
select count(*), count(distinct held.ledger_transaction_id), encode(sha256(convert_to(coalesce(string_agg(concat_ws(';',
    held.number, posted.effective_on, posted.id, held.ledger_account_id, held.entry_seq, entry.currency, {SIGNED},
    held.subcategory_id, held.team_id, held.tax_id, array_to_string(held.tag_ids, ','),
    nullif(array_to_string(held.parts, ','), '')) || chr(10), '' order by held.number), ''), 'UTF8')), 'hex')
from accounting_exportedentry held
join ledger_entry entry on entry.account_id = held.ledger_account_id and entry.seq = held.entry_seq
join ledger_transaction posted on posted.id = held.ledger_transaction_id
where held.export_id = %(export)s
"""  # noqa: S608  put together from constants alone


def journal_exports(caller: Caller) -> QuerySet[JournalExport]:
    """The exports of the business."""
    return JournalExport.objects.filter(business_id=caller.business.id)


def get_export(caller: Caller, export_id: str) -> JournalExport:
    """One export; 404 for any other's."""
    row = journal_exports(caller).filter(id=export_id).first()
    if row is None:
        raise errors.not_found("journal export")
    return row


def create_export(
    caller: Caller, first: date, last: date, most_lines: int | None = None, correctable: Collection[int] | None = None
) -> JournalExport:
    """Claims every entry of these days that no live export holds, and corrects those that are filed otherwise than the latest
    export said. With `most_lines` no more lines than that, the first in their order: all of a posting together, so that there
    are more where one posting, or one correction, alone has more; the rest is the next export's. 409 nothing_to_export where there is none, 409
    corrected_unknown where it would correct an export that is none of those that are `correctable` (None: any), 422 for days
    in the wrong order: then nothing is claimed."""
    last_day(first, last)
    with transaction.atomic(), connection.cursor() as cursor:
        # One export of a business at a time; postings do not wait for it.
        Business.objects.select_for_update(of=("self",), no_key=True).get(id=caller.business.id)
        earlier = effects.earlier(caller, journal_exports(caller))
        if earlier is not None:
            return earlier
        bound(cursor)
        newest = journal_exports(caller).aggregate(newest=Max("number"))["newest"] or 0
        row = JournalExport.objects.create(
            id=effects.new_id(caller), business_id=caller.business.id, number=newest + 1, first_day=first, last_day=last,
            exported_by=caller.label,
        )  # fmt: skip
        values: dict[str, str | int | date] = {
            "business": caller.business.id, "first": first, "last": last, "export": row.id,
            "number": row.number,
        }  # fmt: skip
        cursor.execute(CLAIM, {**values, **_through(cursor, values, most_lines)})
        claimed = int(cursor.rowcount)
        row.correction_count = export_corrections.claim(cursor, values, claimed, _room(most_lines, claimed))
        if correctable is not None:
            export_corrections.refuse_unknown(row, correctable)
        if not claimed + row.correction_count:
            raise errors.conflict("nothing_to_export", "Everything of these days has been exported.")
        if most_lines is not None:
            cursor.execute(LEFT, values)
            [(row.is_partial,)] = cursor.fetchall()
        cursor.execute(DIGEST, values)
        [(row.line_count, row.posting_count, row.sha256)] = cursor.fetchall()
        row.save(update_fields=["line_count", "posting_count", "correction_count", "is_partial", "sha256"])
        record_audit(caller, "journal_export.create", "journal_export", row.id, after=_noted(row))
    return row


def _room(most_lines: int | None, claimed: int) -> int | None:
    """How many entries are corrected at most behind those that are claimed: one at least where there are no others."""
    if most_lines is None:
        return None
    return max(max(0, most_lines - claimed) // export_corrections.LINES_PER_CORRECTION, int(not claimed))


def _through(cursor: Any, values: Mapping[str, str | int | date], most_lines: int | None) -> dict[str, int | date]:
    """Up to which day and posting an export claims."""
    if most_lines is not None:
        cursor.execute(CUT, {**values, "most": most_lines})
        if row := cursor.fetchone():
            return {"through_day": row[0], "through_posting": row[1]}
    return {"through_day": date.max, "through_posting": LARGEST_ID}


def undo_export(caller: Caller, export_id: str, proposed_by: str, reason: str) -> JournalExport:
    """Lets go of every entry that an export holds: the next one claims them anew. It stays listed, with what it held.

    404 for it or for the proposer, who is another admin than the caller (403 self_approval_forbidden); an export that is
    undone already stays as it is. 409 while a later one corrects lines of it.
    """
    proposer = Employee.objects.filter(business_id=caller.business.id, id=proposed_by, role__in=ADMINS).first()
    if proposer is None:
        raise errors.not_found("employee")
    if caller.employee_id in {None, proposer.id}:
        raise errors.self_approval_forbidden("Whoever proposed to undo an export does not confirm it.")
    with transaction.atomic():
        # Not while an export of the business is made, which may correct lines of this one.
        Business.objects.select_for_update(of=("self",), no_key=True).get(id=caller.business.id)
        row = journal_exports(caller).select_for_update(no_key=True, of=("self",)).filter(id=export_id).first()
        if row is None:
            raise errors.not_found("journal export")
        if row.status == ExportStatus.UNDONE:
            return row
        export_corrections.refuse_corrected(row)
        ExportedEntry.objects.filter(export=row).update(live=False)
        row.status, row.undone_at, row.undone_by = ExportStatus.UNDONE, timezone.now(), caller.label
        row.undo_proposed_by, row.undo_reason = proposer.id, reason
        row.version += 1
        row.save()
        record_audit(caller, "journal_export.undo", "journal_export", row.id, before=_noted(row), after={
            "proposed_by": proposer.id, "reason": reason,
        })  # fmt: skip
    return row


def _noted(row: JournalExport) -> dict[str, object]:
    return {
        "number": row.number, "from": row.first_day, "to": row.last_day, "lines": row.line_count, "sha256": row.sha256,
        "corrections": row.correction_count, "is_partial": row.is_partial,
    }  # fmt: skip
