"""What accounting tests stand on: postings of past months, and bank statements sent in."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from service.accounting.periods import Month
from service.accounts.wallets import wallet_by_ref
from service.ledger.chart import system_account
from service.ledger.post import Leg, post, today
from tests.service.house import House


def month(house: House, back: int) -> Month:
    """The month so many months ago."""
    found = Month(today(house.business).replace(day=1))
    for _ in range(back):
        found = found.before
    return found


def spend(house: House, ref: str, minor: int, day: date, text: str = "Paper") -> int:
    """A posting out of the first wallet; the ledger transaction's id."""
    paying = wallet_by_ref(house.business, "1")
    other = system_account(house.business, "BANK_FLOAT", "KES")
    legs = [Leg(paying.ledger_account_id, -minor), Leg(other.pk, minor)]
    return post(house.business, ref, "EXPENSE", legs, text, day).id


def close(house: House, period: Month, by: str = "Ada", **body: Any) -> Any:
    return house.post(f"/accounting/periods/{period.name}/close", body, by=by)


def import_statement(house: House, text: str, by: str = "Ada", ref: str = "1", name: str = "bank.csv") -> Any:
    """Sends a bank's CSV in."""
    data = encode_multipart(BOUNDARY, {"org_wallet_ref": ref, "file": SimpleUploadedFile(name, text.encode())})
    headers = {"Authorization": f"Bearer {house.token}", "X-Acting-Employee": house.person(by).id}
    return house.browser.generic("POST", "/v2/accounting/bank-statements", data, MULTIPART_CONTENT, headers=headers)


def csv_of(answer: Any) -> list[str]:
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/csv")
    return b"".join(answer.streaming_content).decode().splitlines()


@pytest.fixture
def past(house: House) -> House:
    """A business with postings in the last month and the one before; its opening balance is of this month."""
    for back in (1, 2):
        day = month(house, back).first + timedelta(days=9)
        spend(house, f"rent:{back}", 700_00 * back, day, "Rent")
        spend(house, f"formula:{back}", 5_00, day, "=HYPERLINK(1)")
    return house
