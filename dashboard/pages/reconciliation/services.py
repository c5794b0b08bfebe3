"""What is changed of our own: files between upload and import, how the columns of a CSV are called, and what is ticked of a
desk."""

from collections.abc import Collection
from dataclasses import asdict
from hashlib import sha256

from django.core import signing
from django.http import HttpRequest

from dashboard.access.actor import Actor
from dashboard.bank_statements import csv_table, formats
from dashboard.bank_statements.csv_table import ColumnMapping
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.bank_statements.statement import ParsedStatement
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.selectors.desk import MOST_OF_A_SIDE, SELECTED, MatchSelection, match_selection
from dashboard.pages.reconciliation.selectors.matches import Sides

LONGEST_NAME = 120


def create_draft(actor: Actor, wallet: Wallet, name: str, content: bytes) -> StatementDraft:
    """Keeps a file until it is imported. StatementError for no statement."""
    source_format = formats.format_of(content)
    printed = "".join(letter for letter in name if letter.isprintable())[-LONGEST_NAME:].strip()
    return StatementDraft.objects.create(
        business=actor.business, membership_id=actor.member_id, wallet_id=wallet.remote_id,
        file_name=printed or "statement", sha256=sha256(content).hexdigest(), source_format=source_format,
        content=content,
    )  # fmt: skip


def save_columns(
    actor: Actor, statement_draft: StatementDraft, mapping: ColumnMapping, opening_minor: int, closing_minor: int
) -> None:
    """Remembers how a CSV with this header is read, and what the file does not say of itself."""
    key = csv_table.header_key(csv_table.header_of(bytes(statement_draft.content)))
    CsvMapping.objects.update_or_create(business=actor.business, header_key=key, defaults={"columns": asdict(mapping)})
    statement_draft.opening_minor, statement_draft.closing_minor, statement_draft.columns = (
        opening_minor,
        closing_minor,
        asdict(mapping),
    )
    statement_draft.save(update_fields=["opening_minor", "closing_minor", "columns"])


def statement_of(statement_draft: StatementDraft, currency: str) -> ParsedStatement | None:
    """The file read; None for a CSV whose columns or balances its person has not said. StatementError for what cannot be
    read."""
    content = bytes(statement_draft.content)
    if statement_draft.source_format != csv_table.NAME:
        return formats.parse(content, statement_draft.source_format)
    if not statement_draft.columns or statement_draft.opening_minor is None or statement_draft.closing_minor is None:
        return None
    return csv_table.parse(
        content,
        ColumnMapping(**statement_draft.columns),
        currency,
        statement_draft.opening_minor,
        statement_draft.closing_minor,
    )


def page_rows_text(wallet: Wallet, sides: Sides) -> str:
    """The rows that a page of the desk shows, with their amounts, signed: so that what is ticked and unticked there can be told
    from what is ticked elsewhere, and summed, without asking the service again."""
    rows = {
        "lines": {line.id: line.amount_minor for line in sides.lines},
        "entries": {str(entry.seq): entry.amount_minor for entry in sides.entries},
    }
    return signing.dumps(rows, salt=_salt(wallet), compress=True)


def select(request: HttpRequest, wallet: Wallet) -> MatchSelection:
    """Keeps what a posted page of the desk has ticked, beside what is ticked on other pages; answers all of it, of each side at
    most MOST_OF_A_SIDE rows. A page that does not say what it shows changes nothing."""
    before = match_selection(request, wallet)
    try:
        page_rows = signing.loads(request.POST.get("page_rows", ""), salt=_salt(wallet))
    except signing.BadSignature:
        return before
    lines, entries = (
        _ticked(earlier, page_rows[side], request.POST.getlist(name))
        for earlier, side, name in ((before.lines, "lines", "line"), (before.entries, "entries", "entry"))
    )
    selection = MatchSelection(lines, entries)
    _store(request, wallet, selection)
    return selection


def _ticked(before: dict[str, int], page_rows: dict[str, int], ticked: list[str]) -> dict[str, int]:
    elsewhere = {row: minor for row, minor in before.items() if row not in page_rows}
    here = {row: page_rows[row] for row in ticked if row in page_rows}
    return dict(list((elsewhere | here).items())[:MOST_OF_A_SIDE])


def deselect(request: HttpRequest, wallet: Wallet, rows: Collection[str] | None = None) -> None:
    """Forgets what is ticked of a wallet's desk: these lines and entries, or all."""
    before = match_selection(request, wallet)
    gone = {*before.lines, *before.entries} if rows is None else set(rows)
    lines = {row: minor for row, minor in before.lines.items() if row not in gone}
    _store(
        request, wallet, MatchSelection(lines, {row: minor for row, minor in before.entries.items() if row not in gone})
    )


def _store(request: HttpRequest, wallet: Wallet, selection: MatchSelection) -> None:
    stored = {key: value for key, value in request.session.get(SELECTED, {}).items() if key != wallet.remote_id}
    if selection.lines or selection.entries:
        stored[wallet.remote_id] = asdict(selection)
    request.session[SELECTED] = stored


def _salt(wallet: Wallet) -> str:
    return f"reconciliation.page_rows.{wallet.remote_id}"
