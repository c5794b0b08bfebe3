"""Who may look at the mandates, the people and the roles; and what is shown when the service does not answer."""

from __future__ import annotations

import pytest

from tests.dashboard.conftest import World
from tests.dashboard.mandates.conftest import as_sam, at, employee, mandate, page, words

PAGES = ("", "people/", "roles/")


@pytest.mark.parametrize("person", ["Apollo", "Ada", "Sam"])
def test_finance_reads_all_of_it(world: World, person: str) -> None:
    assert "from KES 100,000.00 , payout batches 2 of 3 Apollo Mutua, Zawadi Njeri" in page(world, person)
    assert "Zawadi Njeri Approver" in page(world, person, "people/")
    assert "Approve payouts – not granted – not granted ✓ granted – not granted – not granted" in page(
        world, person, "roles/"
    )


@pytest.mark.parametrize("person", ["Carla", "Rita"])
def test_others_do_not(proxied_world: World, person: str) -> None:
    assert proxied_world.proxy
    before = len(proxied_world.proxy.sent())
    for rest in PAGES:
        assert proxied_world.client(person).get(at(proxied_world, rest)).status_code == 403
    assert len(proxied_world.proxy.sent()) == before


def test_a_mandate_says_who_may_approve_up_to_how_much(world: World) -> None:
    row = mandate(world)
    seat = row["approvers"][0]
    as_sam(world, "PATCH", f"/mandates/{row['_id']}/approvers/{seat['approver_id']}", {"max_amount": 200_000})
    shown = page(world, "Sam", f"{row['_id']}/")
    assert "Payout batches from KES 100,000.00" in shown
    assert "Required approvals 2 of 3" in shown
    assert "Apollo Mutua up to KES 200,000.00 Active" in shown
    assert "Change required approvals…" in shown


@pytest.mark.parametrize("person", ["Apollo", "Ada"])
def test_who_may_not_change_it_is_told_why_instead_of_a_button(world: World, person: str) -> None:
    shown = page(world, person, f"{mandate(world)['_id']}/")
    assert "This is for super admins; your role here is" in shown
    assert "…" not in shown.split("Requirements")[1].split("Your session is about to end")[0]


def test_the_page_narrows_to_a_currency(world: World) -> None:
    shown = page(world, "Apollo", "?currency=USD")
    assert "from USD 1,000.00" in shown
    assert "KES 100,000.00" not in shown
    assert "KES 100,000.00" in page(world, "Apollo", "?currency=nonsense")


def test_people_are_searched_and_narrowed_to_a_role(world: World) -> None:
    shown = page(world, "Ada", "people/?q=zawadi")
    assert "Zawadi Njeri Approver" in shown
    assert "Carla Kamau" not in shown
    assert "Carla Kamau Card user" in page(world, "Ada", "people/?role=CARD_USER")
    wrong = world.client("Ada").get(at(world, "people/?role=KING"))
    assert wrong.status_code == 400
    assert "There is no such role." in words(wrong)
    assert "No matches" in page(world, "Ada", "people/?q=nobodyatall")


def test_a_person_has_rights_by_role_and_beyond_it_and_a_vote(world: World) -> None:
    carla = employee(world, "Carla")
    as_sam(world, "PATCH", f"/employees/{carla}", {"add": ["VENDOR_EDIT"], "remove": ["CARD_REQUEST"]})
    shown = page(world, "Apollo", f"people/{carla}/")
    assert "Edit vendors Granted beyond the role" in shown
    assert "Request a card Removed" in shown
    assert "Mandates that name Apollo Mutua as an approver" in page(
        world, "Ada", f"people/{employee(world, 'Apollo')}/"
    )


def test_another_business_has_none_of_it(world: World, new_world: object) -> None:
    from tests.dashboard.access.house import build

    row, browser = mandate(world), world.client("Sam")
    stranger = build()
    browser.force_login(stranger.people["Ada"].user)
    for rest in (*PAGES, f"{row['_id']}/", f"people/{employee(world, 'Carla')}/"):
        assert browser.get(at(world, rest)).status_code == 404


def test_a_mandate_or_person_that_is_none_is_not_there(world: World) -> None:
    for rest in ("ffffffffffffffffffffffff/", "people/ffffffffffffffffffffffff/", "roles/KING/"):
        assert world.client("Sam").get(at(world, rest)).status_code == 404


def test_a_service_that_is_away_leaves_the_last_good_copy(proxied_world: World) -> None:
    world, browser = proxied_world, proxied_world.client("Sam")
    assert world.proxy
    rest = (*PAGES, f"{mandate(world)['_id']}/", f"people/{employee(world, 'Carla')}/")
    fresh = [words(browser.get(at(world, row))) for row in rest]
    world.proxy.fail("reset")
    for row, was in zip(rest, fresh, strict=True):
        answer = browser.get(at(world, row))
        assert answer.status_code == 200
        text = words(answer)
        assert row == "people/" or "This is a saved copy." in text
        assert was.split(" Your session is about to end")[0][-60:] in text


def test_a_service_that_was_never_read_is_said_to_be_away(proxied_world: World) -> None:
    world, browser = proxied_world, proxied_world.client("Sam")
    assert world.proxy
    row = mandate(world)["_id"]
    world.proxy.fail("reset")
    assert "They appear here once they have been read." in words(browser.get(at(world)))
    assert browser.get(at(world, f"{row}/")).status_code == 503
