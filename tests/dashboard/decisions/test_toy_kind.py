"""docs/how-to-add-an-area.md is whole: a kind that one person's word decides, added from its blocks alone, is decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dashboard.lists.test_toy_area import Block, blocks, copy_with, run, text_of

PART = "## A decision in three places"
MOST_PLACES = 3
# The page says that these are there: the service's half of it.
OPERATIONS = Block(
    "dashboard/operations_extra.py",
    'LIST_AUDIT_EVENTS = Operation("Events"',
    """
LIST_PARCEL_RETURNS = Operation("Parcels", "GET", "/returns", FINANCE, ALL, "looked through the parcel returns")
READ_PARCEL_RETURN = Operation("Parcels", "GET", "/returns/{id}", FINANCE, ALL, "looked at parcel return {title}")
APPROVE_PARCEL_RETURN = Operation(
    "Parcels", "POST", "/returns/{id}/approve", APPROVING, ALL, "approved parcel return {title}", rule="not_own", undo_s=10
)
REJECT_PARCEL_RETURN = Operation(
    "Parcels", "POST", "/returns/{id}/reject", APPROVING, ALL, "rejected parcel return {title}", rule="not_own", undo_s=10
)
""",
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A copy of the program with the kind of the page in it."""
    return copy_with(tmp_path, [OPERATIONS, *blocks(PART)])


def test_a_kind_is_declared_in_three_places_at_most() -> None:
    assert 1 < len({block.place for block in blocks(PART)}) <= MOST_PLACES


def test_the_page_says_how_many_files_a_kind_touches() -> None:
    """Two beside those that declare it: the rows of its operations, and what a command writes."""
    files = {block.file for block in blocks(PART)} | {OPERATIONS.file, "addresses.csv"}
    assert f"{len(files)} files in all" in text_of(PART)


def test_the_kind_of_the_page_is_listed_decided_undone_handed_over_and_kept_from_those_who_may_not(
    program: Path,
) -> None:
    printed = run(program, "-c", TRIAL)
    assert printed.splitlines()[-1] == "all of it holds"


def test_it_is_as_this_program_is_written(program: Path) -> None:
    files = sorted({block.file for block in blocks(PART)})
    run(program, "-m", "ruff", "check", "--no-cache", *files)
    run(program, "-m", "ruff", "format", "--no-cache", "--check", *files)


TRIAL = """
import re

import django

django.setup()

from django.db import transaction
from django.test import Client
from django.test.utils import setup_test_environment
from django.utils import timezone

from dashboard.access.models import Business, Membership, User
from dashboard.decisions.models import Decision
from dashboard.decisions.reconcile import READERS
from dashboard.delegation.kinds import DELEGATED_KINDS
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Origin
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.notifications.models import Notice

setup_test_environment()
CAST = {"Apollo": "APPROVER", "Ada": "ADMIN", "Rita": "REVIEWER", "Zawadi": "APPROVER"}
with transaction.atomic():
    business = Business.objects.create(slug=f"toy-{timezone.now():%H%M%S%f}", name="Toy")
    clients, ids = {}, {}
    for name, role in CAST.items():
        ids[name] = f"{business.slug}-{name}"
        user = User.objects.create_user(f"{name.lower()}@{business.slug}.test", name=name)
        Membership.objects.create(user=user, business=business, role=role, employee_id=ids[name])
        upsert("employee", business, [{"_id": ids[name], "name": name, "role": role, "status": "ACTIVE"}], Origin.POLL)
        clients[name] = Client()
        clients[name].force_login(user)
    moment = timezone.now().isoformat()
    rows = [
        {"_id": f"{number:024x}", "name": f"Crate {number}", "status": "PENDING", "createdAt": moment,
         "requested_by": ids["Zawadi"], "person": "Zawadi"}
        for number in range(1, 4)
    ]
    upsert("parcel_return", business, rows, Origin.POLL)
    first = rows[0]["_id"]

    def page(who, path):
        return clients[who].get(f"/{business.slug}/{path}")

    inbox = page("Apollo", "approvals/?kind=transaction").content.decode()
    assert "Crate 1" in inbox and "Parcel return" in inbox, inbox[-3000:]
    assert "3 wait" in page("Apollo", "approvals/totals/?show=mine").content.decode()
    item = page("Apollo", f"approvals/parcel-return/{first}/").content.decode()
    assert "Any one approver decides" in item and "The parcel is sent back" in item
    assert "Crate 1" not in page("Zawadi", "approvals/?show=mine").content.decode()
    assert page("Rita", f"approvals/parcel-return/{first}/").status_code in (403, 404)
    key = re.search(r'name="key" value="([^"]+)"', item)[1]
    seen = re.search(r'name="fingerprint" value="([^"]+)"', item)[1].replace("&quot;", '"')
    posted = clients["Apollo"].post(
        f"/{business.slug}/approvals/parcel-return/{first}/approve/", {"key": key, "fingerprint": seen, "reason": ""}
    )
    assert posted.status_code == 302, posted.content.decode()[-3000:]
    decision = Decision.objects.get(business=business)
    assert (decision.operation, decision.state) == ("approve_parcel_return", "WAITING")
    assert "2 wait" in page("Apollo", "approvals/totals/?show=mine").content.decode()
    plan = clients["Apollo"].post(
        f"/{business.slug}/approvals/plan/", {"verb": "approve", "ids": [f"parcel-return/{row['_id']}" for row in rows]},
        follow=True,
    ).content.decode()
    assert "Crate 2" in plan and "Crate 3" in plan and "A decision on it is already in progress." in plan, plan[-3000:]
    undone = clients["Apollo"].post(f"/{business.slug}/decisions/{decision.pk}/undo/")
    decision.refresh_from_db()
    assert (undone.status_code < 400, decision.state) == (True, "CANCELLED"), undone.content.decode()[-2000:]
    assert "3 wait" in page("Apollo", "approvals/totals/?show=mine").content.decode()
    assert DELEGATED_KINDS["parcel_return"] == "parcel returns" and "parcel_return" in READERS
    assert ApprovalRequest.objects.filter(business=business, kind="parcel_return").count() == 3
    approved = rows[0] | {"status": "APPROVED", "decided_by": ids["Apollo"], "version": 2}
    apply_event(business, {"type": "parcel_return.approved", "data": {"object": approved}}, Origin.WEBHOOK)
    heard = Notice.objects.get(business=business, kind="parcel_return")
    assert heard.membership.employee_id == ids["Zawadi"]
    assert heard.sentence == "Your parcel return Crate 1 was approved by Apollo.", heard.sentence
    transaction.set_rollback(True)

print("all of it holds")
"""
