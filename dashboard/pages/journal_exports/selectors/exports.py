"""What is read of exports: the periods, what waits, the service's word on each, our own rows, and the lines of one."""

from collections.abc import Iterator
from datetime import date
from uuid import UUID

from django.db.models import QuerySet

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer, NotFound
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.models import JournalExport, JournalExportFile
from dashboard.mirror.models import Employee
from dashboard.proposals.models import JOURNAL_EXPORT, Proposal
from dashboard.proposals.selectors import open_proposals
from dashboard.schemas.accounting import Period, TrialBalance
from dashboard.schemas.journal_exports import (
    ExportLine,
    JournalExportLines,
    JournalExportWithSums,
    PendingExport,
)
from dashboard.schemas.journal_exports import JournalExport as RemoteExport

LIVE_S = 8.0
# Sums of a long period, and thousands of lines, take their time.
SUMS_S, LINES_S = 60.0, 30.0
LINES_AT_ONCE = 5000
MOST_LISTED = 100


def periods_of(actor: Actor) -> list[Period]:
    """The accounting periods, the newest first. Raises the FinanceError tree."""
    return typed(read_page(read_live(actor, operations_extra.LIST_PERIODS, deadline=LIVE_S).data).rows, Period)


def period_of(actor: Actor, name: str) -> Period:
    """One of them; NotFound for what is none."""
    answer = read_live(actor, operations_extra.READ_PERIOD, path={"period": name}, deadline=LIVE_S)
    return parsed(answer.data, Period)


def trial_balance_of(actor: Actor, period: str) -> TrialBalance:
    """The trial balance of a period."""
    path = {"period": period}
    return parsed(read_live(actor, operations_extra.READ_TRIAL_BALANCE, path=path, deadline=SUMS_S).data, TrialBalance)


def pending_of(actor: Actor, first: date, last: date) -> PendingExport:
    """What is not exported yet of these days. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"from": first.isoformat(), "to": last.isoformat()}
    answer = read_live(actor, operations_extra.READ_PENDING_JOURNAL_EXPORT, query=query, deadline=SUMS_S)
    return parsed(answer.data, PendingExport)


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


def remote_exports(actor: Actor) -> tuple[list[RemoteExport], Page]:
    """The newest exports as the service knows them. Raises the FinanceError tree."""
    answer = read_live(
        actor, operations_extra.LIST_JOURNAL_EXPORTS, query={"limit": MOST_LISTED}, deadline=LIVE_S
    )  # fmt: skip
    answer_page = read_page(answer.data)
    return typed(answer_page.rows, RemoteExport), answer_page


def remote_export(actor: Actor, row: JournalExport) -> JournalExportWithSums:
    """An export as the service knows it, with what each account moved. Raises the FinanceError tree."""
    answer = read_live(
        actor, operations_extra.READ_JOURNAL_EXPORT, path={"id": row.remote_id}, deadline=SUMS_S
    )  # fmt: skip
    return parsed(answer.data, JournalExportWithSums)


def lines_of(actor: Actor, row: JournalExport) -> list[JournalLine]:
    """Every line of an export, in its order. BadAnswer where they do not go on; else the FinanceError tree."""
    lines = list(_lines(actor, row))
    if [line.number for line in lines] != list(range(1, row.line_count + 1)):
        raise BadAnswer("The finance service sent other lines than the export has.", code="lines")
    names = _holders(actor, lines)
    return [_journal_line(line, names.get(line.holder_id, "")) for line in lines]


def _lines(actor: Actor, row: JournalExport) -> Iterator[ExportLine]:
    after: int | None = 0
    while after is not None:
        answer = read_live(
            actor, operations_extra.LIST_JOURNAL_EXPORT_LINES, path={"id": row.remote_id},
            query={"after": after, "limit": LINES_AT_ONCE}, deadline=LINES_S,
        )  # fmt: skip
        answer_page = parsed(answer.data, JournalExportLines)
        yield from answer_page.docs
        if answer_page.next_after is not None and answer_page.next_after <= after:
            raise BadAnswer("The finance service sent the same lines again.", code="lines")
        after = answer_page.next_after


def _holders(actor: Actor, lines: list[ExportLine]) -> dict[str, str]:
    ids = {line.holder_id for line in lines if line.holder_id}
    return dict(Employee.objects.filter(business=actor.business, remote_id__in=ids).values_list("remote_id", "name"))


def _journal_line(line: ExportLine, holder: str) -> JournalLine:
    return JournalLine(
        number=line.number, effective_on=line.effective_on, posted_at=line.posted_at,
        posting_id=line.ledger_transaction_id, kind=line.type, ref=line.ref, description=line.description,
        account_id=line.account_id, seq=line.seq, account_kind=line.account_kind,
        account_name=f"{line.account_name} · {holder}" if holder else line.account_name, currency=line.currency,
        amount_minor=line.amount_minor, category_id=line.subcategory_id, team_id=line.team_id, tax_id=line.tax_id,
    )  # fmt: skip


def file_of(row: JournalExport, file_id: int) -> JournalExportFile:
    """A file of an export; NotFound for any other."""
    file = row.files.filter(pk=file_id).first()
    if file is None:
        raise NotFound
    return file


def open_undo(actor: Actor, row: JournalExport) -> Proposal | None:
    """The proposal to undo an export that waits; None where there is none."""
    proposals = open_proposals(actor).filter(target_type=JOURNAL_EXPORT, target_id=str(row.pk))
    return proposals.order_by("-pk").first()
