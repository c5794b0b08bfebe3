"""A quarter's review of access: everybody is a row, nobody decides on themselves, and what is signed never changes."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.access.models import Membership, User
from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from dashboard.access_reviews.services import revoke
from dashboard.audit.models import AuditEntry
from dashboard.decisions.models import Decision, DecisionState
from dashboard.mirror.models import Employee, SyncCursor
from dashboard.mirror.webhook_inbox import follow_employment
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import Proposal
from tests.dashboard.access_reviews.conftest import LONG_AGO, decide, keep_all, opened, row_of, sign
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import shown, signed_in
from tests.dashboard.treasury.test_exchange import proven


def test_everybody_who_has_access_is_a_row_with_what_is_known(settled: World) -> None:
    world = settled
    Membership.objects.filter(pk=world.people["Rex"].pk).update(is_active=False, ended_at=timezone.now())
    now = timezone.now()
    Decision.objects.create(
        business=world.business, membership=world.people["Rita"], operation="approve_expense", object_type="expense",
        object_id="e1", title="Taxi", fingerprint="", key="k1", state=DecisionState.DONE, due_at=now,
    )  # fmt: skip
    Decision.objects.create(
        business=world.business, membership=world.people["Zawadi"], operation="approve_expense", object_type="expense",
        object_id="e2", title="Taxi", fingerprint="", key="k2", state=DecisionState.CANCELLED, due_at=now,
    )  # fmt: skip
    review = opened(world)
    assert set(review.people.exclude(membership=None).values_list("membership_id", flat=True)) == {
        member.pk for name, member in world.people.items() if name != "Rex"
    }
    rita, zawadi, carla, sam = (row_of(world, name) for name in ("Rita", "Zawadi", "Carla", "Sam"))
    assert (rita.unused, rita.decided_last_at is not None) == ([], True)
    # What was cancelled is no decision; who decides on nothing is not blamed for it.
    assert zawadi.unused == ["No decision in 90 days (decisions made through this dashboard are counted)."]
    assert (carla.unused, sam.unused) == ([], [])
    assert any(sentence.startswith("Approver in") for sentence in row_of(world, "Apollo").money)
    assert any(
        "By role, on every wallet and with no limit of its own: may" in sentence
        for sentence in row_of(world, "Apollo").money
    )
    assert carla.money == [
        "Nothing that is known: no role, wallet policy, mandate or fund account lets them move money."
    ]
    page = shown(world.client("Ada").get(world.address(f"access-reviews/{review.pk}/?show=unused")))
    assert "Zawadi" in page
    assert f'id="person-{carla.pk}"' not in page


def test_who_was_not_seen_is_unused_and_who_has_just_come_is_not(settled: World) -> None:
    world = settled
    now = timezone.now()
    members = Membership.objects.filter(business=world.business)
    members.filter(pk=world.people["Carla"].pk).update(last_seen_at=now - timedelta(days=91))
    members.filter(pk=world.people["Sam"].pk).update(last_seen_at=None)
    members.filter(pk=world.people["Apollo"].pk).update(created_at=now - timedelta(days=3), last_seen_at=None)
    opened(world)
    assert row_of(world, "Carla").unused == ["Not seen here in 90 days."]
    assert row_of(world, "Sam").unused == ["Never seen here."]
    assert row_of(world, "Apollo").unused == []


def test_a_page_that_is_opened_is_noted_as_seen_once_in_a_quarter_of_an_hour(settled: World) -> None:
    before = timezone.now() - timedelta(hours=1)
    carla = Membership.objects.filter(pk=settled.people["Carla"].pk)
    carla.update(last_seen_at=before)
    browser = settled.client("Carla")
    browser.get(settled.address())
    seen = carla.get().last_seen_at
    assert seen is not None
    assert seen > before
    browser.get(settled.address())
    assert carla.get().last_seen_at == seen


def test_nobody_decides_on_themselves_and_the_attempt_is_audited(settled: World) -> None:
    opened(settled)
    answer = decide(settled, "Ada", "Ada", reason="I am needed")
    assert answer.status_code == 403
    assert row_of(settled, "Ada").verdict == ""
    line = AuditEntry.objects.get(chain=settled.business.pk, operation="access_review", outcome="DENIED")
    assert line.actor_name.startswith("Ada")
    assert line.after == {"rule": "not_self"}


def test_keeping_what_looks_unused_takes_a_reason(settled: World) -> None:
    opened(settled)
    answer = decide(settled, "Zawadi", "Ada")
    assert answer.status_code == 422
    row = row_of(settled, "Zawadi")
    assert "enter a reason for keeping it" in shown(answer).split(f'id="id_{row.pk}_reason_error"')[1][:200]
    assert decide(settled, "Zawadi", "Ada", reason="Back from leave in May").status_code == 302
    row.refresh_from_db()
    assert (row.verdict, row.reason, row.decided_role) == ("KEEP", "Back from leave in May", "ADMIN")
    # What is used needs none.
    assert decide(settled, "Carla", "Ada").status_code == 302


def test_revoked_by_a_super_admin_access_ends_at_once(settled: World) -> None:
    opened(settled)
    assert decide(settled, "Carla", "Sam", "REVOKE").status_code == 422
    assert decide(settled, "Carla", "Sam", "REVOKE", "Left the team").status_code == 302
    member = Membership.objects.get(pk=settled.people["Carla"].pk)
    assert (member.is_active, member.ended_at is not None) == (False, True)
    assert decide(settled, "Carla", "Sam", reason="Changed my mind").status_code == 409
    lines = AuditEntry.objects.filter(chain=settled.business.pk).values_list("sentence", "reason")
    assert any(sentence.startswith("revoked the access of Carla") for sentence, _ in lines)
    assert any(sentence.startswith("ended the membership of Carla") for sentence, _ in lines)


def test_what_an_admin_revokes_waits_for_a_super_admin(settled: World) -> None:
    opened(settled)
    assert decide(settled, "Carla", "Ada", "REVOKE", "Left the team").status_code == 302
    row = row_of(settled, "Carla")
    proposal = Proposal.objects.get(pk=row.proposal_id)
    assert settled.client("Carla").get(settled.address()).status_code == 200
    assert "Waiting for a super admin" in shown(
        settled.client("Ada").get(settled.address(f"access-reviews/{row.review_id}/"))
    )
    proven(settled, "Sam").post(settled.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    apply_proposal(proposal.pk)
    assert Membership.objects.get(pk=settled.people["Carla"].pk).ended_at is not None
    assert "Revoked" in shown(settled.client("Ada").get(settled.address(f"access-reviews/{row.review_id}/")))


@pytest.mark.parametrize("name", ["Carla", "Rita", "Apollo"])
def test_only_who_configures_access_reviews_it(settled: World, name: str) -> None:
    review = opened(settled)
    browser = signed_in(settled, name)
    for rest in ("", f"{review.pk}/", f"{review.pk}/review.pdf", f"{review.pk}/content.json"):
        assert browser.get(settled.address(f"access-reviews/{rest}")).status_code == 403
    for rest in ("open/", f"{review.pk}/sign/", f"{review.pk}/people/{row_of(settled, 'Carla').pk}/"):
        assert browser.post(settled.address(f"access-reviews/{rest}")).status_code == 403


def test_it_is_opened_once_and_of_another_business_nobody_knows_it(settled: World, new_world: object) -> None:
    review = opened(settled)
    assert signed_in(settled, "Abel").post(settled.address("access-reviews/open/")).status_code == 409
    assert AccessReview.objects.filter(business=settled.business).count() == 1
    other = new_world()  # type: ignore[operator]
    assert other.client("Ada").get(other.address(f"access-reviews/{review.pk}/")).status_code == 404


def test_whoever_came_after_it_was_opened_is_named_as_not_reviewed(settled: World) -> None:
    rex = Membership.objects.filter(pk=settled.people["Rex"].pk)
    rex.update(is_active=False, ended_at=timezone.now())
    review = opened(settled)
    rex.update(is_active=True, ended_at=None, created_at=timezone.now() - LONG_AGO)
    keep_all(settled, but=["Rex"])
    sign(settled)
    review.refresh_from_db()
    assert [name.split()[0] for name in review.joined] == ["Rex"]


def test_without_the_mandates_no_review_is_opened(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/permissions/mandates")
    answer = signed_in(proxied_world, "Ada").post(proxied_world.address("access-reviews/open/"))
    assert answer.status_code >= 500
    assert "could not be read" in shown(answer)
    assert not AccessReview.objects.filter(business=proxied_world.business).exists()


def test_whoever_is_suspended_is_a_row_and_their_access_has_not_ended(settled: World) -> None:
    follow_employment(settled.business, {"_id": settled.people["Juma"].employee_id, "status": "SUSPENDED"})
    opened(settled)
    # Suspended while it is open: still to be decided on.
    follow_employment(settled.business, {"_id": settled.people["Rex"].employee_id, "status": "SUSPENDED"})
    keep_all(settled, but=["Juma", "Rex"])
    answer = sign(settled)
    assert answer.status_code == 409
    assert "2 people are not decided on yet." in shown(answer)
    assert "suspended when the review was opened" in shown(
        signed_in(settled, "Ada").get(settled.address(f"access-reviews/{row_of(settled, 'Juma').review_id}/"))
    )
    for name in ("Juma", "Rex"):
        assert decide(settled, name, "Ada", reason="On leave").status_code == 302
    assert sign(settled).status_code == 302
    assert row_of(settled, "Rex").ended_at is None
    content = json.loads(AccessReview.objects.get(business=settled.business).content)
    assert {one["name"].split()[0]: one["suspended"] for one in content["people"]}["Juma"]


def test_a_revocation_is_all_of_it_or_nothing(settled: World, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(settled)

    def dies(*_: Any, **__: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("dashboard.access_reviews.services._decide", dies)
    for who in ("Ada", "Sam"):
        with pytest.raises(RuntimeError):
            revoke(settled.actor(who), row_of(settled, "Juma"), "Has left", key="k")
    assert Membership.objects.get(pk=settled.people["Juma"].pk).ended_at is None
    assert not Proposal.objects.filter(business=settled.business).exists()


def test_the_page_of_a_review_asks_the_same_however_many_people_it_has(
    settled: World,
) -> None:
    review = opened(settled)
    browser = signed_in(settled, "Ada")
    address = settled.address(f"access-reviews/{review.pk}/")
    browser.get(address)
    with CaptureQueriesContext(connection) as few:
        browser.get(address)
    rows = list(review.people.order_by("pk"))
    for number in range(60):
        user = User.objects.create_user(f"many.{number}.{review.pk}@example.test", name=f"Many {number}")
        member = Membership.objects.create(user=user, business=settled.business, role="CARD_USER")
        ReviewedPerson.objects.create(
            review=review, membership=member, name=f"Many {number}", email=user.email, role="CARD_USER",
            joined_at=rows[0].joined_at,
        )  # fmt: skip
    with CaptureQueriesContext(connection) as many:
        assert "Page 1 of 2" in shown(browser.get(address))
    assert len(many) <= len(few) + 1


def test_nothing_is_said_of_what_has_not_been_read_once(settled: World) -> None:
    """Of a business that was connected a minute ago: no review is opened of half a copy, and its chart is not empty."""
    cursor = SyncCursor.objects.get(business=settled.business)
    cursor.bands = {band: at for band, at in cursor.bands.items() if band not in {"lookups", "policies"}}
    cursor.save()
    answer = signed_in(settled, "Ada").post(settled.address("access-reviews/open/"))
    assert answer.status_code == 503
    assert "people and wallets and wallet policies are still being read" in shown(answer)
    assert not AccessReview.objects.filter(business=settled.business).exists()
    Employee.objects.filter(business=settled.business).delete()
    chart = shown(signed_in(settled, "Ada").get(settled.address("people/org-chart/")))
    assert "The people are still being read" in chart
    assert "Nobody here yet" not in chart
