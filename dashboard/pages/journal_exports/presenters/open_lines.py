"""Lines that nobody has exported yet, as rows: what an export would hold, and how each would be called."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict

from dashboard.access.actor import Actor
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.mapped_lines import Mappings
from dashboard.journal_exports.models import MappedType
from dashboard.journal_files.mappings import exported_mappings, mappings_of
from dashboard.mirror.category_labels import category_labels_of
from dashboard.mirror.models import Team
from dashboard.money import number
from dashboard.pages.journal_exports.presenters.exports import days_text
from dashboard.schemas.journal_exports import Filed, JournalCorrection


@dataclass(frozen=True, slots=True)
class PendingRow:
    """A line: its day, its posting, what it is about, its account with the accountant's code, and the amount on its side."""

    day: str
    posting: int
    text: str
    account: str
    code: str
    dimension: str
    currency: str
    debit: str
    credit: str


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """An exported line that is filed otherwise now: what was exported, and what it is, in words."""

    day: str
    posting: int
    text: str
    amount: str
    exported: str
    now: str


class CorrectionsContext(TypedDict):
    """What journal_exports/corrections.html reads; `following` is the place behind which the next page goes on."""

    period: str
    until: date | None
    problem: str
    days: NotRequired[str]
    rows: NotRequired[list[CorrectionRow]]
    following: NotRequired[str]


class PendingContext(TypedDict):
    """What journal_exports/pending.html reads; `following` is the place behind which the next page goes on, `is_corrected`
    whether the next export corrects lines that were exported."""

    period: str
    after: str
    until: date | None
    problem: str
    days: NotRequired[str]
    rows: NotRequired[list[PendingRow]]
    following: NotRequired[str]
    is_corrected: NotRequired[bool]


class LinesContext(TypedDict):
    """The part of it that the lines are."""

    days: str
    rows: list[PendingRow]
    following: str


def lines_context(actor: Actor, days: tuple[date, date], lines: Sequence[JournalLine], following: str) -> LinesContext:
    """The lines with what they are mapped to now."""
    mappings, locale = mappings_of(actor), actor.business.locale
    rows = []
    for line in lines:
        mapped = mappings.map(line)
        amount = number(abs(line.amount_minor), line.currency, locale)
        rows.append(
            PendingRow(
                f"{line.effective_on.day} {line.effective_on:%b %Y}", line.posting_id, line.description or line.ref,
                line.account_name, mapped.account.code, " · ".join(filter(None, (mapped.dimension, *mapped.tags))),
                line.currency, amount if line.amount_minor < 0 else "", amount if line.amount_minor > 0 else "",
            )
        )  # fmt: skip
    return {"days": days_text(*days), "rows": rows, "following": following}


def correction_rows(actor: Actor, corrections: Sequence[JournalCorrection]) -> list[CorrectionRow]:
    """What the next export would correct, with the names of now; what was exported with the accountant's codes of then."""
    names = FiledNames(actor)
    exported = exported_mappings(actor, {row.corrected_export for row in corrections if row.corrected_export})
    locale = actor.business.locale
    return [
        CorrectionRow(
            f"{row.effective_on.day} {row.effective_on:%b %Y}", row.ledger_transaction_id, row.description or row.account_name,
            f"{row.currency} {number(row.amount_minor, row.currency, locale)}", names.text(row.exported, row.currency, exported.get(row.corrected_export or 0, Mappings({}))),
            names.text(row.now, row.currency, names.mappings),
        )
        for row in corrections
    ]  # fmt: skip


class FiledNames:
    """What subcategories and teams are called, and the accountant's codes of categories and tags."""

    def __init__(self, actor: Actor) -> None:
        self._locale, self.mappings = actor.business.locale, mappings_of(actor)
        self._categories = category_labels_of(actor.business.pk)
        self._teams = dict(Team.objects.filter(business=actor.business).values_list("remote_id", "name"))

    def text(self, filed: Filed, currency: str, mappings: Mappings) -> str:
        """ "Travel · Fuel (4711), Sales, 2 tags": each part with its amount where there are several.
        The codes are those of `mappings`."""
        if not filed.parts:
            return self._label(filed.subcategory_id, filed.team_id, filed.tag_ids, mappings)
        return "; ".join(
            f"{number(abs(part.amount_minor), currency, self._locale)} {self._label(part.subcategory_id, part.team_id, part.tag_ids, mappings)}"
            for part in filed.parts
        )  # fmt: skip

    def _label(self, subcategory_id: str, team_id: str, tag_ids: Sequence[str], mappings: Mappings) -> str:
        target = mappings.target(MappedType.CATEGORY, subcategory_id) if subcategory_id else None
        category = self._categories.get(subcategory_id, subcategory_id) or "No category"
        tags = [code.code for tag_id in tag_ids if (code := mappings.target(MappedType.TAG, tag_id))]
        other = len(tag_ids) - len(tags)
        more = [f"{other} tag{'s' if other > 1 else ''} without a code"] if other else []
        words = [f"{category} ({target.code})" if target else category, self._teams.get(team_id, team_id), *tags, *more]
        return ", ".join(filter(None, words))
