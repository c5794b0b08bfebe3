"""A review is signed once everybody is decided on, and what was signed can be checked and never changes."""

from __future__ import annotations

import json
from hashlib import sha256

import pypdfium2
import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from dashboard.audit.models import AuditEntry, AuditSeal
from dashboard.audit.seal import seal_chain
from dashboard.proposals.models import FourEyes, Proposal
from tests.dashboard.access_reviews.conftest import decide, keep_all, opened, row_of, sign
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import shown
from tests.dashboard.treasury.test_exchange import proven


def test_where_a_second_admin_is_asked_for_no_super_admin_revokes_or_signs_alone(settled: World) -> None:
    FourEyes.objects.create(business=settled.business, is_on=True)
    opened(settled, "Sam")
    assert decide(settled, "Carla", "Sam", "REVOKE", "Left the team").status_code == 302
    proposal = Proposal.objects.get(pk=row_of(settled, "Carla").proposal_id)
    assert Membership.objects.get(pk=settled.people["Carla"].pk).is_active
    proven(settled, "Sam").post(settled.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    assert Membership.objects.get(pk=settled.people["Carla"].pk).is_active
    # Declined, it is decided on again.
    settled.client("Selma").post(
        settled.address(f"wallet-policies/proposals/{proposal.pk}/decline/"), {"reason": "She is back"}
    )
    keep_all(settled)
    assert "somebody else than who opened the review signs it" in shown(sign(settled, "Sam"))
    assert sign(settled, "Selma").status_code == 302


def test_signed_once_everybody_is_decided_on_it_is_closed_for_good(settled: World) -> None:
    world = settled
    review = opened(world)
    keep_all(world, but=["Carla"])
    answer = sign(world)
    assert answer.status_code == 409
    assert "1 person is not decided on yet." in shown(answer)
    Membership.objects.filter(pk=world.people["Carla"].pk).update(is_active=False, ended_at=timezone.now())
    assert sign(world, "Abel").status_code == 302
    review.refresh_from_db()
    assert (review.signed_name.split()[0], review.signed_role) == ("Abel", "ADMIN")
    content = world.client("Ada").get(world.address(f"access-reviews/{review.pk}/content.json")).content
    assert sha256(content).hexdigest() == review.content_sha256
    people = {row["name"].split()[0]: row for row in json.loads(content)["people"]}
    assert people["Rita"]["verdict"] == "KEEP"
    assert people["Carla"]["access_ended_at"]
    line = AuditEntry.objects.get(pk=review.audit_entry_id)
    assert (line.after or {})["content (SHA-256)"] == review.content_sha256
    assert decide(world, "Rita", "Ada", reason="Again").status_code == 409
    assert sign(world, "Abel").status_code == 409
    for rows in (AccessReview.objects.filter(pk=review.pk), ReviewedPerson.objects.filter(review=review)):
        field = "signed_name" if rows.model is AccessReview else "reason"
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            rows.update(**{field: "Somebody else"})
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            rows.all()._raw_delete(rows.db)


def test_the_pdf_says_what_was_signed_and_how_to_check_it(settled: World) -> None:
    world = settled
    review = opened(world)
    keep_all(world)
    sign(world)
    seal_chain(world.business.pk)
    review.refresh_from_db()
    seal = AuditSeal.objects.get(entry_id=review.audit_entry_id)
    answer = world.client("Ada").get(world.address(f"access-reviews/{review.pk}/review.pdf"))
    assert answer["Content-Type"] == "application/pdf"
    document = pypdfium2.PdfDocument(answer.content)
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    for part in (
        f"Access review {review.period}",
        "Signed by Ada",
        review.content_sha256,
        seal.hash,
        "Zawadi",
        "Still in the team",
    ):
        assert part in text, part


def test_signing_and_revoking_take_verifying_that_it_is_oneself(settled: World) -> None:
    review = opened(settled)
    row = row_of(settled, "Carla")
    sam = settled.client("Sam")
    place = settled.address(f"access-reviews/{review.pk}/people/{row.pk}/")
    assert "reauthenticate" in sam.post(place, {"verdict": "REVOKE", "reason": "Left"})["Location"]
    assert "reauthenticate" in sam.post(settled.address(f"access-reviews/{review.pk}/sign/"))["Location"]
    assert Membership.objects.get(pk=settled.people["Carla"].pk).is_active
