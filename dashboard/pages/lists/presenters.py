"""Bulk actions and exports on the screen: a plan or a result with its rows, and the histories of both."""

from contextlib import suppress
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from django.core.paginator import Page, Paginator
from django.template.defaultfilters import filesizeformat
from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.bulk.balances import WalletTexts, planned_balances
from dashboard.bulk.models import Batch, BatchRow
from dashboard.bulk.plans import plan_summary
from dashboard.bulk.results import BatchResult, Counts
from dashboard.errors import NotFound
from dashboard.lists import models
from dashboard.lists.actions import Action
from dashboard.lists.bulk import can_be_undone, undo_batch_of
from dashboard.lists.columns import List
from dashboard.lists.models import Export, ExportState
from dashboard.lists.registry import REGISTRY
from dashboard.lists.reports import REPORTS, find_report
from dashboard.pages.lists.forms import ActionAnswerForm
from dashboard.pages.lists.selectors import list_action_of, own_batches, own_exports, row_counts_of
from dashboard.times import day_and_time

ROWS = 100
TONES = {ExportState.DONE: "ok", ExportState.FAILED: "bad", ExportState.RUNNING: "info", ExportState.QUEUED: "info"}


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A bulk action as the history prints it; `of` is its list."""

    batch: Batch
    of: List
    action: Action
    counts: Counts
    when: str


@dataclass(frozen=True, slots=True)
class ExportLine:
    """An export as the page prints it."""

    export: Export
    title: str
    query_text: str
    address: str
    when: str
    size: str
    tone: str


class BatchContext(TypedDict):
    """What lists/bulk.html reads of a bulk action: `of` is its list, `outcome` such as "will be deleted", `only` the state that
    is looked at, `passing` how many rows will pass,
    `can_undo` whether it is offered to undo it, and `undone_in` where it was; where it is a plan, `summary`, what `wallets` hold after it, perhaps a `choice` that it
    rests on (title and address), and a form."""

    batch: Batch
    of: List
    action: Action
    outcome: str
    counts: Counts
    only: str
    pages: Page[BatchRow]
    total: int
    done: int
    failed: int
    passing: int
    back: str
    can_undo: bool
    undone_in: Batch | None
    summary: NotRequired[str]
    wallets: NotRequired[list[WalletTexts]]
    choice: NotRequired[tuple[str, str] | None]
    form: NotRequired[ActionAnswerForm | None]


class ExportsContext(TypedDict):
    """What lists/exports.html reads; `open` says whether an export is on its way."""

    lines: list[ExportLine]
    open: bool


def batch_context(actor: Actor, batch: Batch, only: str, number: str | None) -> BatchContext:
    """A page of the rows of a bulk action, all of them or those in one state."""
    declared, result = list_action_of(batch), BatchResult(batch)
    rows = result.rows
    if only in BatchRow.State.values:
        rows = rows.filter(standing=only)
    context: BatchContext = {
        "batch": batch, "of": declared.of, "action": declared.action, "outcome": declared.outcome, "counts": result.counts, "only": only,
        "pages": Paginator(rows, ROWS).get_page(number),
        "total": result.total,
        "done": result.by_state.get(BatchRow.State.DONE, 0),
        "failed": len(result.failed),
        "passing": result.by_state.get(BatchRow.State.WAITING, 0),
        "can_undo": can_be_undone(declared.of, batch),
        "undone_in": None if batch.planned else undo_batch_of(batch),
        "back": f"{reverse(declared.of.address, args=[actor.business.slug])}?{batch.query or 'view=all'}",
    }  # fmt: skip
    if batch.planned:
        context["summary"] = plan_summary(batch)
        context["wallets"] = [wallet.texts(actor.business.locale) for wallet in planned_balances(batch)]
        if declared.action.choice and not batch.retry_of_id:
            title, name = declared.action.choice
            context["choice"] = title, reverse(name, args=[actor.business.slug, batch.pk])
    return context


def batch_lines(actor: Actor) -> list[BatchLine]:
    """The actor's own bulk actions as the history prints them, the newest first."""
    batches = own_batches(actor)
    counts = row_counts_of(batches)
    lines = []
    for batch in batches:
        with suppress(NotFound):  # declared no more
            declared = list_action_of(batch)
            when = day_and_time(batch.begun_at, actor.business)
            lines.append(BatchLine(batch, declared.of, declared.action, sorted(counts[batch.pk]), when))
    return lines


def exports_context(actor: Actor) -> ExportsContext:
    """What the page of exports needs: the actor's own, and whether one of them is not finished."""
    lines = [_export_line(actor, export) for export in own_exports(actor)]
    return {"lines": lines, "open": any(line.export.state in models.UNFINISHED for line in lines)}


def export_name(export: Export) -> str:
    """What the file of an export is called, without its ending: by the list and when it was begun, or by the report and its
    period."""
    if export.list_name in REPORTS:
        return f"{export.list_name.replace('_', '-')}-{export.query}"
    return f"{export.list_name}-{export.created_at:%Y%m%d-%H%M}"


def _export_line(actor: Actor, export: Export) -> ExportLine:
    report, slug = find_report(export.list_name), actor.business.slug
    of = report or REGISTRY[export.list_name]
    address = reverse(of.address, args=[slug, export.query] if report else [slug])
    return ExportLine(
        export=export,
        title=of.title,
        query_text=export.asked or export.query,
        address=address if report else f"{address}?{export.query or 'view=all'}",
        when=day_and_time(export.created_at, actor.business),
        size=filesizeformat(export.size) if export.size else "",
        tone=TONES.get(ExportState(export.state), ""),
    )
