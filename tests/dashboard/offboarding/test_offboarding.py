"""Offboarding the busiest approver: everything gets a successor or an action, by roles, and nothing is left."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.delegation.models import Delegation
from dashboard.mirror.models import Card, Subscription, Team
from dashboard.notifications.models import Notice
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal
from dashboard.proposals.outcomes import confirm
from tests.dashboard.conftest import World
from tests.dashboard.offboarding.conftest import (
    begin,
    held,
    id_of,
    job_of,
    kinds_in,
    settle_in,
    started,
    states,
    suspended,
    work,
)  # fmt: skip
from tests.dashboard.people.conftest import address_of, employee, shown, signed_in, wallets


def test_all_that_somebody_leaves_behind_is_listed_with_what_can_be_done(world: World) -> None:
    settle_in(world)
    page = shown(signed_in(world, "Ada").get(address_of(world, "Apollo", "offboard/")))
    headings = "Delegations, Workflow approvers, Mandate approvers, Subscriptions, Cards, Funds, Reports"
    for heading in headings.split(", "):
        assert f">{heading}</h2>" in page
    for thing in ("Large bills", "Travel 0", "Design 1", "KES 500.00 allocated", "Supervisor of Carla"):
        assert thing in page
    assert page.count('name="card-') >= 3
    # Many of a kind are folded, with what is proposed for all of them.
    mandates = page.split(">Mandate approvers</h2>")[1].split("</section>")[0]
    assert f"<summary>{mandates.count('<fieldset')}: Give seat to successor</summary>" in mandates
    assert "<details" not in page.split(">Delegations</h2>")[1].split("</section>")[0]


def test_offboarded_by_three_roles_nothing_is_left(world: World) -> None:
    settle_in(world)
    answer = begin(world)
    job = job_of(world)
    assert answer["Location"] == world.address(f"people/offboarding/{job.pk}/")
    # Suspended before the page comes back; the rest follows.
    assert world.upstream(f"/employees/{id_of(world, 'Apollo')}")["status"] == "SUSPENDED"
    work(world)
    # An admin neither takes money back nor changes a mandate: these wait for whoever may.
    assert kinds_in(world, "FOR_ANOTHER") <= {"funds", "mandate"}
    assert "funds" in kinds_in(world, "FOR_ANOTHER")
    assert not Offboarding.objects.get(pk=job.pk).finished_at
    for who in ("Zawadi", "Sam"):
        signed_in(world, who).post(world.address(f"people/offboarding/{job.pk}/continue/"))
        work(world)
    work(world)
    assert set(states(world).values()) == {"DONE"}, states(world)
    assert Offboarding.objects.get(pk=job.pk).finished_at is not None
    apollo, zawadi = id_of(world, "Apollo"), id_of(world, "Zawadi")
    cards = world.upstream(f"/cards/employee/{apollo}")["docs"]
    assert {card["status"] for card in cards} == {"RETIRED"}
    assert set(
        Subscription.objects.filter(business=world.business, name__startswith="Design").values_list(
            "employee_id", flat=True
        )
    ) == {zawadi}
    assert not Delegation.objects.filter(business=world.business, ended_at=None).exists()
    steps = next(row["steps"] for row in world.upstream("/bills/workflow")["docs"] if row["name"] == "Large bills")
    assert steps[0]["approver_ids"] == [zawadi]
    assert set(wallets(world, "Apollo").values()) <= {0}
    assert world.upstream(f"/employees/{id_of(world, 'Carla')}")["supervisor_id"] == zawadi
    mandates = world.send("PUT", "/permissions/mandates", {})["docs"]
    assert not any(seat["approver_id"] == apollo for row in mandates for seat in row["approvers"])
    assert held(world, "Apollo") == []
    page = shown(world.client("Ada").get(world.address(f"people/offboarding/{job.pk}/")))
    assert "Nothing is left" in page


def test_each_step_is_in_the_audit_by_whoever_did_it(world: World) -> None:
    settle_in(world)
    started(world)
    work(world)
    told = "\n".join(AuditEntry.objects.filter(chain=world.business.pk).values_list("sentence", flat=True))
    for sentence in (
        "started offboarding Apollo",
        "suspended employee Apollo",
        "closed card",
        "assigned subscription",
        "ended the delegation",
    ):
        assert sentence in told


def test_a_reviewer_s_team_gets_the_successor_before_the_seat_is_removed(world: World) -> None:
    world.sync()
    begin(world, "Rita", "Rex")
    assert "review" in kinds_in(world, "WAITING")
    work(world)
    assert set(states(world).values()) == {"DONE"}, states(world)
    seats = {seat["employee_id"] for team in Team.objects.filter(business=world.business) for seat in team.reviewers}
    assert id_of(world, "Rita") not in seats
    assert id_of(world, "Rex") in seats


def test_the_same_form_twice_is_one_offboarding(world: World) -> None:
    world.sync()
    first, again = begin(world, "Carla", "Juma"), begin(world, "Carla", "Juma")
    assert first["Location"] == again["Location"]
    assert Offboarding.objects.filter(business=world.business).count() == 1


@pytest.mark.parametrize(
    ("who", "said"), [("Rex", "only an approver can take this seat"), ("Apollo", "is leaving: choose somebody else")]
)
def test_a_successor_who_cannot_is_refused_at_their_place(world: World, who: str, said: str) -> None:
    settle_in(world)
    seat = next(row for row in held(world, "Apollo") if row.kind == "workflow")
    answer = begin(world, **{f"{seat.key}-heir": id_of(world, who)})
    page = shown(answer)
    assert answer.status_code == 422
    assert said in page.split(f'id="id_{seat.key}-heir_error"')[1][:300]
    # What was chosen is kept where it is on the list, and nothing was done.
    assert who == "Apollo" or f'value="{id_of(world, who)}" selected' in page
    assert employee(world, "Apollo").status == "ACTIVE"
    assert not Offboarding.objects.filter(business=world.business).exists()


def test_a_suspended_successor_and_one_of_another_business_are_refused_by_name(world: World) -> None:
    world.sync()
    suspended(world, "Juma")
    page = shown(begin(world, "Carla", "Juma"))
    assert "is suspended: choose somebody active" in page
    page = shown(signed_in(world, "Ada").post(address_of(world, "Carla", "offboard/"), {"main-heir": "5f" * 12}))
    assert "There is nobody like that in this business." in page
    assert employee(world, "Carla").status == "ACTIVE"


def test_without_a_successor_what_needs_one_says_so(world: World) -> None:
    settle_in(world)
    form = {f"{row.key}-action": row.choices[0].name for row in held(world, "Apollo")}
    answer = signed_in(world, "Ada").post(address_of(world, "Apollo", "offboard/"), form)
    assert answer.status_code == 422
    assert "Choose a successor here, or a main successor above." in shown(answer)
    # What is to be mended is not folded.
    assert "<details" not in shown(answer).split(">Mandate approvers</h2>")[1].split("</section>")[0]


def test_what_would_wait_for_nobody_stops_it_before_it_begins(world: World) -> None:
    settle_in(world)
    steps = [{"order": 1, "approver_ids": [id_of(world, "Apollo")]}]
    world.send("POST", "/bills/workflow", {"name": "Alone", "steps": steps, "priority": 50})
    world.sync()
    row = next(row for row in held(world, "Apollo") if "Alone" in row.title)
    answer = begin(world, **{f"{row.key}-action": "remove"})
    assert answer.status_code == 422
    assert "A step would have no approver left" in shown(answer)
    assert employee(world, "Apollo").status == "ACTIVE"


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo"])
def test_nobody_else_offboards(world: World, person: str) -> None:
    answer = signed_in(world, person).get(address_of(world, "Juma", "offboard/"))
    assert answer.status_code == 403
    assert signed_in(world, person).post(address_of(world, "Juma", "offboard/"), {"key": "p" * 32}).status_code == 403
    assert not Offboarding.objects.filter(business=world.business).exists()


def test_nobody_offboards_themselves(world: World) -> None:
    assert signed_in(world, "Ada").get(address_of(world, "Ada", "offboard/")).status_code == 403


def test_a_second_admin_confirms_what_an_access_change_is(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    settle_in(world)
    started(world)
    work(world)
    assert "workflow" in kinds_in(world, "PROPOSED")
    proposal = Proposal.objects.get(business=world.business, target_type="workflow")
    confirm(world.actor("Abel"), proposal)
    apply_proposal(proposal.pk)
    work(world)
    assert "workflow" in kinds_in(world, "DONE")


def test_a_declined_proposal_is_left_and_can_be_taken_up_again(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    settle_in(world)
    started(world)
    work(world)
    Proposal.objects.filter(business=world.business, target_type="workflow").update(
        state="DECLINED", outcome="Not him."
    )
    work(world)
    assert "workflow" in kinds_in(world, "REFUSED")
    job = job_of(world)
    page = shown(world.client("Ada").get(world.address(f"people/offboarding/{job.pk}/")))
    assert "The proposal ended: declined. Not him." in page
    signed_in(world, "Ada").post(world.address(f"people/offboarding/{job.pk}/continue/"))
    work(world)
    assert Proposal.objects.filter(business=world.business, target_type="workflow", state="WAITING").count() == 1


def test_an_offboarding_of_another_business_is_not_found(world: World, new_world: object) -> None:
    world.sync()
    begin(world, "Carla", "Juma")
    other = new_world(synced=False)  # type: ignore[operator]
    address = other.address(f"people/offboarding/{job_of(world).pk}/")
    assert other.client("Ada").get(address).status_code == 404


def test_a_person_s_page_shows_the_cards_that_the_service_lists(world: World) -> None:
    settle_in(world)
    Card.objects.filter(business=world.business).delete()
    page = shown(world.client("Ada").get(address_of(world, "Apollo")))
    assert "Travel 0" in page
    assert "Travel 2" in page
    assert "Travel 0" in shown(world.client("Apollo").get(address_of(world, "Apollo")))


def test_a_step_whose_successor_left_meanwhile_gets_another_one(world: World) -> None:
    settle_in(world)
    started(world)
    suspended(world, "Zawadi")
    work(world)
    stuck = OffboardingStep.objects.filter(offboarding=job_of(world), kind="subscription", state="REFUSED").order_by(
        "number"
    )
    assert len(stuck) == 2
    job, step = job_of(world), stuck[0]
    address = world.address(f"people/offboarding/{job.pk}/steps/{step.number}/")
    refused = signed_in(world, "Ada").post(address, {"heir": id_of(world, "Zawadi")})
    assert refused.status_code == 422
    assert "is suspended: choose somebody active" in shown(refused)
    assert world.client("Carla").post(address, {"heir": id_of(world, "Juma")}).status_code == 403
    assert signed_in(world, "Ada").post(address, {"heir": id_of(world, "Juma")}).status_code == 302
    work(world)
    step.refresh_from_db()
    assert (step.state, step.heir_name) == ("DONE", "Juma Hassan")
    assert Subscription.objects.get(business=world.business, remote_id=step.remote_id).employee_id == id_of(
        world, "Juma"
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [({"is_active": False}, "has no access to this dashboard"), ({"role": "CARD_USER"}, "role here is card user")],
)
def test_a_successor_who_cannot_enter_as_an_approver_takes_no_seat(
    world: World, values: dict[str, object], said: str
) -> None:
    settle_in(world)
    Membership.objects.filter(pk=world.people["Juma"].pk).update(**values)
    seat = next(row for row in held(world, "Apollo") if row.kind == "workflow")
    page = shown(begin(world, **{f"{seat.key}-heir": id_of(world, "Juma")}))
    assert said in page.split(f'id="id_{seat.key}-heir_error"')[1][:300]
    assert not Offboarding.objects.filter(business=world.business).exists()


def test_what_the_leaver_confirmed_for_a_later_day_waits_for_another_admin(world: World) -> None:
    world.sync()
    FourEyes.objects.create(business=world.business, is_on=True)
    row = Proposal.objects.create(
        business=world.business, operation="update_policy", target_type="policy", target_id="p", title="Meals",
        sentences=["Limit: more."], key="later", state="CONFIRMED", proposed_by=world.people["Ada"],
        decided_by=world.people["Abel"], effective_at=timezone.now() + timedelta(days=3),
    )  # fmt: skip
    assert any("Confirmed a policy change" in holding.title for holding in held(world, "Abel", "Sam"))
    begin(world, "Abel", "Ada", by="Sam")
    work(world)
    row.refresh_from_db()
    assert (row.state, row.decided_by) == ("WAITING", None)
    assert Notice.objects.filter(
        business=world.business, sentence__contains="needs another confirmation", membership=world.people["Selma"]
    ).exists()


def test_a_step_that_is_refused_is_told_to_whoever_offboards(world: World) -> None:
    settle_in(world)
    started(world)
    step = OffboardingStep.objects.filter(offboarding=job_of(world), kind="card").first()
    assert step is not None
    OffboardingStep.objects.filter(pk=step.pk).update(state="REFUSED", sentence="It is in use.")
    work(world)
    told = Notice.objects.filter(business=world.business, sentence__contains="is stuck: ")
    assert world.people["Ada"].pk in set(told.values_list("membership_id", flat=True))
    assert "It is in use." in told[0].sentence
