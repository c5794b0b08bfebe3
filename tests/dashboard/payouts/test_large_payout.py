"""A large table from paste to closing sheet: its errors found beside their cells, fixed or left out by choice, duplicates left
out, approved, confirmed by a code, paid by a worker that is killed in the middle; each row once, equal to the ledger.

The service is one of its own here, on its own port: its worker is ended with -9, which no other test would like.
"""

from __future__ import annotations

import csv
import io
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.dev_stack import House
from config.embedded import free_port
from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import approve, make, only, page, pay_with_code, post, upstream
from tests.lifecycle.processes import below

FIELDS = ("receiver", "channel", "account", "bank", "reference", "amount", "note")
OVER = {"COMPLETED", "PARTIALLY_COMPLETED", "FAILED"}
HANG_S = 300
IBAN, BIC = "NL91ABNA0417164300", "ABNANL2A"


@dataclass(frozen=True)
class Kind:
    """A way in which a row can be wrong: the cells that make it so, the column that it is said at, and what is said."""

    cells: dict[str, str]
    column: str
    said: str


KINDS = [
    Kind({"channel": "SWIFT", "account": "NL91ABNA0417164301", "bank": BIC}, "account", "not a valid IBAN"),
    Kind({"channel": "SWIFT", "account": "0417164300", "bank": BIC}, "account", "A bank in NL is paid by IBAN."),
    Kind({"channel": "SWIFT", "account": IBAN, "bank": "ABNANL"}, "bank", "not a valid BIC"),
    Kind({"channel": "PesaLink", "account": "0110234567", "bank": "Bank of Nowhere"}, "bank", "unknown bank"),
    Kind({"channel": "PesaLink", "account": "0110234567"}, "bank", "PesaLink needs it"),
    Kind({"channel": "EFT", "account": "12AB34", "bank": "KCB Bank Kenya"}, "account", "6 to 16 digits"),
    Kind({"channel": "M-Pesa till", "account": "51234567"}, "account", "A till number has 5 to 7 digits."),
    Kind({"channel": "M-Pesa paybill", "account": "400200"}, "reference", "M-Pesa paybill needs it"),
    Kind({"amount": "-5"}, "amount", "must be above zero"),
    Kind({"amount": "1.234"}, "amount", "KES has 2 digits after the point."),
    Kind({"amount": "USD 120.00"}, "amount", "in USD, but the wallet pays KES"),
    Kind({"amount": "plenty"}, "amount", "Enter digits"),
    Kind({"channel": "carrier pigeon"}, "channel", "unknown channel"),
    Kind({"channel": "M-Pesa to a phone", "account": "12"}, "account", "not a Kenyan mobile number"),
    Kind({"receiver": ""}, "receiver", "missing"),
]


@dataclass(frozen=True)
class Table:
    """Rows as they should be paid, numbered as on the page (the names of the columns are row 1), and what is done to some:
    wrong in a way, put right or left out; or the same as another row."""

    right: dict[int, dict[str, str]]
    wrong: dict[int, Kind]
    fixed: frozenset[int]
    doubles: dict[int, int]

    @property
    def pasted(self) -> str:
        """The table as it is pasted."""
        lines = ["\t".join(FIELDS)]
        for number, row in self.right.items():
            shown = self.right[self.doubles[number]] if number in self.doubles else row
            shown = shown | self.wrong[number].cells if number in self.wrong else shown
            lines.append("\t".join(shown[name] for name in FIELDS))
        return "\n".join(lines)

    @property
    def paid(self) -> dict[str, Decimal]:
        """What is paid to whom in the end."""
        left_out = (self.wrong.keys() - self.fixed) | self.doubles.keys()
        return {row["receiver"]: Decimal(row["amount"]) for number, row in self.right.items() if number not in left_out}


