"""Journal exports: what waits to be exported, exports with what each account moved, their lines, and undoing one."""

from datetime import date, datetime
from typing import TypedDict

from pydantic import Field

from dashboard.schemas.base import Currency, Id, RequestSchema, ResponseSchema, Text


class AccountSum(ResponseSchema):
    """What an account moved. A credit is what its holder gained."""

    account_id: int
    kind: Text = ""
    name: Text = ""
    currency: Currency
    holder_id: Text = ""
    debit_minor: int
    credit_minor: int
    line_count: int


class PendingExport(ResponseSchema):
    """What an export of these days would hold; what its lines are filed under, by id."""

    first: date = Field(alias="from")
    last: date = Field(alias="to")
    line_count: int
    posting_count: int
    correction_count: int = 0
    corrected_exports: list[int] = []
    accounts: list[AccountSum]
    subcategory_ids: list[str] = []
    team_ids: list[str] = []
    tax_ids: list[str] = []
    tag_ids: list[str] = []


class JournalExport(ResponseSchema):
    """An export; `sha256` is that of its lines, `status` LIVE or UNDONE."""

    id: Id
    number: int
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    status: Text = ""
    line_count: int
    posting_count: int
    correction_count: int = 0
    # Of the lines of these days it has the first: the next export goes on from there.
    is_partial: bool = False
    sha256: Text = ""
    exported_by: Text = ""
    undo_reason: Text = ""
    undone_at: datetime | None = None
    version: int = 1


class JournalExportWithSums(JournalExport):
    """An export with what each account moved in it."""

    accounts: list[AccountSum]


class LinePart(ResponseSchema):
    """A part of an entry, with the entry's sign; `account_id` of the account on which it stands in the business's own books,
    None for the entry's."""

    subcategory_id: Text
    amount_minor: int
    team_id: Text = ""
    account_id: int | None = None
    tag_ids: list[str] = []


class ExportLine(ResponseSchema):
    """An entry of an export; below zero where it lowers what the account's holder has."""

    number: int
    effective_on: date
    posted_at: datetime
    ledger_transaction_id: int
    type: Text = ""
    ref: Text = ""
    description: Text = ""
    account_id: int
    seq: int
    account_kind: Text = ""
    account_name: Text = ""
    holder_id: Text = ""
    currency: Currency
    amount_minor: int
    subcategory_id: Text = ""
    team_id: Text = ""
    tax_id: Text = ""
    tag_ids: list[str] = []
    parts: list[LinePart] = []
    # Of a line that corrects an earlier export: below zero it takes back what was said, above zero it says it anew.
    correction: int = 0
    # The number of the export that it corrects; None of any other line.
    corrected_export: int | None = None


class Filed(ResponseSchema):
    """What an entry is filed under."""

    subcategory_id: Text = ""
    team_id: Text = ""
    tag_ids: list[str] = []
    parts: list[LinePart] = []


class JournalCorrection(ResponseSchema):
    """An exported entry that is filed otherwise now."""

    effective_on: date
    ledger_transaction_id: int
    account_id: int
    seq: int
    account_name: Text = ""
    description: Text = ""
    currency: Currency
    amount_minor: int
    corrected_export: int | None = None
    exported: Filed
    now: Filed


class JournalCorrections(ResponseSchema):
    """What the next export would correct; `next_after` goes on, None at the end."""

    docs: list[JournalCorrection]
    next_after: str | None = None


class PendingLines(ResponseSchema):
    """Some of the lines that nobody has exported yet; `next_after` goes on, None at the end."""

    docs: list[ExportLine]
    next_after: str | None = None


class JournalExportLines(ResponseSchema):
    """Some of the lines; `next_after` goes on, None at the end."""

    docs: list[ExportLine]
    total: int
    next_after: int | None = None


class NewJournalExport(RequestSchema):
    """Which days are exported, at most how many of their lines, and which exports may be corrected (None: any)."""

    from_: date = Field(alias="from")
    to: date
    most_lines: int | None = None
    correctable: list[int] | None = None


class UndoJournalExport(RequestSchema):
    """Who proposed to undo it, and why."""

    proposed_by: str
    reason: str


class UndoExportBody(TypedDict):
    """The body of UNDO_JOURNAL_EXPORT: the employee who proposed it, and why."""

    proposed_by: str
    reason: str
