"""Statements as lines, matches, suggestions, proofs and stored rules on the wire."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from service import inputs
from service.accounting.schemas import BankLineOut, UnmatchedEntry
from service.pagination import Envelope, PageQuery
from service.text import CurrencyCode, ObjectId, Reason, Text, WalletRef

RULES = Literal["REFERENCE", "DAY", "RULE", "SUM", "FEE", "BY_HAND"]
FORMATS = Literal["CSV", "CAMT053", "MT940", "OFX"]
MOST_LINES = 5_000
DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
A_LINE: JsonDict = {
    "number": 1, "day": "2026-03-05", "amount_minor": -125050, "description": "Acacia Stationers", "reference": "INV-7",
    "bank_id": "",
}  # fmt: skip


class NewBankLine(Schema):
    """One line of a bank statement to import: minor units, above zero for money in."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [A_LINE]})

    number: inputs.Whole = Field(ge=1, le=1_000_000)
    day: inputs.Day
    amount_minor: inputs.Whole = Field(ge=-inputs.LARGEST, le=inputs.LARGEST)
    description: inputs.Line = Field("", max_length=300)
    reference: inputs.Line = Field("", max_length=100)
    bank_id: inputs.Line = Field("", max_length=100)


class NewBankStatement(Schema):
    """A bank statement to import for one wallet, with the balances before and after its lines, in minor units."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "org_wallet_ref": "1", "file_name": "march.xml", "sha256": DIGEST, "source_format": "CAMT053",
                    "currency": "KES", "account": "KE1234", "from": "2026-03-01", "to": "2026-03-31",
                    "opening_minor": 1000000, "closing_minor": 874950, "lines": [A_LINE],
                }
            ]
        },
    )  # fmt: skip

    org_wallet_ref: WalletRef
    file_name: inputs.Name = Field(max_length=120)
    sha256: inputs.Line = Field(pattern=r"^[0-9a-f]{64}$")
    source_format: FORMATS
    currency: CurrencyCode
    account: inputs.Line = Field("", max_length=40)
    from_: inputs.Day = Field(alias="from")
    to: inputs.Day
    opening_minor: inputs.Whole = Field(ge=-inputs.LARGEST, le=inputs.LARGEST)
    closing_minor: inputs.Whole = Field(ge=-inputs.LARGEST, le=inputs.LARGEST)
    lines: list[NewBankLine] = Field(max_length=MOST_LINES)


class NewBankMatch(Schema):
    """Bank lines and entries of one wallet to match with each other; their sums differ by at most `tolerance_minor`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "org_wallet_ref": "1", "line_ids": ["0192f0c0ffee000012345678"], "entry_seqs": [7],
                    "tolerance_minor": 0, "rule": "BY_HAND",
                }
            ]
        },
    )  # fmt: skip

    org_wallet_ref: WalletRef
    line_ids: list[ObjectId] = Field(min_length=1, max_length=100)
    entry_seqs: list[inputs.Whole] = Field(min_length=1, max_length=100)
    tolerance_minor: inputs.Whole = Field(0, ge=0, le=inputs.LARGEST)
    rule: RULES = "BY_HAND"
    reason: Text = ""


class CertainBody(Schema):
    """The wallet of which all certain suggestions are matched at once."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"org_wallet_ref": "1"}]})

    org_wallet_ref: WalletRef


class NewBankRule(Schema):
    """A rule for lines of the bank: the text, reference or amount that they have, and of which type their postings are."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "Bank fees", "text": "monthly fee", "type": "FEE"}]},
    )

    name: inputs.Name = Field(max_length=100)
    text: inputs.Line = Field("", max_length=100)
    reference: inputs.Line = Field("", max_length=100)
    amount_minor: inputs.Whole | None = Field(None, ge=-inputs.LARGEST, le=inputs.LARGEST)
    currency: CurrencyCode | None = Field(None, description="Of the amount, where there is one.")
    type: inputs.Line = Field(pattern=r"^[A-Z][A-Z_]{0,31}$")