def table(count: int, wrong: int, doubles: int) -> Table:
    """So many rows, of which so many are wrong and so many are there twice, evenly among them."""
    right = {number: payment(number) for number in range(2, count + 2)}
    places = [2 + place * count // (wrong + doubles) for place in range(wrong + doubles)]
    bad, again = places[:wrong], places[wrong:]
    kinds = {number: KINDS[place % len(KINDS)] for place, number in enumerate(bad)}
    return Table(right, kinds, frozenset(bad[: wrong * 2 // 3]), {number: number - 1 for number in again})


def payment(number: int) -> dict[str, str]:
    """A payment that goes through: to a phone, every third one to a bank. No two are alike."""
    to_bank = {"channel": "PesaLink", "account": f"0110{1000 + number}", "bank": "Equity Bank Kenya"}
    to_phone = {"channel": "M-Pesa to a phone", "account": f"071234{1000 + number}", "bank": ""}
    row = {
        "receiver": f"Person {number}",
        "reference": "",
        "amount": f"{10 + number % 90}.{number % 100:02d}",
        "note": "Wages",
    }
    return row | (to_bank if number % 3 == 0 else to_phone)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A finance service on this test's own ports, queue and database, whose worker is yet to be started."""
    ours = {name: value for name, value in os.environ.items() if not name.endswith("REDIS_URL")}
    house = House(tmp_path / "service", free_port(), free_port(), durable=False, environ=ours)
    try:
        house.open_folder()
        house.start_stores()
        house.serve("service", house.service_port)
        house.wait_ready(house.service_address, "The finance service")
        yield house
    finally:
        house.close()


@pytest.fixture
def service_address(house: House) -> str:
    """Where that service answers: what a new world is made at."""
    return house.service_address


def kill_worker(house: House) -> None:
    """Ends the worker and all its children at once, with no time to say goodbye."""
    worker = house.processes.pop("service worker")
    for pid in below(worker.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    worker.wait()


def until(happened: Callable[[], Any]) -> Any:
    """What it answers once that is true; the seconds are a guard against what hangs."""
    ends = time.monotonic() + HANG_S
    while not (answer := happened()):
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.01)
    return answer


def work_half(house: House, payout: ApprovalRequest, count: int) -> None:
    """Starts the worker and kills it once some payments are posted and others are with the rail and not posted: the balance
    of the wallet is kept from it, so that it stands still just there."""
    counts = "SELECT status, count(*) FROM payments_item WHERE batch_id = %s GROUP BY status"
    balance = (
        "SELECT 1 FROM ledger_balance WHERE account_id = (SELECT w.ledger_account_id FROM payments_batch b"
        " JOIN accounts_wallet w ON w.id = b.wallet_id WHERE b.id = %s) FOR UPDATE"
    )
    with (
        psycopg.connect(house.env["SERVICE_DATABASE_URL"], autocommit=True) as looking,
        psycopg.connect(house.env["SERVICE_DATABASE_OWNER_URL"]) as holding,
    ):

        def seen() -> Counter[str]:
            return Counter(dict(looking.execute(counts, [payout.remote_id]).fetchall()))

        house.work("service")
        until(lambda: seen()["SUCCEEDED"])
        holding.execute(balance, [payout.remote_id])
        until(lambda: seen()["SENT"] or seen()["SUCCEEDED"] == count)
        kill_worker(house)
        assert 0 < seen()["SUCCEEDED"] < count, "it had ended before: this proves nothing"
        assert seen()["SENT"], "nothing was on its way: this proves nothing"


@pytest.mark.parametrize(
    ("rows", "wrong", "doubles"), [(450, 5, 2), pytest.param(5_000, 32, 5, marks=pytest.mark.full)]
)
def test_each_error_is_fixed_or_left_out_and_each_row_is_paid_once(
    world: World, house: House, rows: int, wrong: int, doubles: int
) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=1_000_000)
    typed = table(rows, wrong, doubles)
    payout = drafted(world, typed)
    items = upstream(world, payout)["items"]
    assert Counter({item["receiver_name"]: Decimal(str(item["amount"])) for item in items}) == Counter(typed.paid)

    assert post(world, "Ada", f"{payout.remote_id}/initiate").status_code == 302
    approve(world, payout)
    if upstream(world, payout)["status"] == "AWAITING_CODE":
        pay_with_code(world, payout)
    work_half(house, payout, len(typed.paid))
    half = upstream(world, payout)
    assert half["status"] == "PROCESSING"
    assert "not final" in page(world, "Ada", f"{payout.remote_id}/sheet/")

    house.work("service")
    whole = until(lambda: (now := upstream(world, payout))["status"] in OVER and now)
    assert (whole["status"], whole["succeeded_count"], whole["failed_count"]) == ("COMPLETED", len(typed.paid), 0)
    assert_paid_once(world, payout, whole, typed)


def drafted(world: World, typed: Table) -> ApprovalRequest:
    """The draft of a table: errors beside their cells, two thirds of them put right there, the others and the duplicates left
    out by choice."""
    answer = make(world, typed.pasted)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert problems_in(shown).keys() == {(number, kind.column) for number, kind in typed.wrong.items()}
    for number, kind in typed.wrong.items():
        assert kind.said in problems_in(shown)[number, kind.column]
    cells = {
        f"cell-{number}-{name}": value for number in typed.fixed for name, value in typed.right[number].items()
    }  # fmt: skip
    text = re.search(r"<textarea[^>]*name=\"rows\"[^>]*>\s*(.*?)</textarea>", shown, re.DOTALL)
    assert text is not None
    again = make(world, text[1], **cells)
    assert problems_in(again.content.decode()).keys() == {
        (number, kind.column) for number, kind in typed.wrong.items() if number not in typed.fixed
    }
    twice = make(world, text[1], **cells, leave_out="1")
    assert twice.status_code == 409
    for number, of in typed.doubles.items():
        assert re.search(rf"Row {number}: .*?the same as row {of}<", twice.content.decode(), re.DOTALL)
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()
    numbers = re.search(r'name="drop_repeated" value="([0-9,-]+)"', twice.content.decode())
    digest = re.search(r'name="drop_of" value="([0-9a-f]{64})"', twice.content.decode())
    assert numbers is not None
    assert digest is not None
    made = make(world, text[1], **cells, leave_out="1", drop_repeated=numbers[1], drop_of=digest[1])
    assert made.status_code == 302, made.content.decode()
    return only(world)


def problems_in(shown: str) -> dict[tuple[int, str], str]:
    """What the page says of which cell, by the number of the row and the column."""
    cells = re.findall(r'class="error" id="why-(\d+)-(\w+)">([^<]*)<', shown)
    return {(int(number), column): said for number, column, said in cells}


def assert_paid_once(world: World, payout: ApprovalRequest, whole: Any, typed: Table) -> None:
    """Each row once at the service, in the ledger and on the closing sheet, and all three to the cent."""
    paid = typed.paid
    assert Counter(item["receiver_name"] for item in whole["items"]) == Counter(dict.fromkeys(paid, 1))
    assert len({item["provider_ref"] for item in whole["items"]}) == len(paid)
    ledger = world.upstream(f"/payments/{payout.ref}/ledger")
    assert Counter(row["item_id"] for row in ledger["rows"]) == Counter(item["_id"] for item in whole["items"])
    fees = sum(item["fee_minor"] for item in whole["items"])
    total = int(sum(paid.values()) * 100)
    assert (ledger["out_minor"], ledger["fees_minor"], ledger["other_minor"]) == (total + fees, fees, 0)
    postings = [posting["ref"] for posting in ledger["postings"]]
    assert len(postings) == len(set(postings))

    sheet = list(csv.reader(io.StringIO(page(world, "Ada", f"{payout.remote_id}/sheet/"))))
    end = next(number for number, row in enumerate(sheet) if row[0] == "Total")
    assert {row[0]: (row[4], Decimal(row[8])) for row in sheet[1:end]} == {
        receiver: ("Paid", amount) for receiver, amount in paid.items()
    }
    assert end - 1 == len(paid)
    assert [Decimal(sheet[end][place]) for place in (9, 13, 14, 15)] == [
        sum(paid.values()), Decimal(fees) / 100, sum(paid.values()), Decimal(fees) / 100,
    ]  # fmt: skip
    assert sheet[end + 1][0].startswith("Equal to the cent")
