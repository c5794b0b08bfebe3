"""How the desk of a wallet is shown: both unmatched sides, what may belong together, what does, and the proof."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypedDict
from urllib.parse import urlencode

from dashboard.access.actor import Actor
from dashboard.client.page import Page
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import MatchForm
from dashboard.pages.reconciliation.presenters.statements import BankOrLedgerRow, Pager, numbered_pager
from dashboard.pages.reconciliation.selectors.desk import DeskPages
from dashboard.pages.reconciliation.selectors.matches import (
    MATCHES_ON_PAGE,
    ROWS_ON_PAGE,
    SUGGESTIONS_ON_PAGE,
    Sides,
    SuggestedMatches,
)
from dashboard.pages.reconciliation.selectors.statements import MOST_STATEMENTS
from dashboard.schemas.reconciliation import BankLine, BankMatch, LedgerEntry, Suggestions
from dashboard.times import day_text

BY = {
    "REFERENCE": "Reference", "DAY": "Amount and date", "RULE": "Rule", "SUM": "Several", "FEE": "With a fee",
    "BY_HAND": "Manual",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """What belongs together, or may: `difference` "" where the sums are the same."""

    id: str
    by: str
    reason: str
    certain: bool
    difference: str
    lines: list[BankOrLedgerRow]
    entries: list[BankOrLedgerRow]
    rule: str = ""


class DeskLists(TypedDict):
    """The four lists of a desk, a page of each; how many matches are certain, None where that is not known, and how many lines
    were not looked at for it."""

    lines: list[BankOrLedgerRow]
    line_total: int
    entries: list[BankOrLedgerRow]
    suggested: list[Pair]
    suggested_total: int
    certain: int | None
    certain_left_out: int
    matched: list[Pair]
    matched_total: int


class DeskPagers(TypedDict):
    """Where the lists of a desk go on; `query` is what its address says, `is_filtered` that rows may be left out of it."""

    query: str
    is_filtered: bool
    lines_pager: Pager
    entries_pager: Pager
    suggested_pager: Pager
    matched_pager: Pager
    statements_pager: Pager


class DeskSuggestions(TypedDict):
    """What is said of the suggestions of a desk: why nothing could be suggested; of which days the lines were looked at, "" for
    none, how many lie outside these, and the queries of the next days and of the oldest, "" for none; and for how many lines and
    entries no sums of several were looked for."""

    suggestions_problem: str
    window: str
    left_out: int
    next_window: str
    first_window: str
    unsearched_lines: int
    unsearched_entries: int


def line_row(actor: Actor, bank_line: BankLine, chosen: Collection[str] = ()) -> BankOrLedgerRow:
    """A bank line as it is printed."""
    amount = text(bank_line.amount_minor, bank_line.currency, actor.business.locale)
    return BankOrLedgerRow(
        bank_line.id,
        day_text(bank_line.day),
        bank_line.description or "–",
        bank_line.reference,
        amount,
        bank_line.id in chosen,
    )


def entry_row(actor: Actor, ledger_entry: LedgerEntry, currency: str, chosen: Collection[str] = ()) -> BankOrLedgerRow:
    """An entry as it is printed."""
    amount = text(ledger_entry.amount_minor, currency, actor.business.locale)
    words = ledger_entry.description or ledger_entry.type or f"Posting {ledger_entry.ledger_transaction_id}"
    return BankOrLedgerRow(
        str(ledger_entry.seq),
        day_text(ledger_entry.effective_on),
        words,
        ledger_entry.ref,
        amount,
        str(ledger_entry.seq) in chosen,
    )


def _difference(actor: Actor, minor: int, currency: str) -> str:
    return text(minor, currency, actor.business.locale) if minor else ""


def suggested_pairs(actor: Actor, suggestions: Suggestions, currency: str) -> list[Pair]:
    """Suggestions as they are printed."""
    return [
        Pair(
            str(place), BY.get(item.rule, item.rule), item.reason, item.certain,
            _difference(actor, item.difference_minor, currency), [line_row(actor, line) for line in item.lines],
            [entry_row(actor, entry, currency) for entry in item.entries], item.rule,
        )
        for place, item in enumerate(suggestions.docs, start=1)
    ]  # fmt: skip


def matched_pairs(actor: Actor, matches: Sequence[BankMatch], currency: str) -> list[Pair]:
    """Matches as they are printed."""
    return [
        Pair(
            item.id, BY.get(item.rule, item.rule), item.reason, False,
            _difference(actor, item.difference_minor, currency), [line_row(actor, line) for line in item.lines],
            [entry_row(actor, entry, currency) for entry in item.entries],
        )
        for item in matches
    ]  # fmt: skip


def entries_pager(query: Mapping[str, str], before_seq: int, next_seq: int) -> Pager:
    """The pager of the entries, which go on below the last of a page: back to the newest, and on to older ones."""
    newest = urlencode({name: value for name, value in query.items() if name != "before"})
    return Pager(
        "Pages of entries", "", newest if before_seq else "",
        urlencode({**query, "before": next_seq}) if next_seq else "",
    )  # fmt: skip


def desk_lists(
    actor: Actor, wallet: Wallet, form: MatchForm, sides: Sides, suggested: SuggestedMatches, matched: Sequence[BankMatch],
    matched_total: int,
) -> DeskLists:  # fmt: skip
    """The four lists of a desk as they are printed."""
    currency = wallet.currency
    return {
        "lines": [line_row(actor, line, form.lines) for line in sides.lines],
        "line_total": sides.line_total,
        "entries": [entry_row(actor, entry, currency, form.entries) for entry in sides.entries],
        "suggested": suggested_pairs(actor, suggested.suggestions, currency),
        "suggested_total": suggested.suggestions.total,
        "certain": suggested.certain,
        "certain_left_out": suggested.certain_left_out,
        "matched": matched_pairs(actor, matched, currency),
        "matched_total": matched_total,
    }


def desk_suggestions(
    suggested: SuggestedMatches, query: Mapping[str, str], pages: DeskPages, until: date | None
) -> DeskSuggestions:
    """What is said of the suggestions beside their list; `query` is what the address says, `until` the last day of its filter."""
    suggestions = suggested.suggestions
    first, last, following = suggestions.window_from, suggestions.window_to, suggestions.following_window
    if until and following and following > until:
        # Nothing in it fits the filter.
        following = None
    days = (
        ""
        if first is None or last is None
        else day_text(first)
        if first == last
        else f"{day_text(first)} – {day_text(last)}"
    )
    beside = {name: value for name, value in query.items() if name not in {"window", "suggested"}}
    return {
        "suggestions_problem": suggested.problem,
        "window": days,
        "left_out": suggestions.left_out,
        "next_window": urlencode({**beside, "window": following.isoformat()}) if following else "",
        "first_window": f"?{urlencode(beside)}" if pages.window else "",
        "unsearched_lines": suggestions.unsearched_lines,
        "unsearched_entries": suggestions.unsearched_entries,
    }


def desk_pagers(
    query: Mapping[str, str], pages: DeskPages, sides: Sides, suggestions: Suggestions, matched_page: Page,
    statement_page: Page,
) -> DeskPagers:  # fmt: skip
    """The pagers of the four lists and of the statements; `query` is what the address says, which the forms of the desk say again."""
    numbered = (
        ("Pages of bank lines", "lines", pages.lines, ROWS_ON_PAGE, sides.line_total, sides.lines_cursor),
        (
            "Pages of suggested matches",
            "suggested",
            pages.suggested,
            SUGGESTIONS_ON_PAGE,
            suggestions.total,
            suggestions.next_after,
        ),
        ("Pages of matches", "matched", pages.matched, MATCHES_ON_PAGE, matched_page.total or 0, matched_page.cursor),
        (
            "Pages of statements",
            "statements",
            pages.statements,
            MOST_STATEMENTS,
            statement_page.total or 0,
            statement_page.cursor,
        ),
    )
    lines, suggested, matched, statements = (
        numbered_pager(label, query, name, number, size, total, cursor)
        for label, name, number, size, total, cursor in numbered
    )
    return {
        "query": urlencode(query),
        "is_filtered": bool(query.keys() - {"statement", "statements", "tolerance", "window"}),
        "lines_pager": lines,
        "entries_pager": entries_pager(query, pages.before_seq, sides.next_seq),
        "suggested_pager": suggested,
        "matched_pager": matched,
        "statements_pager": statements,
    }
