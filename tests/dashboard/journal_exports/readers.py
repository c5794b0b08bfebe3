"""Readers of the files of an export that are independent of what writes them: each gives lines as (journal, day, account,
currency, debit less credit of the business's own books), for a double-entry checker."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from xml.dom import minidom

import openpyxl


@dataclass(frozen=True)
class Line:
    """One line of a journal; above zero is a debit of the business's own books."""

    journal: str
    day: date
    account: str
    currency: str
    amount: Decimal


def dictionaries(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def sides(debit: str, credit: str) -> Decimal:
    assert bool(debit) != bool(credit), (debit, credit)
    amount = Decimal(debit or credit)
    assert amount > 0
    return amount if debit else -amount


def read_csv(content: bytes) -> list[Line]:
    rows = [row for row in dictionaries(content) if row["Line"].isdigit()]
    # The ledger's credit is the debit of the business.
    return [
        Line(row["Posting"], date.fromisoformat(row["Date"]), row["Ledger account"], row["Currency"],
             -sides(row["Debit"], row["Credit"]))
        for row in rows
    ]  # fmt: skip


def read_xlsx(content: bytes) -> list[Line]:
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    heading, *rows = sheet.iter_rows()
    names = [cell.value for cell in heading]
    lines = []
    for row in rows:
        assert all(cell.data_type != "f" for cell in row)
        cells = dict(zip(names, (cell.value for cell in row), strict=True))
        if not isinstance(cells["Line"], int):
            continue
        debit, credit = (str(cells[side]) if cells[side] is not None else "" for side in ("Debit", "Credit"))
        day = cells["Date"]
        assert isinstance(day, datetime)
        lines.append(Line(str(cells["Posting"]), day.date(), str(cells["Ledger account"]), str(cells["Currency"]),
                          -sides(debit, credit)))  # fmt: skip
    return lines


def read_quickbooks(content: bytes) -> list[Line]:
    return [
        Line(row["JournalNo"], datetime.strptime(row["JournalDate"], "%m/%d/%Y").date(), row["AccountName"],  # noqa: DTZ007
             row["Currency"], sides(row["Debits"], row["Credits"]))
        for row in dictionaries(content)
    ]  # fmt: skip


def read_xero(content: bytes, currency: str) -> list[Line]:
    rows = dictionaries(content)
    assert all(row["*TaxRate"] for row in rows)
    return [
        Line(row["*Narration"], datetime.strptime(row["*Date"], "%d/%m/%Y").date(), row["*AccountCode"], currency,  # noqa: DTZ007
             Decimal(row["*Amount"]))
        for row in rows
    ]  # fmt: skip


def read_sage(content: bytes, currency: str) -> list[Line]:
    rows = dictionaries(content)
    assert {row["Type"] for row in rows} <= {"JD", "JC"}
    return [
        Line(row["Reference"], datetime.strptime(row["Date"], "%d/%m/%Y").date(), row["Nominal A/C Ref"], currency,  # noqa: DTZ007
             Decimal(row["Net Amount"]) * (1 if row["Type"] == "JD" else -1))
        for row in rows
    ]  # fmt: skip


def read_exact(content: bytes) -> list[Line]:
    lines = []
    for entry in minidom.parseString(content).getElementsByTagName("GLTransaction"):
        name = entry.getElementsByTagName("Description")[0].firstChild.data
        for line in entry.getElementsByTagName("GLTransactionLine"):
            lines.append(
                Line(
                    name, date.fromisoformat(line.getElementsByTagName("Date")[0].firstChild.data),
                    line.getElementsByTagName("GLAccount")[0].getAttribute("code"),
                    line.getElementsByTagName("Currency")[0].getAttribute("code"),
                    Decimal(line.getElementsByTagName("Value")[0].firstChild.data),
                )
            )  # fmt: skip
    return lines


def read_erpnext(content: bytes) -> list[Line]:
    lines, journal, day = [], "", date.min
    for row in dictionaries(content):
        if row["Entry Type"]:
            # Without it an account in another currency than the company's is refused.
            assert row["Multi Currency"] == "1"
            journal, day = row["Reference Number"], date.fromisoformat(row["Posting Date"])
        amount = sides(row["Debit (Accounting Entries)"], row["Credit (Accounting Entries)"])
        lines.append(
            Line(
                journal, day, row["Account (Accounting Entries)"], row["Account Currency (Accounting Entries)"], amount
            )
        )
    return lines


def check(lines: list[Line]) -> dict[tuple[str, str], tuple[Decimal, Decimal]]:
    """Double entry: every journal comes to nothing in each currency and has one day. Debit and credit of each account."""
    sums: Counter[tuple[str, str]] = Counter()
    days: dict[str, set[date]] = defaultdict(set)
    totals: dict[tuple[str, str], tuple[Decimal, Decimal]] = defaultdict(lambda: (Decimal(0), Decimal(0)))
    for line in lines:
        sums[line.journal, line.currency] += line.amount  # type: ignore[assignment]
        days[line.journal].add(line.day)
        debit, credit = totals[line.account, line.currency]
        totals[line.account, line.currency] = (
            debit + max(line.amount, Decimal(0)), credit + max(-line.amount, Decimal(0)),
        )  # fmt: skip
    assert not any(sums.values()), sums
    assert all(len(found) == 1 for found in days.values())
    return dict(totals)
