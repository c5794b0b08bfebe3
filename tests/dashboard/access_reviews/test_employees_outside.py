"""Who can move money at the finance service and has no access to this dashboard is reviewed, and what a revocation ends is said."""

from __future__ import annotations

import json

import pypdfium2
import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access_reviews.models import REVOKES, AccessReview, ReviewedPerson
from dashboard.access_reviews.selectors import LEFT, STOPPED, PersonStatus, standings_of
from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Employee
from dashboard.proposals.models import Proposal
from tests.dashboard.access_reviews.conftest import decide, decide_row, keep_all, opened, row_of, sign
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import shown, signed_in


@pytest.fixture
def without(settled: World) -> World:
    """Apollo, who approves and votes at the service, has lost access here; so has Carla, who can move nothing."""
    names = [settled.people[name].pk for name in ("Apollo", "Carla")]
    Membership.objects.filter(pk__in=names).update(is_active=False, ended_at=timezone.now())
    return settled


def outside(world: World, name: str = "Apollo") -> ReviewedPerson:
    return ReviewedPerson.objects.get(
        review__business=world.business, membership=None, employee_id=world.people[name].employee_id
    )


def standing(row: ReviewedPerson) -> PersonStatus:
    (found,) = standings_of([ReviewedPerson.objects.select_related("review", "membership").get(pk=row.pk)])
    return found.standing


def test_an_employee_who_can_move_money_without_access_here_is_a_row(without: World) -> None:
    review = opened(without)
    row = outside(without)
    assert (row.role, row.service_role, row.joined_at) == ("", "APPROVER", None)
    assert any(sentence.startswith("Approver in") for sentence in row.money)
    assert not review.people.filter(employee_id=without.people["Carla"].employee_id).exists()
    page = shown(signed_in(without, "Ada").get(without.address(f"access-reviews/{review.pk}/")))
    card = page.split(f'id="person-{row.pk}"')[1].split("</section>")[0]
    assert "No access to this dashboard" in card
    assert "Last decision</dt><dd>Never" not in card
    assert sign(without).status_code == 409


def test_whoever_links_them_to_an_access_later_is_named_as_not_reviewed(without: World) -> None:
    review = opened(without)
    keep_all(without, but=["Apollo", "Carla"])
    Membership.objects.filter(pk=without.people["Apollo"].pk).update(is_active=True, ended_at=None)
    assert sign(without).status_code == 302
    review.refresh_from_db()
    assert [name.split()[0] for name in review.joined] == ["Apollo"]


def test_revoked_they_are_to_be_offboarded_and_the_review_waits_for_it(without: World) -> None:
    review = opened(without)
    keep_all(without, but=["Apollo", "Carla"])
    row = outside(without)
    assert decide_row(without, row, "Ada", "REVOKE", "Has left").status_code == 302
    assert not Proposal.objects.filter(business=without.business).exists()
    assert standing(row) is PersonStatus.TO_OFFBOARD
    page = shown(signed_in(without, "Ada").get(without.address(f"access-reviews/{review.pk}/?show=open")))
    assert without.address(f"people/{row.employee_id}/offboard/") in page
    assert "1 person is to be offboarded under People, or kept" in shown(sign(without))
    assert AuditEntry.objects.filter(
        chain=without.business.pk, operation="access_review", sentence__startswith=f"decided to offboard {row.name}"
    ).exists()
    apollo = Employee.objects.filter(business=without.business, remote_id=row.employee_id)
    apollo.update(status="SUSPENDED")
    assert standing(row) is PersonStatus.REVOKED
    browser = signed_in(without, "Ada")
    assert STOPPED in shown(browser.get(without.address(f"access-reviews/{review.pk}/")))
    assert f'id="person-{row.pk}"' not in shown(browser.get(without.address(f"access-reviews/{review.pk}/?show=open")))
    assert sign(without).status_code == 302
    # Activated again later, the signed review says what was so when it was signed.
    apollo.update(status="ACTIVE")
    assert standing(row) is PersonStatus.REVOKED
    people = {one["name"]: one for one in json.loads(AccessReview.objects.get(pk=review.pk).content)["people"]}
    assert (people[row.name]["has_access_here"], people[row.name]["stopped_at_the_finance_service"]) == (False, True)


def test_nobody_decides_on_their_own_rights_at_the_service(without: World) -> None:
    opened(without)
    row = outside(without)
    ada = without.people["Ada"]
    ReviewedPerson.objects.filter(pk=row.pk).update(employee_id=ada.employee_id)
    assert decide_row(without, row, "Ada", reason="Mine").status_code == 403


def test_a_revocation_says_what_it_has_not_ended_on_the_page_and_in_the_files(settled: World) -> None:
    review = opened(settled)
    page = shown(signed_in(settled, "Ada").get(settled.address(f"access-reviews/{review.pk}/")))
    assert REVOKES in page
    assert LEFT not in page
    assert decide(settled, "Juma", "Sam", "REVOKE", "Left the team").status_code == 302
    assert row_of(settled, "Juma").money
    keep_all(settled, but=["Juma"])
    assert sign(settled).status_code == 302
    browser = signed_in(settled, "Ada")
    assert LEFT in shown(browser.get(settled.address(f"access-reviews/{review.pk}/")))
    content = json.loads(browser.get(settled.address(f"access-reviews/{review.pk}/content.json")).content)
    assert content["what_revoking_ends"] == REVOKES
    document = pypdfium2.PdfDocument(browser.get(settled.address(f"access-reviews/{review.pk}/review.pdf")).content)
    text = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in document).split())
    assert LEFT in text
    assert REVOKES in text
