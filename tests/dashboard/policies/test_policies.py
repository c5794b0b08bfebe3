"""Spend policies: read in sentences, made, changed, deleted, brought back; by whom; what could never match is said."""

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Category, SpendPolicy
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import (
    channel,
    confirmed,
    create_policy,
    create_workflow,
    page,
    policies_at,
    policy_at,
)


def at(world: World, rest: str = "") -> str:
    return world.address(f"policies/{rest}")


def subcategory(world: World) -> Category:
    found = Category.objects.filter(business=world.business).order_by("name").first()
    assert found is not None
    return found


def test_a_new_policy_is_reviewed_as_a_sentence_then_at_the_service_in_the_copy_and_the_audit(world: World) -> None:
    ada, address = world.client("Ada"), at(world, "new/CHANNEL/")
    assert "Any M-Pesa payment" in page(ada.get(address))
    shown = page(ada.post(address, channel()))
    sentence = "Spending by M-Pesa above KES 5,000.00 a week in total is blocked."
    assert sentence in shown
    assert policies_at(world) == []
    assert confirmed(world, "Ada", address, channel()).status_code == 302
    [row] = policies_at(world)
    assert (row["target"], row["limit_minor"], row["period"], row["action"]) == ("MPESA", 500_000, "WEEK", "BLOCK")
    assert sentence in page(ada.get(at(world)))
    assert sentence in page(world.client("Apollo").get(at(world, f"{row['_id']}/")))
    assert SpendPolicy.objects.filter(business=world.business, remote_id=row["_id"]).exists()
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="create_policy").exists()


@pytest.mark.parametrize(
    ("type_", "typed", "problem"),
    [
        ("CHANNEL", {"limit": ""}, "Enter a limit: without one nothing is counted."),
        ("CHANNEL", {"currency": ""}, "Choose the currency of the limit."),
        ("CHANNEL", {"limit": "1.001"}, "digits"),
        ("CHANNEL", {"limit": "a lot"}, "Enter"),
        ("CHANNEL", {"target": "PIGEON"}, "Select a valid choice"),
        ("DAY_TIME", {"weekdays": ["1", "2", "3", "4", "5", "6", "7"]}, "could never match"),
        ("DAY_TIME", {"weekdays": []}, "Choose at least one day."),
        ("DAY_TIME", {"weekdays": ["1"], "opens": "09:00", "closes": "09:00"}, "no hour would be fine"),
    ],
)
def test_what_makes_no_sense_is_said_at_its_place_and_nothing_typed_is_lost(
    world: World, type_: str, typed: dict[str, Any], problem: str
) -> None:
    answer = world.client("Ada").post(at(world, f"new/{type_}/"), channel(name="Careful", **typed))
    assert answer.status_code == 422
    assert problem in page(answer)
    assert 'value="Careful"' in page(answer)
    assert policies_at(world) == []


def test_hours_are_sent_as_the_interface_writes_them(world: World) -> None:
    typed = channel(weekdays=["1", "2", "3", "4", "5"], opens="08:00", closes="00:00", action="FLAG")
    assert confirmed(world, "Ada", at(world, "new/DAY_TIME/"), typed).status_code == 302
    [row] = policies_at(world)
    assert row["window"] == {"weekdays": [1, 2, 3, 4, 5], "from": "08:00", "to": "24:00"}
    assert "Spending outside Mon–Fri, 08:00 to 24:00 is flagged." in page(world.client("Ada").get(at(world)))


