"""Approval workflows: the editor by buttons and in words, dead ends before saving, and what the service has afterwards."""

from typing import Any

import pytest

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import confirmed, create_policy, create_workflow, flow, page, workflows_at

ROLE = {"who": "role", "votes": "1"}


def at(world: World, rest: str = "") -> str:
    return world.address(f"policies/workflows/{rest}")


def named(world: World, *people: str, votes: int = 1) -> dict[str, Any]:
    return {"who": "people", "people": [world.people[name].employee_id for name in people], "votes": str(votes)}


@pytest.mark.parametrize("kind", ["bills", "policies"])
def test_a_new_workflow_is_reviewed_in_words_and_then_at_the_service(world: World, kind: str) -> None:
    typed = flow(named(world, "Apollo", "Zawadi", votes=2), ROLE)
    shown = page(world.client("Ada").post(at(world, f"{kind}/new/"), typed))
    assert "of KES 10,000.00 or more." in shown
    assert "approve." in shown
    assert confirmed(world, "Ada", at(world, f"{kind}/new/"), typed).status_code == 302
    [row] = workflows_at(world, kind)
    assert row["conditions"]["min_amount_minor"] == 1_000_000
    assert [step["min_approvals"] for step in row["steps"]] == [2, 1]
    listed = page(world.client("Apollo").get(at(world)))
    assert "Large bills" in listed


def test_steps_are_added_removed_and_moved_by_buttons_and_nothing_typed_is_lost(world: World) -> None:
    ada, address = world.client("Ada"), at(world, "bills/new/")
    typed = flow(named(world, "Apollo"), {"who": "role", "votes": "3"}, name="Half done", min_amount="nonsense")
    shown = page(ada.post(address, typed | {"edit": "add"}))
    assert "Step 3" in shown
    assert 'value="Half done"' in shown
    assert 'value="nonsense"' in shown
    moved = page(ada.post(address, typed | {"edit": "up-1"}))
    assert 'name="steps-0-votes" value="3"' in moved
    removed = page(ada.post(address, typed | {"edit": "remove-0"}))
    assert "Step 2" not in removed
    assert 'name="steps-0-votes" value="3"' in removed
    assert workflows_at(world, "bills") == []


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"currency": ""}, "Choose the currency of the amounts."),
        ({"max_amount": "5"}, "It lies below the first amount"),
        ({"steps-0-who": "people"}, "Choose at least one approver."),
        ({"steps-0-votes": "0"}, "greater than or equal to 1"),
        ({"name": ""}, "required"),
        ({"steps-TOTAL_FORMS": "0"}, "Add at least one step."),
        ({"steps-TOTAL_FORMS": "9999999999"}, "Add at least one step."),
    ],
)
def test_what_makes_no_sense_is_said_at_its_place(world: World, typed: dict[str, Any], problem: str) -> None:
    answer = world.client("Ada").post(at(world, "bills/new/"), flow() | typed)
    assert answer.status_code == 422
    assert problem in page(answer)


def test_somebody_in_two_steps_is_said_at_the_second(world: World) -> None:
    typed = flow(named(world, "Apollo"), named(world, "Apollo", "Zawadi"))
    assert "nobody approves twice" in page(world.client("Ada").post(at(world, "bills/new/"), typed))


def words(world: World, typed: dict[str, Any]) -> str:
    return page(world.client("Ada").post(at(world, "bills/sentences/"), typed))


def test_the_words_beside_the_form_follow_what_is_typed_and_name_dead_ends(world: World) -> None:
    fine = words(world, flow(ROLE))
    assert "Step 1: Any approver approves" in fine
    assert "No dead ends" in fine
    alone = words(world, flow(named(world, "Apollo")))
    assert "Where Apollo" in alone
    assert "nobody approves their own" in alone
    many = words(world, flow({"who": "role", "votes": "20"}))
    assert "step 1 needs 20 approvals" in many
    assert "stands here in words once" in words(world, flow(name=""))


def test_somebody_without_access_leaves_a_dead_end(world: World) -> None:
    Membership.objects.filter(business=world.business, role="APPROVER").exclude(
        pk=world.people["Apollo"].pk
    ).update(is_active=False)  # fmt: skip
    said = words(world, flow(named(world, "Zawadi", "Apollo", votes=2)))
    assert "Nobody could complete it now" in said
    assert "has no access here" in said


