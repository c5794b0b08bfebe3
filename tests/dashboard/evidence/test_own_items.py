"""A pack of a person has what they spent and asked for in its days, and says of each item where it was read."""

from __future__ import annotations

import json
import tracemalloc
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from dashboard.evidence import own_items, worker
from dashboard.evidence.current_rows import UNREAD
from dashboard.evidence.item_records import NO_READ
from dashboard.evidence.models import EvidencePack
from dashboard.mirror.models import Employee, Expense, Transaction
from tests.dashboard.conftest import World
from tests.dashboard.documents.real import bill_payment, expense_of, with_receipt
from tests.dashboard.evidence.conftest import days_of_pack, newest, person_pack, verified
from tests.dashboard.evidence.test_documents import INVOICE, documents_in, packed, printed
from tests.dashboard.evidence.test_packs import spent
from tests.dashboard.evidence.test_worker import pack_of
from tests.dashboard.pages.conftest import House, make_house
from tests.dashboard.people.conftest import shown
from tests.dashboard.policies.conftest import create_policy

__all__ = ["spent"]


@pytest.fixture(autouse=True)
def documents_folder(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS_FOLDER = str(tmp_path / "documents")


def manifest_of(files: dict[str, bytes]) -> Any:
    return json.loads(files["manifest.json"])


def own_of(files: dict[str, bytes]) -> list[Any]:
    return [item for item in json.loads(files["item.json"]) if item["included_as"] == "own"]


def dated(world: World, who: str, days_ago: int = 0) -> Expense:
    """An expense of somebody, of so many days ago."""
    expense = expense_of(world, who)
    expense.transaction_date = timezone.now() - timedelta(days=days_ago)
    expense.save(update_fields=["transaction_date"])
    return expense


def test_it_has_their_expenses_and_requests_with_documents_and_the_policies_of_then(
    world: World, tmp_path: Path
) -> None:
    policy = create_policy(world, "VENDOR", "SELF")
    expense = with_receipt(world, expense_of(world, "Ada"), INVOICE, "taxi.pdf")
    Expense.objects.filter(pk=expense.pk).update(transaction_date=timezone.now())
    payment = bill_payment(world, INVOICE)
    world.sync("bills_whole")
    older, others = dated(world, "Ada", 30), dated(world, "Carla")
    files = person_pack(world, "Ada")
    own = {f"{item['kind']}/{item['id']}": item for item in own_of(files)}
    kinds = {name.split("/")[0] for name in own}
    assert kinds >= {"expense", "bill_payment", "approval"}
    assert f"expense/{expense.remote_id}" in own
    assert f"approval/{payment.remote_id}" in own
    assert not {f"expense/{older.remote_id}", f"expense/{others.remote_id}"} & set(own)
    assert {row["item"]: row["why"] for row in manifest_of(files)["documents"]}[f"expense/{expense.remote_id}"] == ""
    # The receipt of the expense, and the file of the bill whose payment was requested.
    assert list(documents_in(files).values()) == [INVOICE, INVOICE]
    assert any(row["item"].startswith("bill/") for row in manifest_of(files)["documents"])
    # The version of each policy that was in force when it was spent.
    at = own[f"expense/{expense.remote_id}"]["policies_at"]
    [then] = [then for then in json.loads(files["policies.json"]) if then["at"] == at]
    assert [(rule["id"], rule["version"]) for rule in then["rules"] if rule["kind"] == "spend policy"] == [
        (policy["_id"], policy["version"])
    ]
    code, answer = verified(files, tmp_path)
    assert (code, answer.splitlines()[0]) == (0, "VERIFIED"), answer
    assert verified(files | {"item.json": files["item.json"].replace(b"taxi", b"taxo")}, tmp_path)[0] == 1


def test_a_pack_of_a_person_has_what_they_did(world: World, spent: Expense, tmp_path: Path) -> None:
    rita = Employee.objects.get(business=world.business, remote_id=world.employee("Rita")["employee_id"])
    files = person_pack(world, "Rita")
    assert len(json.loads(files["decisions.json"])) == 1
    assert {row["line"]["actor_name"] for row in json.loads(files["audit.json"])} == {rita.name}
    assert verified(files, tmp_path)[0] == 0


def test_what_was_posted_of_an_expense_is_with_it_read_live(world: World) -> None:
    answer = world.sandbox("swipe", employee_id=world.employee("Carla")["employee_id"], amount=20, settle=True)
    assert answer["approved"], answer
    world.sync()
    expense = Expense.objects.get(business=world.business, remote_id=answer["expense"]["_id"])
    posted = Transaction.objects.get(business=world.business, expense_id=expense.remote_id)
    own = {(item["kind"], item["id"]): item for item in own_of(person_pack(world, "Carla"))}
    assert own["transaction", posted.remote_id]["answered"]
    assert any(posted.ref in reference for reference in own["transaction", posted.remote_id]["references"])
    assert not own["expense", expense.remote_id]["answered"]
    # In the pack of the expense alone, too.
    kinds = [item["kind"] for item in json.loads(packed(world, expense)["item.json"])]
    assert kinds[:2] == ["expense", "transaction"]


def test_it_says_what_was_read_live_and_what_is_as_the_copy_has_it(world: World) -> None:
    expense = dated(world, "Ada")
    payment = bill_payment(world, INVOICE)
    world.sync("bills_whole")
    files = person_pack(world, "Ada")
    manifest, items = manifest_of(files), json.loads(files["item.json"])
    every = [f"{item['kind']}/{item['id']}" for item in items]
    assert sorted(every) == sorted(manifest["items_read"] + manifest["items_not_read"])
    assert f"approval/{payment.remote_id}" in manifest["items_read"]
    assert f"expense/{expense.remote_id}" in manifest["items_not_read"]
    assert manifest["items_unanswered"] == []
    assert {item["why_copied"] for item in items if not item["answered"]} == {NO_READ}
    assert set(manifest["items_own"]) == {f"{item['kind']}/{item['id']}" for item in own_of(files)}
    notes = " ".join(manifest["notes"])
    assert (
        f"Read at the finance service when this pack was made: {len(manifest['items_read'])} of {len(every)}" in notes
    )
    assert (
        "Own items in the days of this pack: expenses 1, bills entered 1, requests 1, requests for approval 1." in notes
    )
    assert f"{expense.merchant} (own (spent by them), as the copy has it)" in " ".join(
        printed(files["evidence.pdf"]).split()
    )


def test_what_could_not_be_read_is_named_with_the_reason(proxied_world: World, tmp_path: Path) -> None:
    world = proxied_world
    payment = bill_payment(world, INVOICE)
    assert world.proxy is not None
    world.proxy.fail("reset", path="/approvals")
    files = person_pack(world, "Ada")
    unanswered = {row["item"]: row["why"] for row in manifest_of(files)["items_unanswered"]}
    assert unanswered[f"approval/{payment.remote_id}"].endswith(UNREAD.partition("{title}")[2])
    assert "since they could not be read" in " ".join(manifest_of(files)["notes"])
    assert verified(files, tmp_path)[0] == 0


def test_more_than_a_pack_holds_is_refused_with_what_to_do(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        dated(world, "Carla")
    monkeypatch.setattr(own_items, "MOST_OWN", 1)
    address = world.address(f"audit/packs/person/{world.employee('Carla')['employee_id']}/")
    assert world.client("Ada").post(address, days_of_pack()).status_code == 302
    pack = newest(world)
    worker.run(pack.pk)
    pack.refresh_from_db()
    assert pack.state == "FAILED"
    assert pack.trouble.startswith("These are more than 1 expenses, bills and requests: choose fewer days.")


def test_the_days_are_chosen_from_the_persons_page(world: World) -> None:
    ada, person = world.client("Ada"), world.employee("Carla")["employee_id"]
    address = world.address(f"audit/packs/person/{person}/")
    assert address in shown(ada.get(world.address(f"people/{person}/")))
    page = shown(ada.get(address))
    assert page.count('type="date"') == 2
    assert 'value="20' in page
    for first, last in (("2026-11-05", "2026-11-01"), ("2099-01-01", "2099-02-01"), ("", "2026-11-01"), ("x", "y")):
        assert ada.post(address, {"first": first, "last": last}).status_code == 422
    assert not EvidencePack.objects.filter(business=world.business).exists()


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def test_its_items_are_not_held_in_memory(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """400 expenses of 40 kB are 16 MB: a pack of them needs little more than one of none."""
    monkeypatch.setattr("dashboard.evidence.rules_in_force.rule_changes_since", lambda *_: [])
    rita = house.employee_id("Rita")
    peaks = []
    for count in (0, 400):
        for _ in range(count):
            house.expense(employee_id=rita, payload={"notes": "a long story " * 3_200})
        days = {"first_day": timezone.now() - timedelta(days=5), "last_day": timezone.now() + timedelta(days=1)}
        pack = pack_of(house, **{name: at.date() for name, at in days.items()})
        tracemalloc.start()
        assert worker.run(pack.pk)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        pack.refresh_from_db()
        assert pack.state == "DONE", pack.trouble
        assert len(json.loads(pack.manifest)["items_own"]) == count
    assert peaks[1] - peaks[0] < 8_000_000, peaks