def test_an_edit_says_what_becomes_of_what_and_sends_it(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK")
    team = world.people["Carla"]
    typed = channel(limit="7,500", action="FLAG", exempt_people=[team.employee_id])
    shown = page(world.client("Ada").post(at(world, f"{made['_id']}/edit/"), typed))
    assert "Limit: above KES 5,000.00 a week in total becomes above KES 7,500.00 a week in total." in shown
    assert "Exempt: nobody becomes Carla" in shown
    assert confirmed(world, "Ada", at(world, f"{made['_id']}/edit/"), typed).status_code == 302
    row = policy_at(world, made["_id"])
    assert (row["limit_minor"], row["action"], row["version"]) == (750_000, "FLAG", 2)
    assert row["exempt"]["employee_ids"] == [team.employee_id]


def test_an_edit_without_changes_says_so(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK", name="M-Pesa")
    shown = page(world.client("Ada").post(at(world, f"{made['_id']}/edit/"), channel(name="M-Pesa")))
    assert "There are no changes." in shown


def test_somebody_else_was_faster_and_nothing_is_overwritten(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK", name="M-Pesa")
    address, typed = at(world, f"{made['_id']}/edit/"), channel(limit="7,500", name="M-Pesa")
    world.send("PUT", f"/business-policies/{made['_id']}", {"action": "FLAG"})
    answer = world.client("Ada").post(address, typed | {"step": "confirm", "seen": '{"version": 1}'})
    assert answer.status_code == 409
    assert "It changed since you opened it" in page(answer)
    assert policy_at(world, made["_id"])["limit_minor"] == 500_000


def test_deleted_it_is_kept_and_brought_back_by_an_earlier_version(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", name="M-Pesa")
    ada, address = world.client("Ada"), at(world, f"{made['_id']}/delete/")
    assert "Deleted: Spending by M-Pesa is blocked." in page(ada.get(address))
    assert confirmed_at_once(world, address).status_code == 302
    assert policy_at(world, made["_id"])["status"] == "DELETED"
    history = page(ada.get(at(world, f"{made['_id']}/history/")))
    assert "Version 2" in history
    assert "Status: active becomes deleted." in history
    assert confirmed_at_once(world, at(world, f"{made['_id']}/restore/1/")).status_code == 302
    assert policy_at(world, made["_id"])["status"] == "ACTIVE"


def confirmed_at_once(world: World, address: str) -> Any:
    return world.client("Ada").post(address, {"step": "confirm", "key": "k2"})


def test_the_policy_of_a_category_replaces_the_one_there_is(world: World) -> None:
    filed = subcategory(world)
    made = create_policy(world, "SUBCATEGORY", filed.remote_id, limit=100, currency="KES", period="DAY")
    address = at(world, "categories/set/SUBCATEGORY/")
    typed = channel(target=filed.remote_id, limit="200", period="DAY")
    shown = page(world.client("Ada").post(address, typed))
    assert "Limit: above KES 100.00 a day in total becomes above KES 200.00 a day in total." in shown
    assert confirmed(world, "Ada", address, typed).status_code == 302
    [row] = policies_at(world)
    assert (row["_id"], row["limit_minor"]) == (made["_id"], 20_000)
    assert filed.name in page(world.client("Ada").get(at(world, "categories/?type=SUBCATEGORY")))


def test_category_policies_are_changed_and_deleted_by_their_own_addresses(world: World) -> None:
    made = create_policy(world, "SUBCATEGORY", subcategory(world).remote_id)
    ada = world.client("Ada")
    assert ada.get(at(world, f"{made['_id']}/edit/")).status_code == 404
    assert ada.get(at(world, f"categories/{made['_id']}/edit/")).status_code == 200
    assert confirmed_at_once(world, at(world, f"categories/{made['_id']}/delete/")).status_code == 302
    assert policy_at(world, made["_id"])["status"] == "DELETED"


def test_a_second_one_for_the_same_target_is_refused_and_what_was_typed_stays(world: World) -> None:
    create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK")
    answer = confirmed(world, "Ada", at(world, "new/CHANNEL/"), channel(limit="9,000"))
    assert answer.status_code == 409
    assert "change that one" in page(answer)
    assert 'name="limit" value="9,000"' in page(answer)


def test_approval_without_anybody_to_give_it_is_refused_beside_the_field(world: World) -> None:
    typed = channel(action="REQUIRE_APPROVAL")
    shown = page(world.client("Ada").post(at(world, "new/CHANNEL/"), typed))
    assert "no active policy workflow says whose" in shown
    answer = confirmed(world, "Ada", at(world, "new/CHANNEL/"), typed)
    assert "there is no active workflow" in page(answer)
    made = create_workflow(world)
    typed = channel(action="REQUIRE_APPROVAL", workflow_id=made["_id"], key="k3")
    assert confirmed(world, "Ada", at(world, "new/CHANNEL/"), typed).status_code == 302
    assert policies_at(world)[0]["workflow_id"] == made["_id"]


def test_what_applies_to_somebody_leaves_out_what_they_are_exempt_from(world: World) -> None:
    carla = world.people["Carla"].employee_id
    create_policy(world, "CHANNEL", "MPESA", name="No M-Pesa", exempt={"employee_ids": [carla]})
    create_policy(world, "CHANNEL", "ATM", name="No cash")
    shown = page(world.client("Apollo").get(at(world, f"applies/?person={carla}")))
    applies, exempt = shown.split("Exempt from 1")
    assert "No cash" in applies
    assert "No M-Pesa" in exempt


def test_dead_and_contradicting_rules_are_named(world: World) -> None:
    create_policy(world, "CHANNEL", "CARD", name="No cards")
    create_policy(world, "CHANNEL", "ATM", name="Cash marked", action="FLAG")
    days = {"weekdays": [1, 2, 3, 4, 5], "from": "08:00", "to": "18:00"}
    create_policy(world, "DAY_TIME", name="Office hours", window=days, action="FLAG")
    create_policy(world, "DAY_TIME", name="Weekends", window={**days, "weekdays": [6, 7]}, action="FLAG")
    shown = page(world.client("Apollo").get(at(world)))
    assert "“Cash marked” never decides" in shown
    assert "“Office hours” and “Weekends” contradict each other" in shown


@pytest.mark.parametrize(
    ("person", "reads", "changes"),
    [
        ("Ada", True, True),
        ("Sam", True, True),
        ("Apollo", True, False),
        ("Rita", False, False),
        ("Carla", False, False),
    ],
)
def test_finance_reads_and_admins_change(world: World, person: str, reads: bool, changes: bool) -> None:
    made = create_policy(world, "CHANNEL", "MPESA")
    client = world.client(person)
    for rest in ("", "all/", "categories/", "applies/", "simulator/", "replays/", f"{made['_id']}/", "workflows/"):
        assert (client.get(at(world, rest)).status_code == 200) is reads, rest
    for rest in ("new/CHANNEL/", f"{made['_id']}/edit/", f"{made['_id']}/delete/"):
        assert (client.get(at(world, rest)).status_code == 200) is changes, rest
    client.post(at(world, f"{made['_id']}/delete/"), {"step": "confirm", "key": "k9"})
    assert (policy_at(world, made["_id"])["status"] == "DELETED") is changes


def test_while_the_service_is_away_the_copy_is_there_and_says_so(proxied_world: World) -> None:
    made = create_policy(proxied_world, "CHANNEL", "MPESA", name="No M-Pesa")
    ada = proxied_world.client("Ada")
    assert "No M-Pesa" in page(ada.get(at(proxied_world)))
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/business-policies")
    for rest in ("", f"{made['_id']}/"):
        shown = page(ada.get(at(proxied_world, rest)))
        assert "No M-Pesa" in shown
        assert "saved copy" in shown
    assert ada.get(at(proxied_world, "all/")).status_code == 200
