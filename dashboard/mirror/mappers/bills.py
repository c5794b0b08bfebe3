"""A bill as a row of the copy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, moment
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills
from dashboard.money import text, to_minor

HASH_LENGTH = 64


def number_key(bill_no: str) -> str:
    """A bill's number without case, spaces and punctuation, as the service compares it: INV-001 and inv 001 are one."""
    return re.sub(r"[\W_]", "", bill_no.upper())


class BillColumns(NamedTuple):
    """The columns of the table of Bill that its answers fill, beside what every copy has."""

    bill_no: str
    number_key: str
    vendor_id: str
    vendor_name: str
    team_id: str
    currency: str
    total_minor: int
    total_text: str
    balance_minor: int
    balance_text: str
    issued_on: date
    due_on: date
    status: str
    approval_status: str
    duplicate_of: str
    file_hashes: object
    split_team_ids: object
    memo: str
    purchase_order: str
    created_by_id: str
    entered_at: datetime | None


def bill(payload: Payload, locale: str) -> BillColumns:
    """The columns of a bill (decisions B.9)."""
    currency, number = str(payload.get("currency") or ""), str(payload.get("bill_no") or "")[:60]
    total, balance = _minor(payload, "total", currency), _minor(payload, "balance", currency)
    issued = _day(payload.get("issued_at")) or datetime.now(UTC).date()
    files = [file for file in payload.get("attachments") or [] if isinstance(file, Mapping)]
    return BillColumns(
        bill_no=number,
        number_key=number_key(number),
        vendor_id=str(payload.get("vendor_id") or ""),
        vendor_name=str(payload.get("vendor_name") or "")[:200],
        team_id=str(payload.get("team_id") or ""),
        currency=currency,
        total_minor=total,
        total_text=text(total, currency, locale) if currency else "",
        balance_minor=balance,
        balance_text=text(balance, currency, locale) if currency else "",
        issued_on=issued,
        due_on=_day(payload.get("due_at")) or issued,
        status=str(payload.get("status") or ""),
        approval_status=str(payload.get("approval_status") or ""),
        duplicate_of=str(payload.get("duplicate_of") or ""),
        file_hashes=[str(file["sha256"])[:HASH_LENGTH] for file in files if file.get("sha256")],
        split_team_ids=_split_teams(payload),
        memo=str(payload.get("memo") or ""),
        purchase_order=str(payload.get("purchase_order") or "")[:60],
        created_by_id=str(payload.get("created_by") or "")[:80],
        entered_at=moment(str(payload.get("createdAt") or "")),
    )


def _split_teams(payload: Payload) -> list[str]:
    """The teams that have a share of one of its lines, each once."""
    lines = [line for line in payload.get("line_items") or [] if isinstance(line, Mapping)]
    shares = [share for line in lines for share in line.get("splits") or [] if isinstance(share, Mapping)]
    return sorted({str(share["team_id"])[:64] for share in shares if share.get("team_id")})


def _minor(payload: Payload, name: str, currency: str) -> int:
    """An amount in minor units, from the exact number where the service gives it; 0 where it gives none."""
    minor, value = payload.get(f"{name}_minor"), payload.get(name)
    if isinstance(minor, int):
        return minor
    return 0 if value is None or not currency else to_minor(value, currency)


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10]) if value else None
    except ValueError:
        return None


def bill_subject(row: Bill) -> Subject:
    """What a rule and the audit must know of a bill."""
    return Subject(
        business_id=row.business_id,
        kind="bill",
        id=row.remote_id,
        title=f"{row.bill_no} of {row.vendor_name}" if row.vendor_name else row.bill_no,
        team_id=row.team_id,
        makers=people(row.created_by_id),
        amount_minor=row.total_minor,
    )


# Read by days and whole (mirror/full_sync.py): too many for one list an hour.
BILL = Mapper(
    "bill",
    Bill,
    BillColumns,
    bill,
    subject=bill_subject,
    item_kind=ItemKind("Bill", visible_bills, "bills_item"),
    names_ids=True,
)  # fmt: skip