def test_a_workflow_behind_a_wider_one_is_never_reached(world: World) -> None:
    create_workflow(world, "bills", name="Everything", priority=1)
    assert "“Large bills” is never reached: “Everything” comes first" in words(world, flow())


def test_edited_it_says_what_becomes_of_what(world: World) -> None:
    made = create_workflow(world, "bills", name="Bills")
    address, typed = at(world, f"bills/{made['_id']}/edit/"), flow(ROLE, ROLE, name="Bills", priority="100")
    shown = page(world.client("Ada").post(address, typed))
    assert "For: All bill payments becomes Bill payments of KES 10,000.00 or more." in shown
    assert "Step 2 is added" in shown
    assert confirmed(world, "Ada", address, typed).status_code == 302
    [row] = workflows_at(world, "bills")
    assert (row["version"], len(row["steps"])) == (2, 2)
    assert world.client("Ada").get(at(world, f"policies/{made['_id']}/edit/")).status_code == 404
    history = page(world.client("Apollo").get(at(world, f"{made['_id']}/history/")))
    assert "Version 2" in history
    restored = world.client("Ada").post(at(world, f"{made['_id']}/restore/1/"), {"step": "confirm", "key": "r1"})
    assert restored.status_code == 302
    assert len(workflows_at(world, "bills")[0]["steps"]) == 1


def test_a_workflow_of_bills_is_deleted_and_one_of_policies_taken_out_of_use(world: World) -> None:
    of_bills, of_policies = create_workflow(world, "bills"), create_workflow(world)
    ada = world.client("Ada")
    gone = ada.post(at(world, f"bills/{of_bills['_id']}/delete/"), {"step": "confirm", "key": "d1"})
    assert gone.status_code == 302
    assert workflows_at(world, "bills") == []
    assert "“Anybody” is deleted" in page(ada.get(at(world)))
    assert "Anybody" not in page(ada.get(at(world, "all/?for=3")))
    ended = ada.post(at(world, f"policies/{of_policies['_id']}/deactivate/"), {"step": "confirm", "key": "d2"})
    assert ended.status_code == 302
    assert workflows_at(world)[0]["active"] is False


def test_a_workflow_that_somebody_else_has_deleted_is_not_said_to_be_deleted_by_this(world: World) -> None:
    of_bills, ada = create_workflow(world, "bills"), world.client("Ada")
    abel = {"X-Acting-Employee": world.employee("Abel")["employee_id"]}
    world.send("DELETE", f"/bills/workflow/{of_bills['_id']}", None, abel)
    answer = ada.post(at(world, f"bills/{of_bills['_id']}/delete/"), {"step": "confirm", "key": "d1"}, follow=True)
    assert "“Anybody” is deleted" not in page(answer)
    lines = AuditEntry.objects.filter(chain=world.business.pk, operation="delete_bill_workflow")
    assert not lines.filter(outcome="DONE").exists()


def test_a_workflow_that_a_policy_names_is_kept_and_the_policy_named(world: World) -> None:
    made = create_workflow(world)
    create_policy(world, "CHANNEL", "MPESA", name="Asked", action="REQUIRE_APPROVAL", workflow_id=made["_id"])
    ada, address = world.client("Ada"), at(world, f"policies/{made['_id']}/deactivate/")
    assert "The policy “Asked” asks for it: change the policy first." in page(ada.get(address))
    answer = ada.post(address, {"step": "confirm", "key": "d3"})
    assert answer.status_code == 409
    assert workflows_at(world)[0]["active"] is True


def test_an_approver_reads_and_an_admin_changes(world: World) -> None:
    made = create_workflow(world, "bills")
    for person, may in (("Ada", True), ("Apollo", False)):
        client = world.client(person)
        assert client.get(at(world, f"{made['_id']}/")).status_code == 200
        assert (client.get(at(world, f"bills/{made['_id']}/edit/")).status_code == 200) is may
        assert (client.get(at(world, "bills/new/")).status_code == 200) is may
    assert world.client("Carla").get(at(world)).status_code == 403


def test_while_the_service_is_away_the_copy_is_there(proxied_world: World) -> None:
    made = create_workflow(proxied_world, "bills", name="Bills")
    ada = proxied_world.client("Ada")
    assert ada.get(at(proxied_world)).status_code == 200
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/")
    for rest in ("", f"{made['_id']}/"):
        shown = page(ada.get(at(proxied_world, rest)))
        assert "Bills" in shown
        assert "saved copy" in shown
