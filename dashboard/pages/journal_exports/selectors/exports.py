"""What is read of exports: the periods, what waits, the service's word on all, and our own rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Q, QuerySet

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import NotFound
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.models import JournalExport, JournalExportFile
from dashboard.journal_files.exports import SUMS_S, account_holders, journal_line
from dashboard.journal_files.mappings import correctable_exports, mappings_of, missing
from dashboard.pages.journal_exports.forms import ALL_PERIODS
from dashboard.proposals.models import JOURNAL_EXPORT, Proposal
from dashboard.proposals.selectors import open_proposals
from dashboard.schemas.accounting import AccountingPeriod, TrialBalance
from dashboard.schemas.journal_exports import JournalCorrections, PendingExport, PendingLines
from dashboard.schemas.journal_exports import JournalExport as RemoteExport

LIVE_S = 8.0
PENDING_AT_ONCE = 100
MOST_LISTED = 100
CURSOR = re.compile(r"[A-Za-z0-9_-]{1,400}")


@dataclass(frozen=True, slots=True)
class ExportPages:
    """Which pages of the list are shown: the service's exports behind the cursor `after`, and ours behind the one of id `before`;
    "" for the newest."""

    after: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class OwnExports:
    """A page of our own rows, the newest first, and the id behind which the next one goes on, "" at the end; and of a page of the
    service's exports those that are ours, by their id there."""

    rows: list[JournalExport]
    older: str
    by_remote_id: dict[str, JournalExport]


def pages_of(sent: Mapping[str, str]) -> ExportPages:
    """The pages that an address asks for; the first of each for what is none."""
    after, before = sent.get("after", ""), sent.get("before", "")
    try:
        before = str(UUID(before)) if before else ""
    except ValueError:
        before = ""
    return ExportPages(after if CURSOR.fullmatch(after) else "", before)


def exported_periods(actor: Actor) -> list[AccountingPeriod]:
    """The accounting periods, the newest first. Raises the FinanceError tree."""
    return typed(
        read_page(read_live(actor, operations_accounting.LIST_PERIODS, deadline=LIVE_S).data).rows, AccountingPeriod
    )


def days_of(periods: Sequence[AccountingPeriod], name: str) -> tuple[date, date] | None:
    """The first and the last day of a period by its name, or of all of them; None where there is none of that name."""
    of = [period for period in periods if name in {ALL_PERIODS, period.period}]
    return (min(period.first for period in of), max(period.last for period in of)) if of else None


def exported_period(actor: Actor, name: str) -> AccountingPeriod:
    """One of them; NotFound for what is none."""
    answer = read_live(actor, operations_accounting.READ_PERIOD, path={"period": name}, deadline=LIVE_S)
    return parsed(answer.data, AccountingPeriod)


def trial_balance_of(actor: Actor, period: str) -> TrialBalance:
    """The trial balance of a period."""
    path = {"period": period}
    return parsed(
        read_live(actor, operations_accounting.READ_TRIAL_BALANCE, path=path, deadline=SUMS_S).data, TrialBalance
    )


