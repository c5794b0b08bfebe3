"""How exports are shown: a new one with what it would hold, and one with its files and its manifest."""

import json
from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import NotRequired, TypedDict

from dashboard.access.actor import Actor
from dashboard.commands.journal_exports import MOST_EXPORTED_LINES
from dashboard.journal_exports.formats.registry import FORMATS, chosen
from dashboard.journal_exports.models import JournalExport, JournalExportFile
from dashboard.journal_files.mappings import Missing, account_titles
from dashboard.journal_files.writer import export_title
from dashboard.money import number, to_minor
from dashboard.pages.journal_exports.forms import ExportForm, UndoForm
from dashboard.pages.journal_exports.selectors.exports import unknown_corrected
from dashboard.proposals.models import Proposal
from dashboard.schemas.accounting import AccountingPeriod
from dashboard.schemas.journal_exports import AccountSum, PendingExport
from dashboard.times import day_and_time

REFUSED = ("Nothing exported", "")
UNKNOWN, WAITING, INCOMPLETE, EXPORTED, UNDONE = (
    ("Not known", "warn"), ("In progress", "info"), ("Files not written", "warn"), ("Exported", "ok"), ("Undone", ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TotalRow:
    """What an account moves, by the ledger's sides."""

    account_id: str
    title: str
    code: str
    debit: str
    credit: str
    lines: int


class NewContext(TypedDict):
    """What journal_exports/new.html reads. Once a period was chosen: what would be exported, and what stands in the way."""

    form: ExportForm
    key: str
    problem: str
    days: NotRequired[str]
    pending: NotRequired[PendingExport]
    new_lines: NotRequired[int]
    totals: NotRequired[list[TotalRow]]
    sums: NotRequired[list[tuple[str, str, str]]]
    missing: NotRequired[list[Missing]]
    titles: NotRequired[list[str]]
    too_many: NotRequired[bool]
    most_lines: NotRequired[int]
    unknown_corrected: NotRequired[list[int]]
    open_periods: NotRequired[str]
    until: NotRequired[date | None]
    formats: NotRequired[list[str]]
    period: NotRequired[str]


class ItemContext(TypedDict):
    """What journal_exports/item.html reads; `too_long` names the files that their package refuses, `failed` says why it could not be carried on, `undo` is the proposal that waits."""

    row: JournalExport
    title: str
    days: str
    state: tuple[str, str]
    created: str
    formats: str
    totals: list[TotalRow]
    sums: list[tuple[str, str, str]]
    files: list[JournalExportFile]
    too_long: list[str]
    manifest_sha256: str
    lines_sha256: str
    corrections: int
    undo: Proposal | None
    form: UndoForm
    key: str
    failed: str


def days_text(first: date, last: date) -> str:
    """ "October 2026" for a month, else both days."""
    if (
        first.day == 1
        and (first.year, first.month) == (last.year, last.month)
        and last.day == monthrange(last.year, last.month)[1]
    ):
        return f"{first:%B %Y}"
    return f"{first.day} {first:%b %Y} – {last.day} {last:%b %Y}"


def covered_text(first: date, last: date, is_partial: bool) -> str:
    """ "October 2026", or "October 2026, in part" where lines of these days were left to the next export."""
    return f"{days_text(first, last)}, in part" if is_partial else days_text(first, last)


def state_of(row: JournalExport) -> tuple[str, str]:
    """How an export stands, in words and with its tone."""
    if row.undone_at:
        return UNDONE
    if row.waits_since and not row.manifest:
        return WAITING
    if row.is_refused:
        return REFUSED
    if not row.remote_id:
        return UNKNOWN
    return EXPORTED if row.manifest else INCOMPLETE


def formats_text(names: Iterable[str]) -> str:
    """The titles of the formats."""
    return ", ".join(form.title for form in chosen(names))


def period_choices(periods: Sequence[AccountingPeriod]) -> list[tuple[str, str]]:
    """The periods of a form: "2026-10" and "October 2026"."""
    return [(period.period, f"{period.first:%B %Y}") for period in periods]


def _open_text(periods: Sequence[AccountingPeriod], pending_export: PendingExport) -> str:
    """ "October 2026 is", "3 periods are": those of an export that are open; "" where all are closed."""
    open_periods = [
        period for period in periods
        if period.status != "CLOSED" and period.first <= pending_export.last and period.last >= pending_export.first
    ]  # fmt: skip
    if len(open_periods) == 1:
        return f"{open_periods[0].first:%B %Y} is"
    return f"{len(open_periods)} periods are" if open_periods else ""


def add_pending(
    actor: Actor,
    context: NewContext,
    form: ExportForm,
    pending_export: PendingExport,
    unmapped: list[Missing],
    periods: Sequence[AccountingPeriod],
) -> None:
    """Puts what would be exported into the context of a new export."""
    locale = actor.business.locale
    titles = dict(account_titles(actor, pending_export.accounts))
    unmapped_ids = {item.source_id for item in unmapped}
    context["days"] = days_text(pending_export.first, pending_export.last)
    context["pending"] = pending_export
    # What it corrects, with two lines each, was exported before and stands on a page of its own.
    context["new_lines"] = pending_export.line_count - 2 * pending_export.correction_count
    context["totals"] = [
        _total(account, titles[str(account.account_id)], "Not mapped" if str(account.account_id) in unmapped_ids else "", locale)
        for account in pending_export.accounts
        if account.line_count
    ]  # fmt: skip
    context["sums"] = _sums(pending_export.accounts, locale)
    context["missing"] = unmapped
    context["too_many"] = pending_export.line_count > MOST_EXPORTED_LINES
    context["most_lines"] = MOST_EXPORTED_LINES
    context["unknown_corrected"] = unknown_corrected(actor, pending_export)
    context["open_periods"] = _open_text(periods, pending_export)
    context["until"] = form.cleaned_data["until"]
    context["formats"] = form.cleaned_data["formats"]
    context["titles"] = [FORMATS[name].title for name in form.cleaned_data["formats"]]
    context["period"] = form.cleaned_data["period"]


def _total(account_sum: AccountSum, title: str, code: str, locale: str) -> TotalRow:
    return TotalRow(
        str(account_sum.account_id), title, code, _amount(account_sum.debit_minor, account_sum.currency, locale),
        _amount(account_sum.credit_minor, account_sum.currency, locale), account_sum.line_count,
    )  # fmt: skip


def _amount(minor: int, currency: str, locale: str) -> str:
    return number(minor, currency, locale) if minor else "–"


def _sums(accounts: Sequence[AccountSum], locale: str) -> list[tuple[str, str, str]]:
    return [
        (
            currency,
            number(sum(row.debit_minor for row in accounts if row.currency == currency), currency, locale),
            number(sum(row.credit_minor for row in accounts if row.currency == currency), currency, locale),
        )
        for currency in sorted({row.currency for row in accounts})
    ]


def item_context(
    actor: Actor, row: JournalExport, undo_proposal: Proposal | None, form: UndoForm, key: str, failed: str
) -> ItemContext:
    """An export with its files; the totals are those of its manifest."""
    manifest = json.loads(row.manifest) if row.manifest else {"accounts": [], "currencies": [], "export": {}}
    locale = actor.business.locale
    files = list(row.files.defer("packed").order_by("pk"))
    return {
        "row": row,
        "title": export_title(row),
        "days": covered_text(row.first_day, row.last_day, row.is_partial),
        "state": state_of(row),
        "created": f"{day_and_time(row.created_at, actor.business)}, {row.created_by.user.get_full_name()}",
        "formats": formats_text(row.formats),
        "totals": [
            TotalRow(
                str(account["account"]), f"{account['name']} · {account['currency']}", account["code"],
                _typed(account["debit"], account["currency"], locale),
                _typed(account["credit"], account["currency"], locale), account["lines"],
            )
            for account in manifest["accounts"]
        ],
        "sums": [
            (
                total["currency"], _typed(total["debit"], total["currency"], locale),
                _typed(total["credit"], total["currency"], locale),
            )
            for total in manifest["currencies"]
        ],
        "files": files,
        "too_long": [_too_long(file) for file in files if _is_too_long(file)],
        "manifest_sha256": sha256(row.manifest.encode()).hexdigest() if row.manifest else "",
        "lines_sha256": manifest["export"].get("lines_sha256", ""),
        "corrections": manifest["export"].get("corrections", 0),
        "undo": undo_proposal,
        "form": form,
        "key": key,
        "failed": failed,
    }  # fmt: skip


def _is_too_long(export_file: JournalExportFile) -> bool:
    most = FORMATS[export_file.format].most_rows if export_file.format in FORMATS else None
    return most is not None and export_file.row_count > most


def _too_long(export_file: JournalExportFile) -> str:
    form = FORMATS[export_file.format]
    return f"{export_file.name} holds one posting of {export_file.row_count:,} lines; {form.title} takes {form.most_rows:,} of a file."


def _typed(amount: str, currency: str, locale: str) -> str:
    return _amount(to_minor(amount, currency), currency, locale)
