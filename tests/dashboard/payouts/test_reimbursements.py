"""Employees are reimbursed on the phone of their profile, as an earlier payout paid them, or where it is typed, for something that is said."""

from __future__ import annotations

import re

import pytest

from dashboard.mirror.models import ApprovalRequest, Employee
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import approve, make, only, pay_with_code, post, settled, table, upstream
from tests.dashboard.payouts.test_sources import choose, draft_of, filled, shown

PURPOSE = "Taxi to the airport, receipt 118"


def person(world: World, name: str = "Rita", phone: str = "+254712345678") -> Employee:
    """An employee as the copy has them, with this phone in their profile."""
    row: Employee = Employee.objects.get(business=world.business, remote_id=world.employee(name)["employee_id"])
    row.payload = {**row.payload, "phone": phone}
    row.save(update_fields=["payload"])
    return row


def typed(row: Employee, **more: str) -> dict[str, str]:
    """What is posted beside a person."""
    values = {"channel": "phone", "amount": "300", "purpose": PURPOSE} | more
    return {f"{name}-{row.remote_id}": value for name, value in values.items()}


def options(page: str, row: Employee) -> list[str]:
    """The known accounts that a person can be paid on, as the page offers them."""
    select = re.search(rf'<select[^>]*name="channel-{row.remote_id}".*?<optgroup', page, re.DOTALL)
    assert select is not None
    return re.findall(r"<option[^>]*>([^<]*)</option>", select[0])


def test_the_page_says_what_it_is_for_and_offers_the_phone_of_the_profile(world: World) -> None:
    row = person(world)
    page = shown(world, "employees")
    assert "<h1>Reimburse employees</h1>" in page
    assert "what a business card paid is reimbursed to nobody" in page
    assert options(page, row) == ["···5678, M-Pesa send money, profile phone"]
    assert "254712345678" not in page
    [item] = draft_of(world, filled(choose(world, "employees", row.remote_id, **typed(row))))
    assert (item["channel"], item["account"]) == ("MPESA_SEND_MONEY", "254712345678")
    assert (item["note"], item["amount_minor"]) == (f"Reimbursement of {PURPOSE}", 30_000)
    payout = ApprovalRequest.objects.get(business=world.business, title="Drawn")
    assert (
        f"Reimbursement of {PURPOSE}"
        in world.client("Ada").get(world.address(f"payouts/{payout.remote_id}/")).content.decode()
    )


@pytest.mark.parametrize("phone", ["", "+31 6 12345678", "none"])
def test_without_a_phone_that_can_be_paid_the_account_is_typed(world: World, phone: str) -> None:
    row = person(world, phone=phone)
    assert options(shown(world, "employees"), row) == ["Choose a channel"]
    more = {"channel": "MPESA_SEND_MONEY", "account": "0712 345 678"}
    [item] = draft_of(world, filled(choose(world, "employees", row.remote_id, **typed(row, **more))))
    assert item["account"] == "254712345678"
    # The page was open while the phone was taken out of the profile.
    answer = choose(world, "employees", row.remote_id, **typed(row))
    assert answer.status_code == 422
    assert "not known any more" in answer.content.decode()


def test_it_is_said_what_somebody_is_reimbursed_for_and_where_and_nothing_typed_is_lost(world: World) -> None:
    row = person(world)
    answer = choose(world, "employees", row.remote_id, **typed(row, purpose="", account="0110234567"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f"Enter what {row.name} is reimbursed for." in page
    assert "an account is typed, but one that is known is chosen" in page
    assert f'name="account-{row.remote_id}" value="0110234567"' in page
    assert f'name="amount-{row.remote_id}" value="300"' in page
    assert re.search(rf'name="pick" value="{row.remote_id}"[^>]*checked', page)
    for field in ("purpose", "account"):
        why = f"why-{field}-{row.remote_id}"
        cell = rf'name="{field}-{row.remote_id}"[^>]*aria-invalid="true" aria-describedby="{why}"'
        assert re.search(cell, page), "what is wrong stands beside its field"
        assert f'id="{why}"' in page
    assert page.count("aria-invalid") == 2
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()


def test_an_amount_that_is_missing_stands_beside_its_cell(world: World) -> None:
    row = person(world)
    refused = make(world, filled(choose(world, "employees", row.remote_id, **typed(row, amount=""))))
    assert refused.status_code == 422
    assert "missing" in refused.content.decode()


def paid_in_full(world: World, line: str) -> ApprovalRequest:
    """A payout of this payment that the service has paid."""
    assert make(world, table(line)).status_code == 302
    payout = only(world)
    assert post(world, "Ada", f"{payout.remote_id}/initiate").status_code == 302
    approve(world, payout)
    if upstream(world, payout)["status"] == "AWAITING_CODE":
        pay_with_code(world, payout)
    assert settled(world, payout)["status"] == "COMPLETED"
    world.sync("payouts_whole")
    payout.refresh_from_db()
    return payout


def to_bank(name: str) -> str:
    return f"{name}\tPesaLink\t0110234567\tEquity Bank Kenya\t\t1,500.00\tWages"


def test_the_account_on_which_an_earlier_payout_paid_them_is_offered_and_paid(world: World) -> None:
    row = person(world)
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    before = paid_in_full(world, to_bank(row.name))
    assert options(shown(world, "employees"), row) == [
        "···5678, M-Pesa send money, profile phone", f"···4567, PesaLink, as in {before.title}",
    ]  # fmt: skip
    answer = choose(world, "employees", row.remote_id, **typed(row, channel="before"))
    [item] = draft_of(world, filled(answer))
    assert (item["channel"], item["account"], item["bank_code"]) == ("BANK_PESALINK", "0110234567", "68")


def test_an_account_is_nobodys_whose_name_two_people_have(world: World) -> None:
    row, other = person(world), person(world, "Carla", phone="")
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    paid_in_full(world, to_bank(row.name))
    Employee.objects.filter(pk=other.pk).update(name=row.name.upper())
    page = shown(world, "employees")
    assert options(page, row) == ["···5678, M-Pesa send money, profile phone"]
    assert options(page, other) == ["Choose a channel"]


def test_an_account_that_was_never_paid_is_not_offered(world: World) -> None:
    row = person(world)
    assert make(world, table(to_bank(row.name))).status_code == 302
    ApprovalRequest.objects.filter(pk=only(world).pk).update(status="COMPLETED")
    assert options(shown(world, "employees"), row) == ["···5678, M-Pesa send money, profile phone"]


def test_while_the_service_does_not_answer_what_is_known_here_is_offered(proxied_world: World) -> None:
    world = proxied_world
    row = person(world)
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    paid_in_full(world, to_bank(row.name))
    assert len(options(shown(world, "employees"), row)) == 2
    assert world.proxy is not None
    world.proxy.fail("reset", path="/payments")
    assert options(shown(world, "employees"), row) == ["···5678, M-Pesa send money, profile phone"]
    answer = choose(world, "employees", row.remote_id, **typed(row, channel="before"))
    assert answer.status_code == 422
    assert "the finance service did not answer" in answer.content.decode()


def test_what_was_reimbursed_in_the_last_thirty_days_is_said_to_be_there_twice(world: World) -> None:
    row = person(world)
    rows = filled(choose(world, "employees", row.remote_id, **typed(row)))
    assert make(world, rows).status_code == 302
    again = make(world, filled(choose(world, "employees", row.remote_id, **typed(row))), name="Again")
    assert again.status_code == 409
    assert "1 payment may be duplicate" in again.content.decode()
    assert not ApprovalRequest.objects.filter(business=world.business, title="Again").exists()