def pending_of(actor: Actor, first: date, last: date) -> PendingExport:
    """What is not exported yet of these days. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"from": first.isoformat(), "to": last.isoformat()}
    answer = read_live(actor, operations_accounting.READ_PENDING_JOURNAL_EXPORT, query=query, deadline=SUMS_S)
    return parsed(answer.data, PendingExport)


def unknown_corrected(actor: Actor, pending_export: PendingExport) -> list[int]:
    """The numbers of the exports that would be corrected, and of which nobody knows here what anything was called there."""
    return sorted(set(pending_export.corrected_exports) - set(correctable_exports(actor)))


def exportable_lines(actor: Actor, first: date, last: date, formats: Sequence[str]) -> int:
    """How many lines an export of these days in these formats would have; 0 where there are none, or where something has no
    mapping yet, or corrects an export that is not known here. Raises the FinanceError tree."""
    pending = pending_of(actor, first, last)
    unmapped = missing(actor, mappings_of(actor), pending.accounts, pending.tax_ids, chosen(formats))
    return 0 if unmapped or unknown_corrected(actor, pending) else pending.line_count


def pending_lines_of(actor: Actor, first: date, last: date, after: str) -> tuple[list[JournalLine], str]:
    """A page of the lines that nobody has exported yet, and the place behind which the next one goes on, "" at the end.
    Raises the FinanceError tree."""
    query: dict[str, str | int] = {"from": first.isoformat(), "to": last.isoformat(), "limit": PENDING_AT_ONCE}
    if after:
        query["after"] = after
    answer = read_live(actor, operations_accounting.LIST_PENDING_JOURNAL_LINES, query=query, deadline=SUMS_S)
    lines = parsed(answer.data, PendingLines)
    names = account_holders(actor, lines.docs)
    return [journal_line(line, names.get(line.holder_id, "")) for line in lines.docs], lines.next_after or ""


def corrections_of(actor: Actor, first: date, last: date, after: str) -> JournalCorrections:
    """A page of what the next export of these days would correct. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"from": first.isoformat(), "to": last.isoformat(), "limit": PENDING_AT_ONCE}
    if after:
        query["after"] = after
    answer = read_live(actor, operations_accounting.LIST_JOURNAL_CORRECTIONS, query=query, deadline=SUMS_S)
    return parsed(answer.data, JournalCorrections)


def exports_of(actor: Actor) -> QuerySet[JournalExport]:
    """Our own rows of exports, the newest first."""
    rows = JournalExport.objects.filter(business=actor.business).select_related("business", "created_by__user")
    return rows.order_by("-created_at", "pk")


def export_of(actor: Actor, export_id: UUID) -> JournalExport:
    """One of them; NotFound for any other."""
    row = exports_of(actor).filter(pk=export_id).first()
    if row is None:
        raise NotFound
    return row


def remote_exports(actor: Actor, after: str = "") -> tuple[list[RemoteExport], Page]:
    """A page of the exports as the service knows them, the newest first, behind a cursor ("" for the first). Raises the
    FinanceError tree."""
    query: dict[str, str | int] = {"limit": MOST_LISTED, **({"cursor": after} if after else {})}
    answer_page = read_page(
        read_live(actor, operations_accounting.LIST_JOURNAL_EXPORTS, query=query, deadline=LIVE_S).data
    )
    return typed(answer_page.rows, RemoteExport), answer_page


def own_exports(actor: Actor, remote: Sequence[RemoteExport] | None, before: str) -> OwnExports:
    """Ours beside a page of the service's exports: those that are none there. All of ours where the service did not answer (None)."""
    rows = exports_of(actor)
    last = rows.filter(pk=before).first() if before else None
    listed = rows if remote is None else rows.filter(remote_id="")
    if last is not None:
        listed = listed.filter(Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, pk__gt=last.pk))
    page = list(listed[: MOST_LISTED + 1])
    ids = [export.id for export in remote or ()]
    by_remote_id = {row.remote_id: row for row in rows.filter(remote_id__in=ids)}
    older = str(page[MOST_LISTED - 1].pk) if len(page) > MOST_LISTED else ""
    return OwnExports(page[:MOST_LISTED], older, by_remote_id)


def journal_export_file(row: JournalExport, file_id: int) -> JournalExportFile:
    """A file of an export; NotFound for any other."""
    file = row.files.filter(pk=file_id).first()
    if file is None:
        raise NotFound
    return file


def open_undo(actor: Actor, row: JournalExport) -> Proposal | None:
    """The proposal to undo an export that waits; None where there is none."""
    proposals = open_proposals(actor).filter(target_type=JOURNAL_EXPORT, target_id=str(row.pk))
    return proposals.order_by("-pk").first()
