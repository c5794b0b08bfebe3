"""The manifest of an export: what was exported, the totals per account, and the hash of each file, as JSON that is signed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from dashboard.journal_exports.formats.file import ExportFile, amount_text
from dashboard.journal_exports.mapped_lines import AccountTotal
from dashboard.journal_exports.models import JournalExport
from dashboard.money import Money

VERSION = 1


@dataclass(frozen=True, slots=True)
class Written:
    """A file and the name of its format."""

    format: str
    file: ExportFile


def manifest_text(
    journal_export: JournalExport, lines_sha256: str, totals: Sequence[AccountTotal], files: Sequence[Written], exported_by: str,
    corrections: int = 0,
) -> str:  # fmt: skip
    """The manifest as it is signed and downloaded: UTF-8, sorted by name, ended by a line feed. Amounts are decimal text;
    debit and credit are the ledger's, as in the trial balance; `corrections` are entries of earlier exports that are corrected,
    with two lines each; `is_partial` where lines of its days were left to the next export."""
    manifest = {
        "manifest": VERSION,
        "business": journal_export.business.name,
        "export": {
            "number": journal_export.number, "id": journal_export.remote_id, "from": journal_export.first_day.isoformat(),
            "to": journal_export.last_day.isoformat(), "lines": journal_export.line_count, "lines_sha256": lines_sha256, "corrections": corrections,
            "is_partial": journal_export.is_partial,
            "exported_by": exported_by, "exported_at": journal_export.created_at.isoformat(timespec="seconds"),
        },
        "accounts": [_account(total) for total in totals],
        "currencies": [_currency(currency, totals) for currency in sorted({total.currency for total in totals})],
        "files": [
            {
                "name": written.file.name, "format": written.format, "lines": written.file.row_count,
                "bytes": len(written.file.content), "sha256": sha256(written.file.content).hexdigest(),
            }
            for written in files
        ],
    }  # fmt: skip
    return json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _account(account_total: AccountTotal) -> dict[str, str | int]:
    return {
        "account": account_total.account_id, "kind": account_total.kind, "name": account_total.name, "code": account_total.code,
        "currency": account_total.currency, "debit": _text(account_total.debit_minor, account_total.currency),
        "credit": _text(account_total.credit_minor, account_total.currency), "lines": account_total.line_count,
    }  # fmt: skip


def _currency(currency: str, totals: Sequence[AccountTotal]) -> dict[str, str]:
    own = [total for total in totals if total.currency == currency]
    return {
        "currency": currency,
        "debit": _text(sum(total.debit_minor for total in own), currency),
        "credit": _text(sum(total.credit_minor for total in own), currency),
    }


def _text(minor: int, currency: str) -> str:
    return amount_text(Money(minor, currency).amount)
