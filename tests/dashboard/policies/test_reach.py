"""A change of a policy holds for new items only, or also for what waits: chosen, said, proposed, and done by the service at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import channel, confirmed, create_policy, page, policies_at, policy_at
from tests.dashboard.policies.test_policies import subcategory
from tests.dashboard.policies.test_proposals import at, decide
from tests.dashboard.policies.test_same_as_the_service import post
from tests.days import business_day


def spent(world: World, amount: int = 100, **more: str) -> str:
    """An expense that waits for review; its id."""
    body = {
        "amount": amount, "currency": "KES", "payment_type": "MPESA", "receiver": "Java House",
        "employee_id": world.people["Carla"].employee_id, "transaction_ref": f"TX{amount}",
        "transaction_date": datetime.now(UTC).isoformat(), **more,
    }  # fmt: skip
    answer = post(world, body)
    assert answer.status_code == 201, answer.text
    world.sync()
    rows = world.upstream("/expenses", limit=100)["docs"]
    return str(next(row["_id"] for row in rows if row["transaction_ref"] == f"TX{amount}"))


def flags(world: World, expense_id: str) -> list[str]:
    rows = world.upstream("/expenses", limit=100)["docs"]
    return list(next(row["policy_flags"] for row in rows if row["_id"] == expense_id))


def edited(**more: Any) -> dict[str, Any]:
    return channel(limit="50", period="", action="FLAG") | more


def test_it_is_asked_only_where_something_waits(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    assert "Change applies to" not in page(world.client("Ada").get(at(world, f"{policy['_id']}/edit/")))
    spent(world)
    form = page(world.client("Ada").get(at(world, f"{policy['_id']}/edit/")))
    assert "New items only" in form
    assert "Also the expense that waits for review" in form
    new = page(world.client("Ada").get(at(world, "new/CHANNEL/")))
    assert "Policy applies to" in new
    assert "Also the expense that waits for review" in new


def test_new_items_only_leaves_what_waits_as_it_is(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    expense = spent(world)
    answer = confirmed(world, "Ada", at(world, f"{policy['_id']}/edit/"), edited(reach="NEW"))
    assert answer.status_code == 302, page(answer)
    assert flags(world, expense) == []


def test_what_waits_is_judged_by_the_change_as_well(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    expense = spent(world)
    address = at(world, f"{policy['_id']}/edit/")
    look = page(world.client("Ada").post(address, edited(reach="WAITING")))
    assert "Expenses that wait for review when it takes effect are judged by it again." in look
    assert "1 expense waits for review." in look
    assert "What was decided stays decided." in look
    answer = confirmed(world, "Ada", address, edited(reach="WAITING"))
    assert answer.status_code == 302, page(answer)
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]


def test_a_limit_that_counts_together_cannot_hold_for_what_came_before(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    spent(world)
    answer = world.client("Ada").post(at(world, f"{policy['_id']}/edit/"), edited(reach="WAITING", period="WEEK"))
    assert answer.status_code == 422
    assert "holds for new items only" in page(answer)


def test_a_new_policy_judges_what_waits_where_that_is_chosen(world: World) -> None:
    expense = spent(world)
    address = at(world, "new/CHANNEL/")
    assert confirmed(world, "Ada", address, edited(target="BANK", reach="NEW", key="n1")).status_code == 302
    assert flags(world, expense) == []
    look = page(world.client("Ada").post(address, edited(reach="WAITING", key="n2")))
    assert "1 expense waits for review." in look
    answer = confirmed(world, "Ada", address, edited(reach="WAITING", key="n2"))
    assert answer.status_code == 302, page(answer)
    policy = next(row for row in policies_at(world) if row["target"] == "MPESA")
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]


def test_so_does_that_of_a_category_and_the_item_says_which_version_decides(world: World) -> None:
    filed = subcategory(world)
    expense = spent(world, subcategory_id=filed.remote_id)
    address = at(world, "categories/set/SUBCATEGORY/")
    typed = edited(target=filed.remote_id, reach="WAITING", name="Petty cash")
    for key, limit, version, gone in (("s1", "50", 1, ""), ("s2", "900", 2, ", which no longer marks it")):
        answer = confirmed(world, "Ada", address, typed | {"limit": limit, "key": key})
        assert answer.status_code == 302, page(answer)
        [policy] = policies_at(world)
        assert flags(world, expense) == ([] if gone else [f"SUBCATEGORY:{policy['_id']}"])
        world.sync()
        item = page(world.client("Ada").get(world.address(f"approvals/expense/{expense}/")))
        link = re.findall(rf'href="([^"]*/policies/{policy["_id"]}/history/[^"]*)"><bdi>([^<]*)</bdi>', item)
        [(history, words)] = link
        assert re.fullmatch(rf"Policy “Petty cash”, version {version} since [^,]+(, [^,]+)*?{gone}", words), words
        body = page(world.client("Ada").get(history.replace("&amp;", "&")))
        [section] = [part for part in body.split("<section")[1:] if "In force on" in part]
        assert f"<h2> Version {version} " in section


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"status": "INACTIVE"}, "An inactive policy judges nothing: choose new items only."),
        ({"period": "WEEK"}, "holds for new items only"),
        ({"reach": "EVERYTHING"}, "Select a valid choice."),
    ],
)
def test_what_a_new_policy_cannot_hold_for_is_said_beside_the_choice(
    world: World, typed: dict[str, str], sentence: str
) -> None:
    spent(world)
    answer = world.client("Ada").post(at(world, "new/CHANNEL/"), edited(reach="WAITING") | typed)
    assert answer.status_code == 422
    assert sentence in page(answer)
    assert policies_at(world) == []


def test_a_deletion_takes_the_marks_back_where_that_is_chosen(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=50, currency="KES", period="WEEK")
    address = at(world, f"{policy['_id']}/delete/")
    # Nothing waits that it marks: there is nothing to choose.
    assert "Deleted: Spending by M-Pesa" in page(world.client("Ada").get(address))
    expense = spent(world)
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]
    form = page(world.client("Ada").get(address))
    assert "Deletion applies to" in form
    assert "Also the expense that waits for review with its mark" in form
    look = page(world.client("Ada").post(address, {"reach": "WAITING", "key": "d1"}))
    assert "Expenses that wait for review when it takes effect lose its mark." in look
    answer = confirmed(world, "Ada", address, {"reach": "WAITING", "key": "d1"})
    assert answer.status_code == 302, page(answer)
    assert policy_at(world, policy["_id"])["status"] == "DELETED"
    assert flags(world, expense) == []


def test_deleted_for_new_items_only_it_leaves_its_marks(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=50, currency="KES")
    expense = spent(world)
    assert (
        confirmed(world, "Ada", at(world, f"{policy['_id']}/delete/"), {"reach": "NEW", "key": "d2"}).status_code == 302
    )
    assert policy_at(world, policy["_id"])["status"] == "DELETED"
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]


def test_a_deletion_that_is_proposed_takes_the_marks_back_on_its_day_once(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=50, currency="KES")
    expense = spent(world)
    tomorrow = business_day(1).isoformat()
    confirmed(
        world, "Ada", at(world, f"{policy['_id']}/delete/"), {"reach": "WAITING", "effective": tomorrow, "key": "d3"}
    )
    proposal = Proposal.objects.filter(business=world.business).latest("pk")
    assert decide(world, proposal, "Abel").status_code == 302
    apply_proposal(proposal.pk)
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"], "its day has not come"
    Proposal.objects.filter(pk=proposal.pk).update(effective_at=timezone.now())
    for _ in range(2):
        apply_proposal(proposal.pk)
        proposal.refresh_from_db()
        assert (proposal.state, flags(world, expense)) == (ProposalState.APPLIED, []), proposal.outcome
        assert policy_at(world, policy["_id"])["version"] == 2


def test_whoever_changes_no_policies_chooses_nothing(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=50, currency="KES")
    expense = spent(world)
    for person in ("Carla", "Rita", "Apollo"):
        for path in ("new/CHANNEL/", f"{policy['_id']}/delete/"):
            answer = world.client(person).post(at(world, path), edited(reach="WAITING", step="confirm"))
            assert answer.status_code == 403, (person, path)
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]


def test_the_second_admin_reads_it_and_it_is_done_once_confirmed(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    expense = spent(world)
    confirmed(world, "Ada", at(world, f"{policy['_id']}/edit/"), edited(reach="WAITING"))
    proposal = Proposal.objects.filter(business=world.business).latest("pk")
    # Others wait by the time it is confirmed: no number that would be of the first admin's time.
    assert "Expenses that wait for review when it takes effect are judged by it again." in proposal.sentences
    assert not any("1" in sentence and "wait" in sentence for sentence in proposal.sentences)
    assert flags(world, expense) == []
    assert decide(world, proposal, "Abel").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]
