"""A pack of a person or a period has the items that its decisions are about, with their documents, and names what it does not have."""

from __future__ import annotations

import json
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.decisions.models import Decision, DecisionState
from dashboard.evidence import collected_items, current_rows, pack_documents
from dashboard.mirror.models import ApprovalRequest, Expense
from tests.dashboard.bills.test_ten_pdfs import paid
from tests.dashboard.conftest import World
from tests.dashboard.documents.real import expense_of, with_receipt
from tests.dashboard.evidence.conftest import files_of, made, person_pack, verified
from tests.dashboard.evidence.test_documents import INVOICE, documents_in, packed, printed
from tests.dashboard.evidence.test_payment_references import items_of, notes_of, requested
from tests.dashboard.investments.test_investments import ask, funds, held, post
from tests.days import business_day

NAMES = ("lunch.pdf", "taxi.pdf")


@pytest.fixture(autouse=True)
def documents_folder(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS_FOLDER = str(tmp_path / "documents")


def decided(world: World, expense: Expense) -> None:
    """Rita has approved an expense through the dashboard."""
    decision = Decision.objects.create(
        business=world.business, membership=world.people["Rita"], operation="approve_expense", object_type="expense",
        object_id=expense.remote_id, title=expense.merchant, fingerprint="", key=f"k-{expense.pk}",
        state=DecisionState.DONE, due_at=timezone.now(), amount_minor=expense.amount_minor, currency=expense.currency,
    )  # fmt: skip
    record(world.actor("Rita"), operations.APPROVE_EXPENSE, expense, Outcome.TAKEN, decision_id=decision.pk)


@pytest.fixture
def approved(world: World) -> list[Expense]:
    """Two expenses with a receipt each that Rita has approved."""
    rows = [with_receipt(world, expense_of(world), INVOICE, name) for name in NAMES]
    for row in rows:
        decided(world, row)
    return rows


def period_pack(world: World) -> dict[str, bytes]:
    """The files of a pack of today."""
    last = business_day() + timedelta(days=1)
    days = {"first": business_day().isoformat(), "last": last.isoformat(), "key": "d" * 32}
    return files_of(made(world, world.client("Ada").post(world.address("audit/packs/"), days)))


def manifest_of(files: dict[str, bytes]) -> Any:
    return json.loads(files["manifest.json"])


@pytest.mark.parametrize("pack", [person_pack, period_pack])
def test_the_items_that_were_decided_on_are_in_it_with_their_receipts(
    world: World, approved: list[Expense], pack: Any, tmp_path: Path
) -> None:
    files = pack(world)
    items = [row for row in json.loads(files["item.json"]) if row["kind"] == "expense"]
    assert [row["id"] for row in items] == [row.remote_id for row in approved]
    records = manifest_of(files)["documents"]
    assert [(row["name"], row["item"], row["sha256"], row["bytes"], row["why"]) for row in records] == [
        (name, f"expense/{row.remote_id}", sha256(INVOICE).hexdigest(), len(INVOICE), "")
        for name, row in zip(NAMES, approved, strict=True)
    ]
    assert documents_in(files) == {row["file"]: INVOICE for row in records}
    assert verified(files, tmp_path)[0] == 0
    # Who has read no expense at the service does not say that it did.
    assert set(manifest_of(files)["items_not_read"]) >= {f"expense/{row.remote_id}" for row in approved}
    assert records[0]["sha256"] in printed(files["evidence.pdf"])


def test_what_is_more_than_a_pack_holds_is_named_with_its_hash_and_why(
    world: World, approved: list[Expense], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pack_documents, "MOST_BYTES", len(INVOICE) + 1)
    files = person_pack(world)
    included, left_out = manifest_of(files)["documents"]
    assert list(documents_in(files)) == [included["file"]]
    assert (left_out["file"], left_out["sha256"]) == ("", sha256(INVOICE).hexdigest())
    assert left_out["why"].startswith("The files of this pack come to")
    assert "Not in this pack. The files of this pack come to" in printed(files["evidence.pdf"])
    assert verified(files, tmp_path)[0] == 0


def test_what_is_not_read_any_more_is_said_to_be_not_read(
    world: World, approved: list[Expense], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current_rows, "MOST_READS", 0)
    files = person_pack(world)
    assert documents_in(files) == {}
    assert [(row["sha256"], row["bytes"], row["why"]) for row in manifest_of(files)["documents"]] == [
        ("", None, pack_documents.NOT_READ)
    ] * 2


def test_items_that_a_pack_does_not_hold_are_named(
    world: World, approved: list[Expense], monkeypatch: pytest.MonkeyPatch
) -> None:
    Expense.objects.filter(pk=approved[0].pk).delete()
    files = person_pack(world)
    [omitted] = manifest_of(files)["items_not_included"]
    assert omitted == {"item": f"expense/{approved[0].remote_id}", "why": collected_items.NOT_COPIED}
    monkeypatch.setattr(collected_items, "MOST_ITEMS", 1)
    with_one = manifest_of(period_pack(world))
    assert {row["item"] for row in with_one["items_not_included"]} == {f"expense/{row.remote_id}" for row in approved}
    assert "2 of the items" in " ".join(with_one["notes"])


def test_what_does_not_answer_is_named_and_the_pack_is_made_without_it(proxied_world: World) -> None:
    world = proxied_world
    for name in NAMES:
        decided(world, with_receipt(world, expense_of(world), INVOICE, name))
    assert world.proxy is not None
    world.proxy.fail("reset", path="/expenses")
    files = person_pack(world)
    records = manifest_of(files)["documents"]
    assert [row["name"] for row in records] == list(NAMES)
    assert {row["why"] for row in records} <= {pack_documents.UNANSWERED, pack_documents.NOT_READ}
    assert documents_in(files) == {}


def test_a_period_has_the_rails_reference_of_what_was_paid_though_the_copy_has_not_followed(world: World) -> None:
    bill = requested(world)
    payment = paid(world, bill)
    assert not ApprovalRequest.objects.get(ref=payment["payment_ref"]).payload.get("provider_ref")
    files = period_pack(world)
    items = items_of(files)
    assert f"provider_ref: {payment['provider_ref']}" in items["bill_payment"]["references"]
    assert items["bill_payment"]["answered"] is True
    assert items["bill"]["data"]["status"] == "PAID"
    for decision in json.loads(files["decisions.json"]):
        assert decision["role_then"] == "APPROVER"
        assert f"provider_ref: {payment['provider_ref']}" in decision["references"]


def test_the_pack_of_a_funds_opt_in_has_the_movements_of_its_account(world: World) -> None:
    account = held(world)
    least = funds(world)[0]["min_initial"]
    for what, wallet in (("top-up", "1"), ("invest", "")):
        assert post(world, "Apollo", account, what, amount=least * 2, wallet=wallet).status_code == 302
    opt_in = ApprovalRequest.objects.get(business=world.business, kind="fund_opt_in")
    files = packed(world, opt_in)
    item = items_of(files)["fund_opt_in"]
    movements = world.upstream(f"/investments/accounts/{account.remote_id}")["movements"]
    assert [row["kind"] for row in movements] == ["INVEST", "TOP_UP"]
    assert [row["_id"] for row in item["data"]["movements"]] == [row["_id"] for row in movements]
    assert {f"ref: {row['ref']}" for row in movements} <= set(item["references"])
    assert "could not be read" not in notes_of(files)


def test_movements_that_cannot_be_read_are_said_to_be_missing(proxied_world: World) -> None:
    world = proxied_world
    ask(world)
    world.sync("lookups", "funds", "requests")
    opt_in = ApprovalRequest.objects.get(business=world.business, kind="fund_opt_in")
    assert world.proxy is not None
    world.proxy.fail("reset", path="/investments/accounts")
    files = packed(world, opt_in)
    item = items_of(files)["fund_opt_in"]
    assert "movements" not in item["data"]
    assert item["answered"] is True
    assert "the movements of its fund account could not be read" in notes_of(files)
