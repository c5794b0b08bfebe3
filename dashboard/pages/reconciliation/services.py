"""What is changed of our own: files between upload and import, and how the columns of a CSV are called."""

from dataclasses import asdict
from hashlib import sha256

from dashboard.access.actor import Actor
from dashboard.bank_statements import csv_table, formats
from dashboard.bank_statements.csv_table import ColumnMapping
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.bank_statements.statement import ParsedStatement
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.selectors import columns_of

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
    actor: Actor, draft: StatementDraft, mapping: ColumnMapping, opening_minor: int, closing_minor: int
) -> None:
    """Remembers how a CSV with this header is read, and what the file does not say of itself."""
    key = csv_table.header_key(csv_table.header_of(bytes(draft.content)))
    CsvMapping.objects.update_or_create(business=actor.business, header_key=key, defaults={"columns": asdict(mapping)})
    draft.opening_minor, draft.closing_minor = opening_minor, closing_minor
    draft.save(update_fields=["opening_minor", "closing_minor"])


def statement_of(actor: Actor, draft: StatementDraft, currency: str) -> ParsedStatement | None:
    """The file read; None for a CSV whose columns or balances nobody has said. StatementError for what cannot be read."""
    content = bytes(draft.content)
    if draft.source_format != csv_table.NAME:
        return formats.parse(content, draft.source_format)
    columns = columns_of(actor, csv_table.header_key(csv_table.header_of(content)))
    if not columns or draft.opening_minor is None or draft.closing_minor is None:
        return None
    return csv_table.parse(content, ColumnMapping(**columns), currency, draft.opening_minor, draft.closing_minor)
