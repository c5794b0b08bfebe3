"""Rows per second of checking 5,000 payments of a file against reading the same file alone, with openpyxl and with csv.

Ours is all that happens to a file before its errors are shown or a draft is sent: unpacked, looked through for what is
hidden, its columns matched, every cell of every row checked. Memory: what a process holds at most that refuses a file of
50,000 rows, against one that checks 5,000.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import ROOT, house, in_turn, report
from openpyxl import Workbook, load_workbook

ROWS, MANY, ROUNDS = 5_000, 50_000, 5
HEADING = ["receiver", "channel", "account", "bank", "reference", "amount", "note"]
PEAK = """
import json, resource
from pathlib import Path
from django.core.files.uploadedfile import SimpleUploadedFile
from dashboard.access.models import Business
from dashboard.pages.payouts.forms.payouts import PayoutForm
name = {name!r}
file = SimpleUploadedFile(Path(name).name, Path(name).read_bytes())
form = PayoutForm(
    {{"name": "Wages", "wallet": "1"}}, {{"file": file}}, business=Business.objects.get(slug="bench"), wallets=[("1", "Main")]
)
print(json.dumps({{
    "valid": form.is_valid(), "errors": form.errors.as_text(), "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
}}))
"""


def rows(count: int) -> list[list[str]]:
    """So many payments under their heading: every other one to a phone, the rest to banks."""
    table = [HEADING]
    for number in range(count):
        receiver, amount = f"Person {number}", f"{1000 + number:,}.50"
        if number % 2:
            phone = f"0712 {number // 1000:03} {number % 1000:03}"
            table.append([receiver, "M-Pesa to a phone", phone, "", "", amount, "October"])
        else:
            table.append([receiver, "PesaLink", f"0110{number:06}", "Bank 3", "", amount, "Wages"])
    return table


def as_csv(table: list[list[str]]) -> bytes:
    """The table as a CSV file."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(table)
    return out.getvalue().encode()


def as_workbook(table: list[list[str]]) -> bytes:
    """The table as an Excel file."""
    book, out = Workbook(), io.BytesIO()
    assert book.active is not None
    for row in table:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def csv_alone(content: bytes) -> list[Any]:
    """The rows of a CSV file, and nothing done with them."""
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def workbook_alone(content: bytes) -> list[Any]:
    """The rows of an Excel file, and nothing done with them."""
    sheet = load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    return list(sheet.iter_rows(values_only=True))


def per_second(work: Callable[[], int]) -> Callable[[], float]:
    """Rows per second of the processor of one run, so that what else the machine does counts on neither side."""

    def run() -> float:
        began = time.process_time()
        assert work() == ROWS
        return ROWS / (time.process_time() - began)

    return run


def checked(business: Any, name: str, content: bytes) -> int:
    """How many rows of a file were checked and found right."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from dashboard.pages.payouts.forms.payouts import PayoutForm
    from dashboard.pages.payouts.selectors.payouts import PayoutDestinations
    from dashboard.pages.payouts.services.lines import check_lines
    from dashboard.schemas.payments import Bank, Channel

    channels = {
        row.code: row
        for row in (
            Channel(code="MPESA_SEND_MONEY", name="M-Pesa to a phone"),
            Channel(code="BANK_PESALINK", name="PesaLink", needs=["bank_code"]),
        )
    }
    known = PayoutDestinations(channels, [Bank(code=f"{number:02}", name=f"Bank {number}") for number in range(15)])
    files = {"file": SimpleUploadedFile(name, content)}
    form = PayoutForm({"name": "Wages", "wallet": "1"}, files, business=business, wallets=[("1", "Main")])
    assert form.is_valid(), form.errors
    lines = form.cleaned_data["lines"]
    assert check_lines(lines, "KES", "en_KE", known) == []
    return len(lines)


def peak_of(env: dict[str, str], path: Path) -> dict[str, Any]:
    """What a process of its own says that read the file: whether it took it, and the most that it held."""
    out = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", PEAK.format(name=str(path))],
        env=env, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    found: dict[str, Any] = json.loads(out.stdout.strip().splitlines()[-1])
    return found


def memory(env: dict[str, str], folder: Path, ending: str, write: Callable[[list[list[str]]], bytes]) -> bool:
    """Whether refusing MANY rows takes no more memory than checking ROWS."""
    few, many = folder / f"few{ending}", folder / f"many{ending}"
    few.write_bytes(write(rows(ROWS)))
    # As short as rows can be: what is larger than 8 MB is refused by its size, before it is read.
    many.write_bytes(write([HEADING, *(["A", "B", "1", "", "", "2", ""] for _ in range(MANY))]))
    checked, refused = peak_of(env, few), peak_of(env, many)
    assert checked["valid"], checked
    assert not refused["valid"], refused
    assert "At most 5,000 payments" in refused["errors"], refused
    return report(
        f"memory, {MANY:,} rows refused / {ROWS:,}, {ending}", refused["peak"] / checked["peak"], 1.1, at_most=True
    )


def main() -> int:
    """Prints the ratios; the exit code says whether all goals are met."""
    with house("dashboard", durable=False) as made:
        os.environ.update(made.program_env("dashboard"))
        import django

        django.setup()
        from dashboard.access.models import Business

        business = Business.objects.create(slug="bench", name="Benchmark")
        book, text = as_workbook(rows(ROWS)), as_csv(rows(ROWS))
        of_book = per_second(lambda: checked(business, "wages.xlsx", book))
        of_text = per_second(lambda: checked(business, "wages.csv", text))
        book_alone = per_second(lambda: len(workbook_alone(book)) - 1)
        text_alone = per_second(lambda: len(csv_alone(text)) - 1)
        print(f"rows per second: xlsx {of_book():,.0f}, openpyxl {book_alone():,.0f}", end="; ")
        print(f"csv {of_text():,.0f}, csv alone {text_alone():,.0f}")
        good = report(
            "5,000 rows of xlsx, checked / openpyxl alone", in_turn(of_book, book_alone, ROUNDS), 0.5, at_most=False
        )
        good &= report(
            "5,000 rows of csv, checked / csv alone", in_turn(of_text, text_alone, ROUNDS), 0.5, at_most=False
        )
        for ending, write in ((".xlsx", as_workbook), (".csv", as_csv)):
            good &= memory(dict(os.environ), made.data, ending, write)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
