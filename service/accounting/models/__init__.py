"""Accounting: when each month's book was closed, what banks say happened, and which lines of theirs are which entries."""

from service.accounting.models.bank import (
    BankStatement,
    LineStatus,
    OpeningDifference,
    RepeatedLine,
    SourceFormat,
    StatementLine,
)
from service.accounting.models.exports import ExportedEntry, ExportStatus, JournalExport
from service.accounting.models.matches import BankMatch, BankRule, MatchedBy, MatchedEntry
from service.accounting.models.periods import Period, PeriodStatus
from service.accounting.models.sums import AccountDay, SummedAccount

__all__ = [
    "AccountDay",
    "BankMatch",
    "BankRule",
    "BankStatement",
    "ExportStatus",
    "ExportedEntry",
    "JournalExport",
    "LineStatus",
    "MatchedBy",
    "MatchedEntry",
    "OpeningDifference",
    "Period",
    "PeriodStatus",
    "RepeatedLine",
    "SourceFormat",
    "StatementLine",
    "SummedAccount",
]
