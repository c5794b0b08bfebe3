"""One person's page says where they decide and who stands in for whom; a card comes with somebody new; money for many at once."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.bulk.models import Batch, BatchRow
from dashboard.delegation.models import Delegation
from dashboard.mirror.full_sync import refresh_workflows
from dashboard.mirror.models import Card, Employee, Team, Wallet
from tests.dashboard.bulk.conftest import no_queue, planned, work
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, employee, shown, signed_in, wallets

__all__ = ["no_queue"]


def page_of(world: World, name: str, by: str) -> str:
    return shown(world.client(by).get(address_of(world, name)))


def test_seats_and_delegations_are_on_the_page_of_an_approver(world: World) -> None:
    apollo = world.employee("Apollo")["employee_id"]
    steps = [{"order": 1, "approver_ids": [apollo]}, {"order": 2, "role": "APPROVER"}]
    workflow = world.send("POST", "/bills/workflow", {"name": "Large bills", "steps": steps})
    world.sync()
    refresh_workflows(world.business)
    now = timezone.now()
    Delegation.objects.create(
        business=world.business, delegator=world.people["Apollo"], delegate=world.people["Zawadi"], kinds=["expense"],
        begins_at=now - timedelta(days=1), ends_at=now + timedelta(days=5), key="away",
    )  # fmt: skip
    page = page_of(world, "Apollo", "Ada")
    assert "Approver seats and delegations" in page
    assert world.address(f"policies/workflows/{workflow['_id']}/") in page
    assert "Workflow “Large bills”" in page
    assert "Mandate “" in page
    seats = page.split('id="seats"')[1].split("</section>")[0]
    assert f"<summary>{seats.count('<a href')} seats</summary>" in seats
    assert "is the delegate of" in page
    assert f'href="{world.address(f"wallet-policies/people/{apollo}/")}"' in page
    assert "Wallet access and its sources" in page_of(world, "Carla", "Carla")
    # Nothing of it for who reads neither; nobody's seats are made up.
    assert "Approver seats" not in page_of(world, "Carla", "Carla")
    carlas = page_of(world, "Carla", "Ada").split('id="seats"')[1].split("</section>")[0]
    assert "None." in carlas


def test_without_the_mandates_the_page_does_not_say_that_there_are_none(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.proxy.fail("500", path="/v2/permissions")
    carlas = page_of(world, "Carla", "Ada").split('id="seats"')[1].split("</section>")[0]
    assert "None." not in carlas
    assert "last read" not in carlas
    assert "Seats in mandates are not known: they were never read." in carlas
    assert "None of the others." in carlas
    world.proxy.heal()
    seated = page_of(world, "Apollo", "Ada").split('id="seats"')[1].split("</section>")[0]
    assert "Mandates as of" in seated


def new_person(world: World, browser: Any = None, **more: Any) -> Any:
    team = Team.objects.filter(business=world.business, status="ACTIVE").order_by("pk")[0]
    body = {
        "name": "Nia New", "email": f"{uuid.uuid4().hex[:10]}@people.test", "phone": "0711 000 123",
        "role": "CARD_USER", "team": team.code, "key": uuid.uuid4().hex, **more,
    }  # fmt: skip
    return (browser or signed_in(world, "Ada")).post(world.address("people/new/"), body)


def test_somebody_new_gets_a_card_with_a_monthly_limit(world: World, first_wallet: str) -> None:
    browser = signed_in(world, "Ada")
    answer = new_person(world, browser, card_limit="15,000", wallet=first_wallet)
    assert answer.status_code == 302, shown(answer)
    added = Employee.objects.get(business=world.business, name="Nia New")
    card = Card.objects.get(business=world.business, employee_id=added.remote_id)
    limits = world.upstream(f"/cards/{card.remote_id}")["controls"]["limits"]
    assert [(limit["interval"], limit["amount"]) for limit in limits] == [("PER_MONTH", 1_500_000)]
    said = shown(browser.get(answer["Location"]))
    assert "Nia New was added." in said
    assert "A virtual card was issued: KES 15,000.00 a month." in said


def test_without_a_limit_there_is_no_card_and_a_wrong_one_adds_nobody(world: World, first_wallet: str) -> None:
    assert new_person(world, wallet=first_wallet).status_code == 302
    added = Employee.objects.get(business=world.business, name="Nia New")
    assert not Card.objects.filter(business=world.business, employee_id=added.remote_id).exists()
    refused = new_person(world, name="Not Added", card_limit="10.005", wallet=first_wallet)
    assert refused.status_code == 422
    assert 'id="id_card_limit_error"' in shown(refused)
    assert not Employee.objects.filter(business=world.business, name="Not Added").exists()


def ticked(world: World, who: str, verb: str, *names: str) -> Batch:
    """The plan of money for these people, ticked on the list."""
    return planned(world, who, "people", verb, ids=[world.employee(name)["employee_id"] for name in names])


def choose(world: World, who: str, batch: Batch, **form: Any) -> Any:
    return signed_in(world, who).post(world.address(f"people/bulk-funds/{batch.pk}/"), form)


def test_money_goes_to_many_at_once_and_comes_back(world: World, first_wallet: str) -> None:
    world.sync()
    before = {name: wallets(world, name).get("KES", 0) for name in ("Carla", "Rita")}
    first = ticked(world, "Juma", "allocate", "Carla", "Rita")
    # Nobody has named an amount: nothing would be sent.
    assert set(first.rows.values_list("state", flat=True)) == {BatchRow.State.LEFT_OUT}
    answer = choose(world, "Juma", first, amount="250", wallet=first_wallet, note="Fuel")
    assert answer.status_code == 302, shown(answer)
    second = Batch.objects.filter(business=world.business).latest("created_at")
    assert second.totals == ["KES\xa0500.00"]
    held = Wallet.objects.get(business=world.business, org_wallet_ref=first_wallet).available_minor
    assert second.balances[0]["moved"] == -50_000
    assert second.balances[0]["before"] == held
    begin(world, "Juma", second)
    after = {name: wallets(world, name).get("KES", 0) for name in before}
    assert after == {name: minor + 25_000 for name, minor in before.items()}
    third = ticked(world, "Juma", "remove_funds", "Carla", "Rita")
    choose(world, "Juma", third, amount="250", wallet=first_wallet, note="")
    begin(world, "Juma", Batch.objects.filter(business=world.business).latest("created_at"))
    assert {name: wallets(world, name).get("KES", 0) for name in before} == before


def begin(world: World, who: str, batch: Batch) -> None:
    answer = signed_in(world, who).post(world.address(f"bulk/{batch.pk}/begin/"))
    assert answer.status_code == 302, shown(answer)
    work(batch)
    assert set(batch.rows.values_list("state", flat=True)) == {BatchRow.State.DONE}, list(batch.rows.values("sentence"))


@pytest.mark.parametrize("form", [{"amount": "0"}, {"amount": "1.005"}, {"amount": "x"}, {"wallet": "99"}])
def test_a_wrong_amount_or_wallet_is_told_at_its_place(world: World, first_wallet: str, form: dict[str, str]) -> None:
    world.sync()
    batch = ticked(world, "Juma", "allocate", "Carla")
    answer = choose(world, "Juma", batch, **({"amount": "5", "wallet": first_wallet, "note": ""} | form))
    assert answer.status_code == 422
    assert f'id="id_{next(iter(form))}_error"' in shown(answer)


def test_nobody_else_s_plan_and_no_other_role(world: World, first_wallet: str) -> None:
    world.sync()
    batch = ticked(world, "Juma", "allocate", "Carla")
    form = {"amount": "5", "wallet": first_wallet, "note": ""}
    assert choose(world, "Zawadi", batch, **form).status_code == 404
    assert choose(world, "Ada", batch, **form).status_code == 403
    assert employee(world, "Carla").status == "ACTIVE"
