"""The limits of a person's wallet policy and bill payments: counted once, and forgotten when no money moves."""

from typing import Any

import pytest

from service.wallet_policies.models import WalletUse
from tests.service.bills.conftest import add, bill, pay, request_votes, say, till
from tests.service.house import House, code
from tests.service.wallet_policies.conftest import granted


def counted(house: House) -> int:
    uses = WalletUse.objects.filter(employee=house.person("Ada"), permission="WALLET_PAY_VENDOR")
    return sum(uses.values_list("amount_minor", flat=True))


def limited(house: House, amount: float = 600, **more: Any) -> dict[str, Any]:
    """A draft of Ada's, who may pay a thousand a day."""
    granted(house, by="Sam", who="Ada", limits={"daily": 1000}, permissions=["WALLET_PAY_VENDOR"])
    row: dict[str, Any] = add(house, bill(house, amount, **more)).json()
    return row


@pytest.mark.parametrize("end", ["withdraw", "reject"])
def test_what_was_stopped_counts_for_nothing(house: House, end: str) -> None:
    row = limited(house)
    for _ in range(3):
        assert request_votes(house, row).status_code == 200
        assert counted(house) == 60_000
        assert say(house, row, end, by="Ada" if end == "withdraw" else "Apollo").status_code == 200
        assert counted(house) == 0


def test_a_second_payment_beyond_the_day_is_refused(house: House) -> None:
    assert request_votes(house, limited(house)).status_code == 200
    second = add(house, bill(house, 401, bill_no="INV-2", till=till("2222"))).json()
    assert code(request_votes(house, second)) == (422, "limit_exceeded")
    assert counted(house) == 60_000


def test_what_failed_counts_again_when_it_is_tried_again(unmandated: House) -> None:
    row = limited(unmandated, till=till("0001"))
    assert request_votes(unmandated, row).status_code == 200
    assert pay(row) == "FAILED"
    assert counted(unmandated) == 0
    other = add(unmandated, bill(unmandated, 500, bill_no="INV-2", till=till("2222"))).json()
    assert request_votes(unmandated, other).status_code == 200
    refused = unmandated.post(f"/bills/payments/{row['payment_ref']}/retry")
    assert code(refused) == (422, "limit_exceeded")
    say(unmandated, other, "withdraw", by="Ada")
    assert unmandated.post(f"/bills/payments/{row['payment_ref']}/retry").status_code == 200
    assert counted(unmandated) == 60_000
