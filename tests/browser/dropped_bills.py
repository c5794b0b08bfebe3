"""Ten PDFs of a morning as they are dropped on the form of a new bill: what is on them, and how the form answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Page, expect

from tests.browser.desk import HANG_S, Desk
from tests.browser.office import Office
from tests.dashboard.documents.papers import changed, factur_x, pdf
from tests.days import business_day
from tests.sandbox import sandbox_headers

FIRST, SEVEN, HELD = 1000, 7, 1100
TOTAL_OF_FACTUR_X = Decimal("1248.00")
FILE = "PDF or picture of the bill"


@dataclass(frozen=True, slots=True)
class Paper:
    """A dropped file: the bill's number and total, and its content."""

    number: str
    total: Decimal
    content: bytes


class Morning:
    """Two vendors, one of which has no account in use, a wallet of its own to pay from, and ten PDFs."""

    def __init__(self, demo: dict[str, Any], mark: int) -> None:
        self.office, self.digits = Office(demo), f"{mark % 10**6:06}"
        # A name that no vendor has, in letters: what has digits is no name where a bill is read.
        self.mark = "".join(chr(ord("A") + int(digit)) for digit in self.digits) + "RI"
        self.usual, self.changed = f"{self.mark} Stationers Ltd", f"{self.mark} Garage Ltd"
        self.till = f"52{mark % 9000 + 1000}"
        self.issued = business_day(-8)
        self.due = self.issued + timedelta(days=33)
        till = [{"channel": "MPESA_TILL", "account": f"77{mark % 9000 + 1000}"}]
        ask = self.office.ask
        ask("Ada", "POST", "/vendors", {"name": self.usual, "payment_instructions": till})
        phone = f"254712{self.digits}"
        self.garage: str = ask("Ada", "POST", "/vendors", {"name": self.changed, "phone": phone})["_id"]
        self.wallet = ask("Ada", "POST", "/accounts", {"currency": "KES", "walletType": f"SUB:m{self.digits}"})
        answer = requests.post(
            f"{self.office.sandbox}/top-up", json={"org_wallet_ref": self.wallet["org_wallet_ref"], "amount": 20_000},
            headers=sandbox_headers(), timeout=HANG_S,
        )  # fmt: skip
        assert answer.ok, answer.text

    def papers(self) -> list[Paper]:
        """Seven bills, a Factur-X, the first one again, and one that asks to be paid on an account that is not on the record."""
        seven = [self._paper(self.usual, FIRST + place) for place in range(1, SEVEN + 1)]
        return [*seven, self._factur_x(), seven[0], self._paper(self.changed, HELD, f"Till No {self.till}")]

    def number(self, place: int) -> str:
        """The number of a bill, which no other morning has."""
        return f"{self.digits}-{place}"

    def _paper(self, vendor: str, place: int, *more: str) -> Paper:
        total = Decimal(place) + Decimal("0.50")
        lines = [
            vendor.upper(), f"Tax Invoice {self.number(place)}", ("Invoice date", printed(self.issued)),
            ("Due date", printed(self.due)), ("Total", f"KES {total}"), *more,
        ]  # fmt: skip
        return Paper(self.number(place), total, pdf(lines))

    def _factur_x(self) -> Paper:
        """Its page says nothing but where to look: all is read from the XML inside."""
        number, xml = self.number(2291), factur_x(str(TOTAL_OF_FACTUR_X))
        for old, new in {
            b"<ram:ID>2291<": f"<ram:ID>{number}<", b"Otieno &amp; Sons Ltd": self.usual,
            b">20261118<": f">{self.issued:%Y%m%d}<", b">20261221<": f">{self.due:%Y%m%d}<",
        }.items():  # fmt: skip
            assert old in xml
            xml = xml.replace(old, new.encode())
        content = changed(pdf([self.usual.upper(), "See the attached invoice"]), attached={"factur-x.xml": xml})
        return Paper(number, TOTAL_OF_FACTUR_X, content)

    def balance(self) -> int:
        """What the wallet has available in the books, in minor units."""
        found = self.office.ask("", "GET", f"/accounts/{self.wallet['_id']}/balance")["balances"]["available"]
        return int(Decimal(str(found)) * 100)

    def bills(self) -> dict[str, dict[str, Any]]:
        """The bills that were entered of this morning, by their numbers, as the service has them now."""
        rows = self.office.ask("", "GET", "/bills?limit=200")["docs"]
        return {row["bill_no"]: row for row in rows if row["bill_no"].startswith(f"{self.digits}-")}


def printed(day: date) -> str:
    """A day as a bill prints it: "18 Nov 2026"."""
    return f"{day.day} {day:%b %Y}"


def drop(clerk: Desk, file: Path) -> Page:
    """Drops a file on the form of a new bill, as from a folder, and has it read."""
    page = clerk.open("/{b}/bills/new/")
    field = page.get_by_label(FILE)
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "data": data, **place})
    session.detach()
    expect(field).to_have_value(re.compile(re.escape(file.name)))
    page.get_by_role("button", name="Read file").click()
    expect(page.get_by_text("Filled in from the file.")).to_be_visible()
    return page


def check_form(page: Page, paper: Paper, vendor: str, issued: date, due: date) -> None:
    """The form is filled in from the file, and each value says where it was read."""
    expect(page.get_by_label("Vendor", exact=True).locator("option:checked")).to_have_text(vendor)
    expect(page.get_by_label("Number", exact=True)).to_have_value(paper.number)
    expect(page.get_by_label("Issued", exact=True)).to_have_value(issued.isoformat())
    expect(page.get_by_label(re.compile("^Due"))).to_have_value(due.isoformat())
    price = page.get_by_label("Unit price").first
    expect(price).to_have_accessible_description(re.compile(rf"^Total {paper.total}: Read "))
