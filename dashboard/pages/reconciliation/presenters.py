"""How reconciliation is shown: statements, a file before its import, both sides of a wallet, and the proof."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.bank_statements import ofx
from dashboard.bank_statements.formats import NAMES
from dashboard.bank_statements.models import StatementDraft
from dashboard.bank_statements.statement import ParsedStatement, Problem
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import ColumnsForm, MatchForm, RuleForm, StatementForm
from dashboard.pages.reconciliation.selectors import Sides
from dashboard.schemas.reconciliation import (
    BankLine,
    BankMatch,
    BankRule,
    BankStatement,
    LedgerEntry,
    Proof,
    StatementCheck,
    Suggestions,
)

MOST_PREVIEWED = 20
# An OFX has a closing balance alone.
WORKED_OUT = "Opening balance, closing less lines"
BY = {
    "REFERENCE": "Reference", "DAY": "Amount and date", "RULE": "Rule", "SUM": "Several", "FEE": "With a fee",
    "BY_HAND": "Manual",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A bank line or an entry as it is printed; `id` is what its box sends."""

    id: str
    day: str
    words: str
    more: str
    amount: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """What belongs together, or may: `difference` "" where the sums are the same."""

    id: str
    by: str
    reason: str
    certain: bool
    difference: str
    lines: list[Row]
    entries: list[Row]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A statement as it is printed."""

    id: str
    name: str
    format: str
    days: str
    closing: str
    unmatched: int
    wallet_id: str
    wallet: str


@dataclass(frozen=True, slots=True)
class ProofText:
    """The proof as a sentence, and why it is none: what is missing of it, what bank and books differed by before it began."""

    proven: bool
    sentence: str
    missing: str
    carried: str


class StatementsContext(TypedDict):
    """What reconciliation/statements.html reads."""

    rows: list[StatementRow]
    wallets: list[tuple[str, str]]
    problem: str
    may_change: bool
    key: str
    form: StatementForm


class FileContext(TypedDict):
    """What reconciliation/file.html reads: `problems` where the file cannot be read, `check` where it can."""

    draft: StatementDraft
    wallet: str
    format: str
    key: str
    problems: Sequence[Problem]
    columns: NotRequired[ColumnsForm]
    check: NotRequired[StatementCheck]
    summary: NotRequired[list[tuple[str, str]]]
    lines: NotRequired[list[Row]]
    more: NotRequired[int]
    names_account: NotRequired[bool]
    failed: NotRequired[str]


class DeskContext(TypedDict):
    """What reconciliation/desk.html reads."""

    wallet: Wallet
    title: str
    statements: list[StatementRow]
    proof: ProofText | None
    lines: list[Row]
    line_total: int
    entries: list[Row]
    more_entries: bool
    suggested: list[Pair]
    suggested_total: int
    certain: int
    matched: list[Pair]
    matched_total: int
    may_change: bool
    form: MatchForm
    sums: str
    key: str


class RulesContext(TypedDict):
    """What reconciliation/rules.html reads: each rule with its conditions in words."""

    wallet: Wallet
    title: str
    rows: list[tuple[BankRule, str]]
    may_change: bool
    form: RuleForm
    key: str


def day_text(value: date) -> str:
    """ "20 Nov 2026"."""
    return f"{value.day} {value:%b %Y}"


def wallet_title(wallet: Wallet) -> str:
    """ "Operations · KES"."""
    return f"{wallet.name or wallet.org_wallet_ref} · {wallet.currency}"


def may_change(actor: Actor) -> bool:
    """Whether the actor imports and matches at all."""
    return bool(can_open(actor, operations_extra.CREATE_BANK_MATCH))


def statement_rows(actor: Actor, statements: Sequence[BankStatement], wallets: Sequence[Wallet]) -> list[StatementRow]:
    """Statements as they are printed."""
    by_ref = {wallet.org_wallet_ref: wallet for wallet in wallets}
    return [_statement_row(actor, row, by_ref.get(row.org_wallet_ref)) for row in statements]


def _statement_row(actor: Actor, row: BankStatement, wallet: Wallet | None) -> StatementRow:
    closing = "–" if row.closing_minor is None else text(row.closing_minor, row.currency, actor.business.locale)
    return StatementRow(
        row.id, row.file_name, NAMES.get(row.source_format, row.source_format),
        f"{day_text(row.first)} – {day_text(row.last)}", closing, row.unmatched, wallet.remote_id if wallet else "",
        wallet_title(wallet) if wallet else row.org_wallet_ref,
    )  # fmt: skip


def statements_context(
    actor: Actor, statements: Sequence[BankStatement], wallets: Sequence[Wallet], problem: str, form: StatementForm,
    key: str,
) -> StatementsContext:  # fmt: skip
    """All statements, and the wallets that can be reconciled."""
    return {
        "rows": statement_rows(actor, statements, wallets),
        "wallets": [(wallet.remote_id, wallet_title(wallet)) for wallet in wallets],
        "problem": problem,
        "may_change": may_change(actor),
        "form": form,
        "key": key,
    }


def preview_parts(
    actor: Actor, parsed: ParsedStatement, check: StatementCheck
) -> tuple[list[tuple[str, str]], list[Row], int]:
    """What a file says before it is imported: its figures, its first lines, and how many more it has."""
    locale, currency = actor.business.locale, parsed.currency
    summary = [
        ("Account", parsed.account or "–"),
        ("Period", f"{day_text(parsed.first_day)} – {day_text(parsed.last_day)}"),
        (
            WORKED_OUT if parsed.source_format == ofx.NAME else "Opening balance",
            text(parsed.opening_minor, currency, locale),
        ),
        ("Closing balance", text(parsed.closing_minor, currency, locale)),
        ("New lines", f"{check.new_lines:,}"),
        ("Lines already imported", f"{check.known_lines:,}"),
    ]
    rows = [
        Row(
            str(line.number), day_text(line.day), line.description or "–", line.reference,
            text(line.amount_minor, currency, locale),
        )
        for line in parsed.lines[:MOST_PREVIEWED]
    ]  # fmt: skip
    return summary, rows, max(0, len(parsed.lines) - MOST_PREVIEWED)


def line_row(actor: Actor, line: BankLine, chosen: Collection[str] = ()) -> Row:
    """A bank line as it is printed."""
    amount = text(line.amount_minor, line.currency, actor.business.locale)
    return Row(line.id, day_text(line.day), line.description or "–", line.reference, amount, line.id in chosen)


def entry_row(actor: Actor, entry: LedgerEntry, currency: str, chosen: Collection[str] = ()) -> Row:
    """An entry as it is printed."""
    amount = text(entry.amount_minor, currency, actor.business.locale)
    words = entry.description or entry.type or f"Posting {entry.ledger_transaction_id}"
    return Row(str(entry.seq), day_text(entry.effective_on), words, entry.ref, amount, str(entry.seq) in chosen)


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


def proof_text(actor: Actor, proof: Proof | None) -> ProofText | None:
    """ "Closing balance KES 90.00 = books KES 100.00 + 1 unmatched bank line KES -10.00 - 0 unmatched entries KES 0.00"."""
    if proof is None:
        return None

    def money(minor: int) -> str:
        return text(minor, proof.currency, actor.business.locale)

    line_word = "unmatched bank line" if proof.unmatched_line_count == 1 else "unmatched bank lines"
    entry_word = "unmatched entry" if proof.unmatched_entry_count == 1 else "unmatched entries"
    parts = [
        f"Closing balance {money(proof.closing_minor)} = books {money(proof.books_minor)}",
        f"+ {proof.unmatched_line_count:,} {line_word} {money(proof.unmatched_lines_minor)}",
        f"− {proof.unmatched_entry_count:,} {entry_word} {money(proof.unmatched_entries_minor)}",
    ]
    if proof.fees_minor:
        parts.append(f"+ fees within tolerance {money(proof.fees_minor)}")
    if proof.carried_minor:
        parts.append(f"+ difference before the first statement {money(proof.carried_minor)}")
    missing, carried = (money(minor) if minor else "" for minor in (proof.missing_minor, proof.carried_minor))
    return ProofText(proof.proven, " ".join(parts), missing, carried)


def sums_text(actor: Actor, sides: Sides, form: MatchForm, currency: str) -> str:
    """What the chosen lines and entries come to; "" where nothing is chosen."""
    lines = sum(line.amount_minor for line in sides.lines if line.id in form.lines)
    entries = sum(entry.amount_minor for entry in sides.entries if str(entry.seq) in form.entries)
    if not form.lines and not form.entries:
        return ""
    locale = actor.business.locale
    return (
        f"Bank lines {text(lines, currency, locale)}, entries {text(entries, currency, locale)}, "
        f"difference {text(lines - entries, currency, locale)}."
    )


def rule_rows(actor: Actor, rules: Sequence[BankRule], currency: str) -> list[tuple[BankRule, str]]:
    """Rules with their conditions in words."""
    return [(rule, _conditions(actor, rule, currency)) for rule in rules]


def _conditions(actor: Actor, rule: BankRule, currency: str) -> str:
    conditions = [f"description contains “{rule.text}”"] if rule.text else []
    conditions += [f"reference is {rule.reference}"] if rule.reference else []
    amount = rule.amount_minor
    conditions += [f"amount is {text(amount, currency, actor.business.locale)}"] if amount is not None else []
    return ", ".join(conditions)
