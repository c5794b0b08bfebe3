"""Money for somebody's cards: allocated and taken back by an approver alone, once, and never said to be what it is not."""

import pytest

from dashboard.audit.models import AuditEntry
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, shown, signed_in, wallets


def money(name: str, amount: str, wallet: str, **more: str) -> dict[str, str]:
    return {f"{name}-amount": amount, f"{name}-wallet": wallet, f"{name}-note": ""} | more


def test_allocated_it_is_the_employees_and_the_page_says_what_they_have(world: World, first_wallet: str) -> None:
    before = wallets(world, "Carla").get("KES", 0)
    apollo = signed_in(world, "Apollo")
    answer = apollo.post(address_of(world, "Carla", "allocate/"), money("allocate", "1,250.50", first_wallet))
    assert answer["Location"] == address_of(world, "Carla")
    assert wallets(world, "Carla")["KES"] == before + 125_050
    page = shown(apollo.get(address_of(world, "Carla")))
    assert "KES 1,250.50 was allocated to Carla" in page
    assert AuditEntry.objects.filter(
        chain=world.business.pk, operation="allocate_funds", outcome="DONE", object_title__startswith="Carla"
    ).exists()


def test_taken_back_it_is_the_businesss_again(world: World, first_wallet: str) -> None:
    apollo = signed_in(world, "Apollo")
    apollo.post(address_of(world, "Carla", "allocate/"), money("allocate", "500", first_wallet))
    before = wallets(world, "Carla")["KES"]
    answer = apollo.post(address_of(world, "Carla", "remove-funds/"), money("remove", "200", first_wallet))
    assert answer.status_code == 302
    assert wallets(world, "Carla")["KES"] == before - 20_000


def test_the_same_form_twice_moves_money_once(world: World, first_wallet: str) -> None:
    apollo, before = signed_in(world, "Apollo"), wallets(world, "Carla").get("KES", 0)
    for _ in range(2):
        apollo.post(address_of(world, "Carla", "allocate/"), money("allocate", "70", first_wallet, key="k" * 32))
    assert wallets(world, "Carla")["KES"] == before + 7_000


@pytest.mark.parametrize(
    ("amount", "problem"),
    [("0", "greater than or equal"), ("-5", "greater than or equal"), ("1.005", "digits"), ("x", "Enter digits"), ("", "required")],
)  # fmt: skip
def test_what_is_no_amount_stands_at_its_field_and_nothing_moves(
    world: World, first_wallet: str, amount: str, problem: str
) -> None:
    before = wallets(world, "Carla")
    posted = money("allocate", amount, first_wallet) | {"allocate-note": "for the trip"}
    answer = signed_in(world, "Apollo").post(address_of(world, "Carla", "allocate/"), posted)
    page = shown(answer)
    assert answer.status_code == 422
    assert problem in page.split('id="id_allocate-amount_error"')[1].split("</span>")[0]
    assert 'value="for the trip"' in page
    assert wallets(world, "Carla") == before


def test_more_than_there_is_is_refused_in_the_services_words(world: World, first_wallet: str) -> None:
    before = wallets(world, "Carla")
    answer = signed_in(world, "Apollo").post(
        address_of(world, "Carla", "remove-funds/"), money("remove", "9999999", first_wallet)
    )
    assert answer.status_code == 422
    assert 'role="alert"' in shown(answer)
    assert 'value="9999999"' in shown(answer)
    assert wallets(world, "Carla") == before


def test_it_takes_showing_that_it_is_you(world: World, first_wallet: str) -> None:
    before = wallets(world, "Carla")
    answer = world.client("Apollo").post(address_of(world, "Carla", "allocate/"), money("allocate", "5", first_wallet))
    assert "reauthenticate" in answer["Location"]
    assert wallets(world, "Carla") == before


@pytest.mark.parametrize("person", ["Carla", "Rita", "Ada", "Sam"])
def test_nobody_but_an_approver_moves_it_or_is_offered_to(world: World, first_wallet: str, person: str) -> None:
    client, before = signed_in(world, person), wallets(world, "Carla")
    assert "Allocate" not in shown(client.get(address_of(world, "Carla")))
    for rest, name in (("allocate/", "allocate"), ("remove-funds/", "remove")):
        assert client.post(address_of(world, "Carla", rest), money(name, "5", first_wallet)).status_code == 403
    assert wallets(world, "Carla") == before


def test_the_statement_shows_what_came_and_went_with_the_balance_after(world: World, first_wallet: str) -> None:
    apollo = signed_in(world, "Apollo")
    apollo.post(address_of(world, "Carla", "allocate/"), money("allocate", "300", first_wallet))
    apollo.post(address_of(world, "Carla", "remove-funds/"), money("remove", "40", first_wallet))
    page = shown(apollo.get(address_of(world, "Carla", "statement/?currency=KES")))
    lines = [row for row in page.split("<tr>") if 'class="fig"' in row]
    assert "40.00" in lines[0]
    assert "300.00" in lines[1]
    assert "Balance, KES" in page


def test_a_card_user_sees_their_own_statement_and_nobody_elses(world: World) -> None:
    carla = world.client("Carla")
    assert carla.get(address_of(world, "Carla", "statement/")).status_code == 200
    assert carla.get(address_of(world, "Rita", "statement/")).status_code == 404


def test_while_the_service_is_away_the_page_says_so_and_shows_no_amount(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.proxy.fail("500", path="/employees/balances")
    page = shown(world.client("Apollo").get(address_of(world, "Carla")))
    assert "Try again" in page
    assert "<dt>Available</dt>" not in page
