"""The proof of a bank statement, and the opening difference that somebody accepts, as they are published."""

from datetime import datetime
from decimal import Decimal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.text import ObjectId, Reason


class AcceptDifference(Schema):
    """What bank and books differed by before the first statement, as it was seen, and why it is accepted."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"amount_minor": 50000, "reason": "Opened before our books."}]}
    )

    amount_minor: inputs.Whole = Field(ge=-inputs.LARGEST, le=inputs.LARGEST)
    reason: Reason
    proposed_by: ObjectId | None = Field(None, description="Who proposed it, where another one accepts it.")


class WithdrawDifference(AcceptDifference):
    """The accepted difference as it was seen, and why its acceptance is withdrawn."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"amount_minor": 50000, "reason": "It was a missing statement."}]},
    )

    proposed_by: ObjectId | None = Field(None, description="Who proposed it, where another one withdraws it.")


class AcceptedDifference(Schema):
    """What was accepted of what bank and books differed by before the first statement."""

    amount: Decimal
    amount_minor: int
    reason: str
    proposed_by: str | None
    accepted_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class BankProof(Schema):
    """closing = books + unmatched_lines - unmatched_entries + fees + carried; proven where nothing is `missing`, and what is
    `carried` is nothing or what was `accepted`."""

    statement_id: str
    currency: str
    proven: bool
    closing: Decimal
    closing_minor: int
    books: Decimal
    books_minor: int
    unmatched_lines: Decimal
    unmatched_lines_minor: int
    unmatched_line_count: int
    unmatched_entries: Decimal
    unmatched_entries_minor: int
    unmatched_entry_count: int
    fees: Decimal
    fees_minor: int
    carried: Decimal
    carried_minor: int
    missing: Decimal
    missing_minor: int
    accepted: AcceptedDifference | None
