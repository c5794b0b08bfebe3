"""Bank statements as lines, their matches with entries of the ledger, suggestions, proofs and stored rules."""

from datetime import date, datetime
from typing import NotRequired, TypedDict

from pydantic import Field

from dashboard.schemas.base import Currency, Id, RequestSchema, ResponseSchema, Text


class BankLine(ResponseSchema):
    """A line of a bank's statement; `match_id` "" where it is unmatched."""

    id: Id
    org_wallet_ref: Text = ""
    day: date
    amount_minor: int
    currency: Currency
    description: Text = ""
    reference: Text = ""
    match_id: Text = ""


class LedgerEntry(ResponseSchema):
    """An entry of a wallet; `type` and `description` "" where a match alone names it."""

    seq: int
    ledger_transaction_id: int
    effective_on: date
    amount_minor: int
    type: Text = ""
    ref: Text = ""
    description: Text = ""


class BankStatement(ResponseSchema):
    """A statement that was imported; without balances where its file had none."""

    id: Id
    org_wallet_ref: Text = ""
    file_name: Text = ""
    source_format: Text = ""
    account: Text = ""
    currency: Currency
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    opening_minor: int | None = None
    closing_minor: int | None = None
    line_count: int = 0
    matched: int = 0
    unmatched: int = 0
    skipped: int = 0


class StatementFinding(ResponseSchema):
    """Something about a statement: of its line `number`, or of the whole where that is 0."""

    code: Text = ""
    message: Text = ""
    number: int = 0
    blocks: bool = False


class StatementCheck(ResponseSchema):
    """What importing a statement would do."""

    importable: bool
    already_imported: bool
    new_lines: int
    known_lines: int
    findings: list[StatementFinding]


class NewBankLine(RequestSchema):
    """A line of a bank statement as its file has it; the amount in minor units of the statement's currency."""

    number: int
    day: date
    amount_minor: int
    description: str
    reference: str
    bank_id: str


class NewBankStatement(RequestSchema):
    """A statement as a file has it, for a wallet."""

    org_wallet_ref: str
    file_name: str
    sha256: str
    source_format: str
    currency: str
    account: str
    from_: date = Field(alias="from")
    to: date
    opening_minor: int
    closing_minor: int
    lines: list[NewBankLine]


class NewBankMatch(RequestSchema):
    """What belongs together, one or several on each side."""

    org_wallet_ref: str
    line_ids: list[str]
    entry_seqs: list[int]
    tolerance_minor: int = 0
    rule: str = "BY_HAND"
    reason: str = ""


class WalletBody(RequestSchema):
    """A wallet by its reference."""

    org_wallet_ref: str


class BankMatch(ResponseSchema):
    """A match; `difference_minor` is lines less entries."""

    id: Id
    rule: Text = ""
    reason: Text = ""
    difference_minor: int = 0
    matched_by: Text = ""
    matched_at: datetime | None = None
    lines: list[BankLine]
    entries: list[LedgerEntry]


class Suggestion(ResponseSchema):
    """What may belong together, and why."""

    rule: Text = ""
    reason: Text = ""
    certain: bool
    difference_minor: int
    lines: list[BankLine]
    entries: list[LedgerEntry]


class Suggestions(ResponseSchema):
    """A page of what is suggested for the unmatched lines of a window of days, None where nothing is unmatched; `certain` of `total`
    have only one that fits there. `left_out` unmatched lines lie outside it; `next_after` is where the suggestions go on, "" at the
    end, `following_window` the day that the next window begins with. For the unsearched no sums of several were looked for."""

    docs: list[Suggestion]
    total: int
    certain: int
    left_out: int = 0
    next_after: Text = ""
    window_from: date | None = None
    window_to: date | None = None
    following_window: date | None = None
    unsearched_lines: int = 0
    unsearched_entries: int = 0


class CertainCount(ResponseSchema):
    """How many matches of a wallet are certain; `left_out` unmatched lines behind the oldest were not looked at for it."""

    certain: int
    left_out: int = 0


class Accepted(ResponseSchema):
    """How many matches were made."""

    matched: int


class AcceptedDifference(ResponseSchema):
    """What was accepted of what bank and books differed by before the first statement."""

    amount_minor: int
    reason: Text = ""
    proposed_by: Text = ""
    accepted_by: Text = ""
    accepted_at: datetime | None = Field(None, alias="createdAt")


class Proof(ResponseSchema):
    """closing = books + unmatched lines - unmatched entries + fees + carried; `missing` is what is left of it, `accepted`
    what somebody accepted of `carried`."""

    currency: Currency
    proven: bool
    closing_minor: int
    books_minor: int
    unmatched_lines_minor: int
    unmatched_line_count: int
    unmatched_entries_minor: int
    unmatched_entry_count: int
    fees_minor: int
    carried_minor: int
    missing_minor: int
    accepted: AcceptedDifference | None = None


class RemovedStatement(RequestSchema):
    """Why a statement is taken back, and who proposed it where another one confirms it."""

    reason: str
    proposed_by: str | None = None


class NewAcceptedDifference(RequestSchema):
    """A difference before the first statement as it was seen, and why it is accepted, or its acceptance withdrawn."""

    amount_minor: int
    reason: str
    proposed_by: str | None = None


class BankRule(ResponseSchema):
    """A stored rule: lines like these are entries of that type."""

    id: Id
    name: Text = ""
    text: Text = ""
    reference: Text = ""
    amount_minor: int | None = None
    currency: Text = ""
    type: Text = ""


class NewBankRule(RequestSchema):
    """A rule to store; a condition that it does not have is "", an amount None."""

    name: str
    text: str
    reference: str
    amount_minor: int | None = None
    currency: str | None = None
    type: str


class AcceptedDifferenceBody(TypedDict):
    """The body of ACCEPT_BANK_DIFFERENCE and WITHDRAW_BANK_DIFFERENCE: the difference as it was seen in minor units, why, and
    the employee who proposed it where another one confirms it."""

    amount_minor: int
    reason: str
    proposed_by: NotRequired[str]


class RemovedStatementBody(TypedDict):
    """The body of REMOVE_BANK_STATEMENT: why, and the employee who proposed it where another one confirms it."""

    reason: str
    proposed_by: NotRequired[str]
