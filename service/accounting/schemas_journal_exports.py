"""Journal exports on the wire."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.pagination import Envelope
from service.text import ObjectId, Reason


class NewJournalExport(Schema):
    """The days, both included, whose postings become an export."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"from": "2026-03-01", "to": "2026-03-31"}]}
    )

    from_: inputs.Day = Field(alias="from")
    to: inputs.Day
    most_lines: inputs.Whole | None = Field(
        None, ge=1, le=inputs.LARGEST,
        description="At most so many lines, the first by day and posting: the rest is left to the next export.",
    )  # fmt: skip
    correctable: list[inputs.Whole] | None = Field(
        None, max_length=10_000,
        description="Numbers of the exports whose lines may be corrected, null for any: refused where it would correct another.",
    )  # fmt: skip


class UndoJournalExport(Schema):
    """Who proposed that an export is undone, and why."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"proposed_by": "0192f0c0ffee000012345678", "reason": "Wrong mapping"}]},
    )

    proposed_by: ObjectId
    reason: Reason


class PendingQuery(Schema):
    """Which days, by the ledger's."""

    from_: inputs.Day = Field(alias="from", description="First day.")
    to: inputs.Day = Field(description="Last day.")


class PendingLineQuery(PendingQuery):
    """Which of them; `after` the place of the last line that is known."""

    after: str = Field(
        "",
        max_length=80,
        pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}(\.[0-9]{1,18}){3})?$",
        description="The place behind which to go on.",
    )
    limit: inputs.Whole = Field(100, ge=1, le=1000, description="Lines at a time.")


class JournalLineQuery(Schema):
    """The lines in their order; `after` the number of the last one that is known."""

    after: inputs.Whole = Field(0, ge=0, le=inputs.LARGEST, description="The number behind which to go on.")
    limit: inputs.Whole = Field(1000, ge=1, le=5000, description="Lines at a time.")


class JournalSum(Schema):
    """What an account moved. A credit is what its holder gained."""

    account_id: int
    kind: str
    name: str
    currency: str
    holder_type: str | None
    holder_id: str | None
    debit: Decimal
    debit_minor: int
    credit: Decimal
    credit_minor: int
    line_count: int


class PendingJournalExport(Schema):
    """What an export would hold."""

    from_: date = Field(alias="from")
    to: date
    line_count: int
    posting_count: int
    correction_count: int
    corrected_exports: list[int]
    accounts: list[JournalSum]
    subcategory_ids: list[str]
    team_ids: list[str]
    tax_ids: list[str]
    tag_ids: list[str]


class JournalExportOut(Schema):
    """An export; `undone_at` null where its lines are exported still."""

    id: str = Field(alias="_id")
    number: int
    from_: date = Field(alias="from")
    to: date
    status: Literal["LIVE", "UNDONE"]
    line_count: int
    posting_count: int
    correction_count: int
    is_partial: bool
    sha256: str
    exported_by: str
    undo_proposed_by: str | None
    undone_by: str | None
    undo_reason: str | None
    undone_at: datetime | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling


class JournalExportWithSums(JournalExportOut):
    """An export with what each account moved in it."""

    accounts: list[JournalSum]


class JournalExportPage(Envelope):
    """A page of the journal exports."""

    docs: list[JournalExportOut]


class JournalPart(Schema):
    """A part of an entry that is filed in several, or stands on another account in the business's own books; with the
    entry's sign."""

    subcategory_id: str
    team_id: str | None
    account_id: int | None
    tag_ids: list[str]
    amount: Decimal
    amount_minor: int


class JournalExportLine(Schema):
    """An entry; below zero where it lowers what the account's holder has."""

    number: int
    effective_on: date
    posted_at: datetime
    ledger_transaction_id: int
    type: str
    ref: str
    description: str
    account_id: int
    seq: int
    account_kind: str
    account_name: str
    holder_type: str | None
    holder_id: str | None
    currency: str
    amount: Decimal
    amount_minor: int
    subcategory_id: str | None
    team_id: str | None
    tax_id: str | None
    tag_ids: list[str]
    parts: list[JournalPart]
    correction: int
    corrected_export: int | None


class FiledOut(Schema):
    """What an entry is filed under."""

    subcategory_id: str | None
    team_id: str | None
    tag_ids: list[str]
    parts: list[JournalPart]


class JournalCorrection(Schema):
    """An exported entry that is filed otherwise now: the next export reverses what was exported, and exports it anew."""

    effective_on: date
    ledger_transaction_id: int
    account_id: int
    seq: int
    account_name: str
    description: str
    currency: str
    amount: Decimal
    amount_minor: int
    corrected_export: int
    exported: FiledOut
    now: FiledOut


class JournalCorrections(Schema):
    """What the next export of these days would correct."""

    docs: list[JournalCorrection]
    next_after: str | None = Field(description="The place behind which the next ones are; null at the end.")


class PendingJournalLines(Schema):
    """Lines that nobody has exported yet: their `number` is 0."""

    docs: list[JournalExportLine]
    next_after: str | None = Field(description="The place behind which the next lines are; null at the end.")


class JournalExportLines(Schema):
    """The lines of an export behind a place in it; `next_after` is None at its end."""

    docs: list[JournalExportLine]
    total: int
    next_after: int | None