class BankMatchQuery(PageQuery):
    """Filters of the matches: a wallet, one match, days, text and amount."""

    accountref: WalletRef | None = None
    match_id: ObjectId | None = Field(None, description="This one alone.")
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None
    search: inputs.Line | None = Field(None, max_length=100, description="Part of the description or the reference.")
    amount_minor: inputs.Whole | None = Field(None, ge=0, le=inputs.LARGEST, description="In or out.")


class SuggestionQuery(Schema):
    """For which lines of a wallet suggestions are asked, and by how many minor units two sides may differ."""

    accountref: WalletRef = "1"
    tolerance_minor: inputs.Whole = Field(0, ge=0, le=inputs.LARGEST)
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None
    search: inputs.Line | None = Field(None, max_length=100, description="Part of the description or the reference.")
    amount_minor: inputs.Whole | None = Field(None, ge=0, le=inputs.LARGEST, description="In or out.")
    page: inputs.Whole = Field(1, ge=1, le=1_000_000, description="From 1.")
    after: str = Field(
        "", max_length=40, pattern=r"^([0-9]_[0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9a-f]{24})?$",
        description="`next_after` of the page before; `page` is ignored then.",
    )  # fmt: skip
    limit: inputs.Whole = Field(200, ge=1, le=1000)
    window: inputs.Day | None = Field(
        None, description="`following_window` of the days before; else `from`, or the oldest."
    )


class BankFinding(Schema):
    """Something about a statement: of its line `number`, or of the whole where that is 0."""

    code: str
    message: str
    number: int
    blocks: bool


class BankStatementCheck(Schema):
    """What importing the statement would do."""

    importable: bool
    already_imported: bool
    new_lines: int
    known_lines: int
    findings: list[BankFinding]


class HeldEntry(Schema):
    """An entry that a match holds."""

    seq: int
    ledger_transaction_id: int
    effective_on: date
    amount: Decimal
    amount_minor: int


class BankMatchOut(Schema):
    """A match with its lines and entries; `difference` is lines less entries."""

    id: str = Field(alias="_id")
    org_wallet_ref: str
    currency: str
    rule: RULES
    reason: str
    difference: Decimal
    difference_minor: int
    tolerance_minor: int
    matched_by: str
    matched_at: datetime
    lines: list[BankLineOut]
    entries: list[HeldEntry]


class BankMatchPage(Envelope):
    """A page of the matches of bank lines with entries."""

    docs: list[BankMatchOut]


class BankSuggestion(Schema):
    """What may belong together, and why; `certain` where nothing else fits."""

    rule: RULES
    reason: str
    certain: bool
    difference: Decimal
    difference_minor: int
    lines: list[BankLineOut]
    entries: list[UnmatchedEntry]


class BankSuggestionList(Schema):
    """What is suggested for the unmatched lines of a window of days, a page of it."""

    docs: list[BankSuggestion]
    total: int
    certain: int
    left_out: int
    next_after: str | None = Field(description="The place behind which the next suggestions are; null at the end.")
    window_from: date | None
    window_to: date | None
    following_window: date | None
    unsearched_lines: int
    unsearched_entries: int


class CertainCount(Schema):
    """How many matches of a wallet are certain, and how many lines were not looked at for it."""

    certain: int
    left_out: int


class WalletQuery(Schema):
    """A wallet of the business by its reference."""

    accountref: WalletRef = "1"


class AcceptedMatches(Schema):
    """How many of the certain suggestions were matched."""

    matched: int


class RemoveStatement(Schema):
    """Why a statement is taken back."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"reason": "It is of another wallet."}]})

    reason: Reason
    proposed_by: ObjectId | None = Field(None, description="Who proposed it, where another one removes it.")


class BankRuleOut(Schema):
    """A stored rule: every condition that it has must hold."""

    id: str = Field(alias="_id")
    name: str
    text: str
    reference: str
    amount_minor: int | None
    currency: str | None
    type: str
    created_by: str
    createdAt: datetime  # noqa: N815  the published spelling


class BankRuleList(Schema):
    """All rules for lines of the bank."""

    docs: list[BankRuleOut]
    total: int
