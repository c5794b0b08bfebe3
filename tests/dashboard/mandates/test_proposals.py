"""Changes of mandates and roles that need a second super admin: proposed, confirmed by another, applied as theirs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.notifications.models import Notice
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.models import Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.mandates.conftest import (
    again,
    as_sam,
    at,
    decide,
    employee,
    last,
    mandate,
    page,
    permissions_form,
    rights,
    role,
    words,
)
from tests.days import business_day

TITLE = "Payout batches, from KES 100,000.00"


def post(world: World, rest: str, by: str = "Sam", **form: Any) -> Any:
    return world.client(by).post(at(world, rest), {"key": "a", "step": "confirm", **form})


def propose(world: World, **form: Any) -> tuple[dict[str, Any], Proposal]:
    """Sam proposes that one approval be enough."""
    row = mandate(world)
    answer = post(world, f"{row['_id']}/minimum/", min_approvers="1", why="Juma is away", **form)
    assert answer.status_code == 302, words(answer)
    assert answer["Location"] == world.address(f"wallet-policies/proposals/{last(world).pk}/")
    return row, last(world)


def shown(world: World, person: str, proposal: Proposal) -> str:
    return words(world.client(person).get(world.address(f"wallet-policies/proposals/{proposal.pk}/")))


def ended(proposal: Proposal) -> str:
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    return str(proposal.state)


def test_nothing_is_done_before_a_second_super_admin_confirms(guarded: World) -> None:
    row, proposal = propose(guarded)
    assert (proposal.target_type, proposal.target_id, proposal.reason) == ("mandate", row["_id"], "Juma is away")
    assert again(guarded, row)["min_approvers"] == 2
    text = shown(guarded, "Selma", proposal)
    assert f"Mandate “{TITLE}”: 2 of 3 → 1 of 3 must approve." in text
    assert "One approver alone can then approve payout batches of this size." in text
    assert "View current access" in text
    assert "A change is waiting for confirmation: Mandate" in page(guarded, "Apollo", f"{row['_id']}/")
    assert decide(guarded, proposal, "Selma").status_code == 302
    assert ended(proposal) == ProposalState.APPLIED
    assert again(guarded, row)["min_approvers"] == 1
    lines = AuditEntry.objects.filter(chain=guarded.business.pk).order_by("id")
    audited = [(line.actor_name.split()[0], line.sentence.split(":")[0]) for line in lines]
    assert audited[-4:-2] == [
        ("Sam", "proposed an access change"), ("Selma", "confirmed the proposed access change"),
    ]  # fmt: skip
    assert audited[-1] == ("Selma", "changed mandate Payout batches, from KES\xa0100,000.00")


def test_those_who_could_confirm_are_told_and_nobody_else(guarded: World) -> None:
    propose(guarded)
    notices = Notice.objects.filter(business=guarded.business, topic="access").select_related("membership__user")
    assert [row.membership.user.get_full_name().split()[0] for row in notices] == ["Selma"]
    assert "2 of 3 → 1 of 3" in notices[0].sentence
    assert "1 waiting for you" in page(guarded, "Selma")
    assert "waiting for you" not in page(guarded, "Ada")


@pytest.mark.parametrize("person", ["Sam", "Ada", "Apollo", "Carla"])
def test_neither_its_proposer_nor_who_could_not_make_it_decides(guarded: World, person: str) -> None:
    row, proposal = propose(guarded)
    for how in ("confirm", "decline"):
        assert decide(guarded, proposal, person, how, reason="no").status_code == 403
    assert ended(proposal) == ProposalState.WAITING
    assert again(guarded, row)["min_approvers"] == 2


def test_a_mandate_that_changed_meanwhile_ends_the_proposal(guarded: World) -> None:
    row, proposal = propose(guarded)
    as_sam(guarded, "PATCH", f"/mandates/{row['_id']}", {"min_approvers": 3})
    answer = decide(guarded, proposal, "Selma")
    assert answer.status_code == 409
    assert "The mandate has changed since this was proposed." in words(answer)
    assert ended(proposal) == ProposalState.STALE
    assert again(guarded, row)["min_approvers"] == 3


def test_it_takes_effect_on_its_day_if_nothing_changed_until_then(guarded: World) -> None:
    row, proposal = propose(guarded, effective=business_day(3).isoformat())
    decide(guarded, proposal, "Selma")
    assert ended(proposal) == ProposalState.CONFIRMED
    assert proposal.pk not in due_proposals()
    as_sam(guarded, "PATCH", f"/mandates/{row['_id']}", {"min_approvers": 3})
    Proposal.objects.filter(pk=proposal.pk).update(effective_at=timezone.now() - timedelta(seconds=1))
    assert ended(proposal) == ProposalState.STALE
    assert again(guarded, row)["min_approvers"] == 3


def test_one_change_of_a_mandate_waits_at_a_time_and_of_another_at_the_same(guarded: World) -> None:
    row, proposal = propose(guarded)
    answer = post(guarded, f"{row['_id']}/minimum/", "Selma", min_approvers="3")
    assert answer.status_code == 409
    assert "Another change of this mandate by Sam Mwangi is already waiting" in words(answer)
    other = mandate(guarded, currency="USD")
    assert post(guarded, f"{other['_id']}/minimum/", "Selma", min_approvers="3", key="b").status_code == 302
    assert decide(guarded, proposal, "Sam", "withdraw").status_code == 302
    assert post(guarded, f"{row['_id']}/minimum/", "Selma", min_approvers="3", key="c").status_code == 302


def test_a_role_of_a_person_is_proposed_and_applied(guarded: World) -> None:
    carla = employee(guarded, "Carla")
    post(guarded, f"people/{carla}/role/", role="REVIEWER")
    proposal = last(guarded)
    assert rights(guarded, "Carla")["role"] == "CARD_USER"
    assert "Carla Kamau: Card user → Reviewer." in shown(guarded, "Selma", proposal)
    assert "In this dashboard Carla Kamau stays card user" in shown(guarded, "Selma", proposal)
    decide(guarded, proposal, "Selma")
    assert ended(proposal) == ProposalState.APPLIED
    assert rights(guarded, "Carla")["role"] == "REVIEWER"


def test_whom_it_is_about_does_not_confirm(guarded: World) -> None:
    post(guarded, f"people/{employee(guarded, 'Selma')}/role/", role="ADMIN")
    assert not Proposal.objects.filter(business=guarded.business).exists()
    preview = words(
        guarded.client("Sam").post(at(guarded, f"people/{employee(guarded, 'Selma')}/role/"), {"role": "ADMIN"})
    )
    assert "Nobody could confirm it" in preview
    assert "Propose change" not in preview


def test_what_a_role_may_do_is_proposed_compared_and_applied(guarded: World) -> None:
    form = permissions_form(guarded, "roles/REVIEWER/")
    ticked = {name: [value for value, is_checked in boxes.items() if is_checked] for name, boxes in form.items()}
    post(guarded, "roles/REVIEWER/", **ticked | {"group_1": ["EXPENSE_VIEW_OWN"]})
    proposal = last(guarded)
    assert "The role reviewer can no longer" in shown(guarded, "Selma", proposal)
    assert "This affects 2 people: Rex Otieno, Rita Wanjiru." in shown(guarded, "Selma", proposal)
    decide(guarded, proposal, "Selma")
    assert ended(proposal) == ProposalState.APPLIED
    assert "EXPENSE_REVIEW" not in role(guarded, "REVIEWER")["permissions"]
    post(guarded, "roles/REVIEWER/", key="b", **ticked)
    second = last(guarded)
    as_sam(guarded, "PUT", "/update/REVIEWER", {"permissions": ["EXPENSE_VIEW_OWN"]})
    assert "The permissions of the role have changed since this was proposed." in words(
        decide(guarded, second, "Selma")
    )


def test_a_refusal_at_its_time_is_kept_in_the_services_words(guarded: World) -> None:
    row = mandate(guarded)
    apollo, zawadi = [entry["approver_id"] for entry in row["approvers"][:2]]
    post(guarded, f"{row['_id']}/approvers/remove/", people=[apollo, zawadi])
    proposal = last(guarded)
    decide(guarded, proposal, "Selma")
    assert ended(proposal) == ProposalState.REFUSED
    assert "The mandate asks for 2 approvals, and 1 could give one." in proposal.outcome
    assert proposal.request_id
    assert "The mandate asks for 2 approvals" in shown(guarded, "Sam", proposal)
