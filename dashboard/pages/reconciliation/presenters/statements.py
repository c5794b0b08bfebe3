"""How statements are shown: their list, and a file before its import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict
from urllib.parse import urlencode

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.bank_statements.formats import NAMES
from dashboard.bank_statements.models import StatementDraft
from dashboard.bank_statements.statement import ParsedStatement, StatementError, StatementProblem
from dashboard.client.page import Page
from dashboard.commands.reconciliation import statement_body
from dashboard.errors import FinanceError
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import StatementColumnsForm, StatementForm
from dashboard.pages.reconciliation.selectors.desk import DeskPages
from dashboard.pages.reconciliation.selectors.statements import MOST_STATEMENTS, check_of, statement_of, statements_of
from dashboard.pages.reconciliation.selectors.wallets import bank_wallets
from dashboard.schemas.reconciliation import BankStatement, StatementCheck, StatementFinding
from dashboard.times import day_text

MOST_PREVIEWED = 20
MOST_FINDINGS = 50
# An OFX has a closing balance alone.
WORKED_OUT = "Opening balance, closing less lines"


@dataclass(frozen=True, slots=True)
class BankOrLedgerRow:
    """A bank line or an entry as it is printed; `id` is what its box sends."""

    id: str
    day: str
    words: str
    more: str
    amount: str
    chosen: bool = False


# Pages that are reached by their number, too.
NEAR = 3


@dataclass(frozen=True, slots=True)
class Pager:
    """To the page before and after of a list, as queries of its address; "" for none. `back` is what the way back is called:
    where the page before is not known by its key, it leads to the first."""

    label: str
    range_text: str
    previous: str
    next: str
    back: str = "Newest"


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


class StatementsContext(TypedDict):
    """What reconciliation/statements.html reads."""

    rows: list[StatementRow]
    wallets: list[tuple[str, str]]
    problem: str
    may_change: bool
    key: str
    form: StatementForm
    statements_pager: Pager


class FileContext(TypedDict):
    """What reconciliation/file.html reads: `problems` where the file cannot be read, `check` where it can."""

    draft: StatementDraft
    wallet: str
    format: str
    key: str
    problems: Sequence[StatementProblem]
    columns: NotRequired[StatementColumnsForm]
    check: NotRequired[StatementCheck]
    summary: NotRequired[list[tuple[str, str]]]
    lines: NotRequired[list[BankOrLedgerRow]]
    more: NotRequired[int]
    names_account: NotRequired[bool]
    findings: NotRequired[Sequence[StatementFinding]]
    more_findings: NotRequired[int]
    has_opening: NotRequired[bool]
    balance_note: NotRequired[str]
    failed: NotRequired[str]


def numbered_pager(
    label: str, query: Mapping[str, str], name: str, number: int, size: int, total: int, cursor: str = ""
) -> Pager:
    """The pager of a list whose pages are numbered; `query` is what else the address says. With a cursor the next page goes on
    behind it, and a page far from the first leads back to that: nothing far is counted through."""
    first, last = (number - 1) * size + 1, min(number * size, total)
    before = number - 1 if number <= NEAR else 1
    following: dict[str, str | int] = {name: number + 1, **({f"{name}_after": cursor} if cursor else {})}
    return Pager(
        label,
        f"{first:,}–{last:,} of {total:,}" if total > size and first <= total else "",
        urlencode({**query, name: before}) if number > 1 else "",
        urlencode({**query, **following}) if last < total else "",
        "Previous" if number <= NEAR else "First",
    )


def wallet_title(wallet: Wallet) -> str:
    """The wallet by its name, or its reference, and its currency: "Operations · KES"."""
    return f"{wallet.name or wallet.org_wallet_ref} · {wallet.currency}"


def may_change(actor: Actor) -> bool:
    """Whether the actor imports and matches at all."""
    return bool(can_open(actor, operations_accounting.CREATE_BANK_MATCH))


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


def removal_text(statement: BankStatement, wallet: Wallet) -> str:
    """What taking a statement back means, for the second person."""
    days = f"{day_text(statement.first)} – {day_text(statement.last)}"
    lines = f"{statement.line_count:,} bank line{'' if statement.line_count == 1 else 's'}"
    return f"The statement {statement.file_name} of {wallet_title(wallet)}, {days}, is removed with its {lines}; a line that another statement holds too stays."


def wallet_choices(wallets: Sequence[Wallet]) -> list[tuple[str, str]]:
    """Wallets as the choices of a field."""
    return [(wallet.remote_id, wallet_title(wallet)) for wallet in wallets]


def statements_context(
    actor: Actor, pages: DeskPages, key: str, form: StatementForm | None = None
) -> StatementsContext:
    """A page of all statements, or why they cannot be read, and the wallets that can be reconciled; `form` where a file was not
    taken."""
    wallets, problem = bank_wallets(actor), ""
    rows: list[BankStatement] = []
    on_page = Page([])
    try:
        rows, on_page = statements_of(actor, pages=pages)
    except FinanceError as trouble:
        problem = trouble.user_message
    return {
        "rows": statement_rows(actor, rows, wallets),
        "wallets": wallet_choices(wallets),
        "problem": problem,
        "may_change": may_change(actor),
        "form": form or StatementForm(wallets=wallet_choices(wallets)),
        "key": key,
        "statements_pager": numbered_pager(
            "Pages of statements", {}, "statements", pages.statements, MOST_STATEMENTS, on_page.total or len(rows),
            on_page.cursor,
        ),
    }  # fmt: skip


def unread_file(
    statement_draft: StatementDraft, wallet: Wallet, key: str, columns: StatementColumnsForm | None
) -> FileContext:
    """A file of which nothing is read yet; `columns` where its columns have to be said."""
    context: FileContext = {
        "draft": statement_draft, "wallet": wallet_title(wallet), "format": NAMES[statement_draft.source_format],
        "key": key, "problems": (),
    }  # fmt: skip
    if columns is not None:
        context["columns"] = columns
    return context


def file_context(
    actor: Actor, statement_draft: StatementDraft, wallet: Wallet, key: str, columns: StatementColumnsForm | None,
    failed: str = "",
) -> FileContext:  # fmt: skip
    """A file before its import: what is wrong with it, or what importing it would do; `failed` is why it was not imported."""
    context = unread_file(statement_draft, wallet, key, columns)
    if failed:
        context["failed"] = failed
    try:
        parsed = statement_of(statement_draft, wallet.currency)
    except StatementError as wrong:
        context["problems"] = wrong.problems
        return context
    if parsed is None:
        return context
    statement = statement_body(parsed, wallet.org_wallet_ref, statement_draft.file_name, statement_draft.sha256)
    try:
        check = check_of(actor, wallet, statement)
    except FinanceError as trouble:
        context["failed"] = failed or trouble.user_message
        return context
    context["check"], context["names_account"] = check, bool(parsed.account)
    context["findings"] = check.findings[:MOST_FINDINGS]
    context["more_findings"] = len(check.findings) - len(context["findings"])
    context["has_opening"], context["balance_note"] = parsed.has_opening, balance_note(parsed)
    context["summary"], context["lines"], context["more"] = preview_parts(actor, parsed, check)
    return context


def balance_note(parsed: ParsedStatement) -> str:
    """That a closing balance is of a later day than the file's lines reach to; "" where it is not."""
    if parsed.lines_until is None or parsed.lines_until >= parsed.last_day:
        return ""
    return (
        f"The closing balance is of {day_text(parsed.last_day)}, the lines end on {day_text(parsed.lines_until)}: what the bank "
        "booked between them is not in this file."
    )


def preview_parts(
    actor: Actor, parsed: ParsedStatement, statement_check: StatementCheck
) -> tuple[list[tuple[str, str]], list[BankOrLedgerRow], int]:
    """What a file says before it is imported: its figures, its first lines, and how many more it has."""
    locale, currency = actor.business.locale, parsed.currency
    summary = [
        ("Account", parsed.account or "–"),
        ("Period", f"{day_text(parsed.first_day)} – {day_text(parsed.last_day)}"),
        (
            "Opening balance" if parsed.has_opening else WORKED_OUT,
            text(parsed.opening_minor, currency, locale),
        ),
        ("Closing balance", text(parsed.closing_minor, currency, locale)),
        ("New lines", f"{statement_check.new_lines:,}"),
        ("Lines already imported", f"{statement_check.known_lines:,}"),
    ]
    rows = [
        BankOrLedgerRow(
            str(line.number), day_text(line.day), line.description or "–", line.reference,
            text(line.amount_minor, currency, locale),
        )
        for line in parsed.lines[:MOST_PREVIEWED]
    ]  # fmt: skip
    return summary, rows, max(0, len(parsed.lines) - MOST_PREVIEWED)
