"""An account to pay a vendor on: what is wrong stands at its field before anything is sent; one that a bill names."""

from typing import Any

import pytest

from dashboard.mirror.models import Vendor
from tests.dashboard.conftest import World

EMPTY = {"account_name": "", "bank_code": "", "other_bank": "", "branch_code": "", "account_reference": ""}


@pytest.fixture
def vendor(world: World) -> Vendor:
    world.send("POST", "/vendors", {"name": "Acacia", "payment_instructions": [{"channel": "MPESA_TILL", "account": "400111"}]})  # fmt: skip
    world.sync("vendors")
    return Vendor.objects.get(business=world.business)


def propose(world: World, vendor: Vendor, rest: str = "account/", person: str = "Ada", **form: str) -> Any:
    address = world.address(f"vendors/{vendor.remote_id}/{rest}")
    return world.client(person).post(
        address, EMPTY | {"account_name": "Typed Name", "proposal_reason": "By letter"} | form
    )


@pytest.mark.parametrize(
    ("typed", "field", "problem"),
    [
        ({"channel": "BANK_SWIFT", "account": "NL91 ABNA 0417 1643 01", "bank_code": "other", "other_bank": "ABNANL2A"}, "account", "not a valid IBAN"),
        ({"channel": "BANK_SWIFT", "account": "NL91ABNA0417164300", "bank_code": "other", "other_bank": "ABNANL"}, "other_bank", "not a valid BIC"),
        ({"channel": "BANK_EFT", "account": "0011223344"}, "bank_code", "Choose the bank"),
        ({"channel": "BANK_EFT", "account": "0011223344", "bank_code": "01", "branch_code": "12"}, "branch_code", "3 digits"),
        ({"channel": "BANK_EFT", "account": "0011223344", "bank_code": "01", "branch_code": "02-094"}, "branch_code", "begins with 02, Standard Chartered Bank Kenya: the chosen bank is 01, KCB Bank Kenya"),
        ({"channel": "BANK_RTGS", "account": "0011223344", "bank_code": "01", "branch_code": "99094"}, "branch_code", "begins with 99, which is no bank"),
        ({"channel": "BANK_PESALINK", "account": "0011223344", "bank_code": "other", "other_bank": "99"}, "other_bank", "not on the finance service"),
        ({"channel": "BANK_EFT", "account": "12", "bank_code": "01"}, "account", "3 to 34"),
        ({"channel": "MPESA_SEND_MONEY", "account": "12345"}, "account", "must be a phone number"),
        ({"channel": "MPESA_TILL", "account": "51234567890"}, "account", "A till number has"),
        ({"channel": "MPESA_PAYBILL", "account": "400200"}, "account_reference", "asks for a reference"),
    ],
)  # fmt: skip
def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(
    world: World, vendor: Vendor, typed: dict[str, str], field: str, problem: str
) -> None:
    answer = propose(world, vendor, **typed)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert problem in shown.split(f'id="id_{field}_error"')[1].split("</span>")[0]
    assert 'value="Typed Name"' in shown
    assert len(world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]) == 1


def test_a_number_is_taken_however_it_is_written(world: World, vendor: Vendor) -> None:
    assert propose(world, vendor, channel="MPESA_SEND_MONEY", account="0712 345 678").status_code == 302
    iban = {
        "channel": "BANK_SWIFT",
        "account": "nl91 abna 0417 1643 00",
        "bank_code": "other",
        "other_bank": "abnanl2a",
    }
    assert propose(world, vendor, **iban).status_code == 302
    accounts = {row["account"] for row in world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]}
    assert accounts == {"400111", "254712345678", "NL91ABNA0417164300"}


@pytest.mark.parametrize(("person", "may"), [("Ada", True), ("Apollo", True), ("Rita", False), ("Selma", False)])
def test_a_payment_method_that_a_bill_names_waits_for_a_second_person(
    world: World, vendor: Vendor, person: str, may: bool
) -> None:
    shown = world.client(person).get(world.address(f"vendors/{vendor.remote_id}/")).content.decode()
    assert (f"vendors/{vendor.remote_id}/payment-method/" in shown) is may
    answer = propose(world, vendor, "payment-method/", person, channel="MPESA_TILL", account="512345")
    assert answer.status_code == (302 if may else 403)
    states = [row["status"] for row in world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"]]
    assert states == (["ACTIVE", "QUARANTINED"] if may else ["ACTIVE"])


@pytest.mark.parametrize("branch", ["094", "01094", "01 094", "01-094"])
def test_a_branch_is_its_three_digits_with_or_without_its_bank_before_them(
    world: World, vendor: Vendor, branch: str
) -> None:
    sent = {"channel": "BANK_EFT", "account": "0011223344", "bank_code": "01", "branch_code": branch}
    assert propose(world, vendor, **sent).status_code == 302
    added = world.upstream(f"/vendors/{vendor.remote_id}")["payment_instructions"][-1]
    assert (added["bank_code"], added["branch_code"]) == ("01", "094")
