"""An export as the service holds it: its sums, and its lines page by page."""

from collections.abc import Callable, Iterator

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer
from dashboard.journal_exports.journal import JournalLine, LinePart
from dashboard.journal_exports.models import JournalExport
from dashboard.mirror.models import Employee
from dashboard.schemas.journal_exports import ExportLine, JournalExportLines, JournalExportWithSums

# Sums of a long period, and thousands of lines, take their time.
SUMS_S, LINES_S = 60.0, 30.0
LINES_AT_ONCE = 5000


def remote_export(actor: Actor, row: JournalExport) -> JournalExportWithSums:
    """An export as the service knows it, with what each account moved. Raises the FinanceError tree."""
    answer = read_live(
        actor, operations_accounting.READ_JOURNAL_EXPORT, path={"id": row.remote_id}, deadline=SUMS_S
    )  # fmt: skip
    return parsed(answer.data, JournalExportWithSums)


def journal_lines_of(
    actor: Actor, row: JournalExport, on_read: Callable[[int], None] = lambda _: None
) -> list[JournalLine]:
    """Every line of an export, in its order; `on_read` is told how many there are by now after each page. BadAnswer where
    they do not go on; else the FinanceError tree."""
    lines: list[ExportLine] = []
    for some in _lines(actor, row):
        lines += some
        on_read(len(lines))
    if [line.number for line in lines] != list(range(1, row.line_count + 1)):
        raise BadAnswer("The finance service sent other lines than the export has.", code="lines")
    names = account_holders(actor, lines)
    return [journal_line(line, names.get(line.holder_id, "")) for line in lines]


def _lines(actor: Actor, row: JournalExport) -> Iterator[list[ExportLine]]:
    after: int | None = 0
    while after is not None:
        answer = read_live(
            actor, operations_accounting.LIST_JOURNAL_EXPORT_LINES, path={"id": row.remote_id},
            query={"after": after, "limit": LINES_AT_ONCE}, deadline=LINES_S,
        )  # fmt: skip
        answer_page = parsed(answer.data, JournalExportLines)
        yield answer_page.docs
        if answer_page.next_after is not None and answer_page.next_after <= after:
            raise BadAnswer("The finance service sent the same lines again.", code="lines")
        after = answer_page.next_after


def account_holders(actor: Actor, lines: list[ExportLine]) -> dict[str, str]:
    """The names of those who hold the accounts of these lines, by id."""
    ids = {line.holder_id for line in lines if line.holder_id}
    return dict(Employee.objects.filter(business=actor.business, remote_id__in=ids).values_list("remote_id", "name"))


def journal_line(export_line: ExportLine, holder: str) -> JournalLine:
    """A line as it is written, its account with the name of whoever holds it."""
    return JournalLine(
        number=export_line.number, effective_on=export_line.effective_on, posted_at=export_line.posted_at,
        posting_id=export_line.ledger_transaction_id, kind=export_line.type, ref=export_line.ref, description=export_line.description,
        account_id=export_line.account_id, seq=export_line.seq, account_kind=export_line.account_kind,
        account_name=f"{export_line.account_name} · {holder}" if holder else export_line.account_name, currency=export_line.currency,
        amount_minor=export_line.amount_minor, category_id=export_line.subcategory_id, team_id=export_line.team_id, tax_id=export_line.tax_id,
        tag_ids=tuple(export_line.tag_ids),
        parts=tuple(
            LinePart(part.subcategory_id, part.amount_minor, part.team_id, part.account_id, tuple(part.tag_ids))
            for part in export_line.parts
        ),
        correction=export_line.correction, corrected_export=export_line.corrected_export,
    )  # fmt: skip
