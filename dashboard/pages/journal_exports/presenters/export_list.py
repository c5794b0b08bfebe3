"""How the list of exports is shown: a page of those of the service, and a page of our own that are none there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

from dashboard.access.actor import Actor
from dashboard.client.page import Page
from dashboard.journal_exports.models import JournalExport
from dashboard.journal_files.writer import export_title
from dashboard.pages.journal_exports.presenters import exports
from dashboard.pages.journal_exports.selectors.exports import ExportPages, OwnExports
from dashboard.schemas.journal_exports import JournalExport as RemoteExport
from dashboard.times import day_and_time


@dataclass(frozen=True, slots=True)
class ExportRow:
    """An export as it is listed; `id` None for one that another program made."""

    id: str | None
    title: str
    days: str
    lines: str
    formats: str
    state: tuple[str, str]
    created: str


class ExportsContext(TypedDict):
    """What journal_exports/list.html reads; `problem` says why the service did not answer: `own` are then all exports of ours, else
    those that are none at the service (yet). The pages of both go on at the queries `older` and `older_own`, "" at the end;
    `newest` and `newest_own` lead back to the first, "" on it. `total` is how many the service has, None where that is not known."""

    rows: list[ExportRow]
    own: list[ExportRow]
    problem: str
    total: int | None
    older: str
    newest: str
    older_own: str
    newest_own: str


def export_list_context(
    actor: Actor,
    export_pages: ExportPages,
    remote: Sequence[RemoteExport],
    on_page: Page,
    own: OwnExports,
    problem: str,
) -> ExportsContext:
    """A page of the service's exports, with what we know of them, and a page of ours beside them."""
    there = {name: value for name, value in (("after", export_pages.after), ("before", export_pages.before)) if value}
    return {
        "rows": [_remote_row(actor, export, own.by_remote_id.get(export.id)) for export in remote],
        "own": [_own_row(actor, row) for row in own.rows],
        "problem": problem,
        "total": on_page.total,
        "older": urlencode({**there, "after": on_page.cursor}) if on_page.cursor else "",
        "newest": f"?{_without(there, 'after')}" if export_pages.after else "",
        "older_own": urlencode({**there, "before": own.older}) if own.older else "",
        "newest_own": f"?{_without(there, 'before')}" if export_pages.before else "",
    }


def _without(query: dict[str, str], name: str) -> str:
    return urlencode({key: value for key, value in query.items() if key != name})


def _own_row(actor: Actor, row: JournalExport) -> ExportRow:
    return ExportRow(
        str(row.pk), export_title(row), exports.covered_text(row.first_day, row.last_day, row.is_partial),
        f"{row.line_count:,}" if row.remote_id else "–", exports.formats_text(row.formats), exports.state_of(row),
        day_and_time(row.created_at, actor.business),
    )  # fmt: skip


def _remote_row(actor: Actor, export: RemoteExport, row: JournalExport | None) -> ExportRow:
    is_undone = export.status == "UNDONE"
    if row is not None:
        own = _own_row(actor, row)
        state = exports.UNDONE if is_undone else own.state
        return ExportRow(own.id, own.title, own.days, own.lines, own.formats, state, own.created)
    return ExportRow(
        None, f"Export {export.number}", exports.covered_text(export.first, export.last, export.is_partial),
        f"{export.line_count:,}", "By another program", exports.UNDONE if is_undone else exports.EXPORTED, "–",
    )  # fmt: skip
