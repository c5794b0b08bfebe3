"""Receipts are added by whoever may, each once, with what became of it said; nothing of their bytes stays behind."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation, ServiceAccount
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Expense, Origin
from tests.dashboard.cards.conftest import give_card, swiped
from tests.dashboard.conftest import World
from tests.dashboard.expenses.conftest import Spent, ask, brought, file, spend, upstream_expense
from tests.dashboard.expenses.files import JPEG, PDF, PNG
from tests.faults import Sent

JSON = {"Accept": "application/json", "HX-Request": "true"}


def uploads(world: World) -> list[Sent]:
    """The files that reached the service's door."""
    assert world.proxy is not None
    return [one for one in world.proxy.sent("POST") if one.path.endswith("/supporting-document")]


def add(world: World, expense: Expense, *files: Any, who: str = "Carla", key: str = "k1", **headers: Any) -> Any:
    """The form as a browser posts it; with `JSON` as the page's script does."""
    address = world.address(f"expenses/{expense.remote_id}/receipts/")
    client = headers.pop("client", None) or world.client(who)
    return client.post(address, {"key": key, "receipts": list(files)}, headers=headers)


def test_two_receipts_reach_the_expense_and_the_copy_at_once(world: World, spent: Spent) -> None:
    expense, client = spent(), world.client("Carla")
    answer = add(world, expense, file(), file("taxi.pdf", PDF), client=client)
    assert (answer.status_code, answer["Location"]) == (302, world.address(f"expenses/{expense.remote_id}/"))
    assert [row["mime"] for row in upstream_expense(world, expense)["receipts"]] == ["image/png", "application/pdf"]
    expense.refresh_from_db()
    assert expense.has_receipt
    assert [row["file_name"] for row in expense.payload["receipts"]] == ["lunch.png", "taxi.pdf"]
    page = client.get(answer["Location"]).content.decode()
    assert "2 receipts added." in page
    assert page.index("added a receipt taxi.pdf") < page.index("added a receipt lunch.png")


def test_each_is_sent_under_a_key_written_down_and_audited_without_its_bytes(
    world: World, spent: Spent, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    expense = spent()
    add(world, expense, file())
    (sent,) = uploads(world)
    assert PNG in sent.body
    assert sent.headers["X-Acting-Employee"] == world.employee("Carla")["employee_id"]
    (entry,) = OutboundOperation.objects.filter(business=world.business)
    assert (entry.state, entry.key, entry.form_key) == ("CONFIRMED", sent.headers["Idempotency-Key"], "k1")
    assert set(entry.body) == {"file_name", "size", "sha256"}
    lines = AuditEntry.objects.filter(chain=world.business.pk, operation="upload_transaction_document").order_by("id")
    assert [line.outcome for line in lines] == ["ATTEMPT", "DONE"]
    assert (lines[0].object_type, lines[0].object_id, lines[0].after) == (
        "expense", expense.remote_id, {"document": "lunch.png", "digest": hashlib.sha256(PNG).hexdigest()[:16]},
    )  # fmt: skip
    assert "PNG\\r\\n" not in caplog.text
    assert "IHDR" not in caplog.text


def test_a_script_is_answered_what_became_of_its_file(world: World, spent: Spent) -> None:
    answer = add(world, spent(), file(), **JSON)
    assert answer.status_code == 200
    assert answer.json() == {"files": [{"name": "lunch.png", "state": "added", "sentence": ""}]}


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("big.pdf", PDF + b" " * 10 * 1024 * 1024, "larger than 10 MB"),
        ("lunch.png", b"MZ\x90\x00program", "not a PDF, PNG or JPEG"),
        ("lunch.png", b"<html><script>alert(1)</script>", "not a PDF, PNG or JPEG"),
        ("lunch.png", b"", "empty"),
    ],
    ids=["too large", "a program", "a page", "empty"],
)
def test_what_is_no_receipt_is_refused_before_it_is_sent(
    world: World, spent: Spent, name: str, content: bytes, why: str
) -> None:
    expense = spent()
    answer = add(world, expense, file(name, content), file("good.png", PNG))
    body = answer.content.decode()
    assert answer.status_code == (413 if name == "big.pdf" else 422)
    assert why in body
    assert "It was not sent." in body
    assert len(uploads(world)) == 1, "the good one went"
    assert [row["file_name"] for row in upstream_expense(world, expense)["receipts"]] == ["good.png"]


def test_what_only_begins_like_a_receipt_is_refused_by_the_service(world: World, spent: Spent) -> None:
    answer = add(world, spent(), file("lunch.png", b"\x89PNG\r\n\x1a\nnothing"), **JSON)
    (only,) = answer.json()["files"]
    assert (answer.status_code, only["state"]) == (422, "refused")
    assert "Nothing was changed." in only["sentence"]


def test_eleven_files_are_too_many_and_none_is_none(world: World, spent: Spent) -> None:
    expense = spent()
    answer = add(world, expense, *[file(f"{number}.png") for number in range(11)])
    assert answer.status_code == 422
    assert "At most 10 files at a time. Nothing was sent." in answer.content.decode()
    assert "Choose a file." in add(world, expense).content.decode()
    assert uploads(world) == []


@pytest.mark.parametrize("who", ["Apollo", "Rita"])
def test_whoever_sees_an_expense_may_add_to_it_and_nobody_else(world: World, spent: Spent, who: str) -> None:
    expense = spent()
    assert add(world, expense, file(), who=who).status_code == 302


def test_an_expense_that_is_not_ones_own_to_see_is_404_and_nothing_is_sent(world: World, spent: Spent) -> None:
    other = spent("Amina" if any(one["name"].startswith("Amina") for one in world.made["employees"]) else "Rita")
    assert add(world, other, file()).status_code == 404
    assert add(world, other, file(), **JSON).status_code == 404
    assert uploads(world) == []


def test_a_lost_reply_is_doubt_and_the_same_file_again_is_kept_once(world: World, spent: Spent) -> None:
    assert world.proxy is not None
    expense = spent()
    world.proxy.fail("lost reply", path="/supporting-document")
    answer = add(world, expense, file(), file("second.pdf", PDF))
    body = answer.content.decode()
    assert answer.status_code == 504
    assert "it is not known yet whether it was added" in body
    assert "Not sent, because the one before it was not answered." in body
    assert 'value="k1"' in body, "sent again under the key that it was sent under"
    assert OutboundOperation.objects.get(business=world.business).state == "UNKNOWN"
    world.proxy.heal()
    assert add(world, expense, file(), file("second.pdf", PDF)).status_code == 302
    keys = {one.headers["Idempotency-Key"] for one in uploads(world)}
    assert len(keys) == 2
    assert [row["file_name"] for row in upstream_expense(world, expense)["receipts"]] == ["lunch.png", "second.pdf"]
    assert set(OutboundOperation.objects.filter(business=world.business).values_list("state", flat=True)) == {
        "CONFIRMED"
    }


def test_with_the_service_away_nothing_was_changed_and_is_said_so(world: World, spent: Spent) -> None:
    expense = spent()
    ServiceAccount.objects.filter(business=world.business).update(base_url="http://localhost:1/v2")
    first, second = add(world, expense, file(), file("second.png", JPEG), **JSON).json()["files"]
    assert (first["state"], second["state"]) == ("not_sent", "not_sent")
    assert "Nothing was changed." in first["sentence"]
    assert uploads(world) == []


def test_nobody_signed_in_is_led_to_sign_in_and_nothing_is_sent(world: World, spent: Spent, client: Any) -> None:
    address = world.address(f"expenses/{spent().remote_id}/receipts/")
    answer = client.post(address, {"receipts": [file()]}, headers=JSON)
    assert answer.status_code == 401
    assert "/-/account/login/" in answer["HX-Redirect"]
    assert uploads(world) == []


def test_a_purchase_on_hold_takes_its_receipt_too(world: World) -> None:
    use = swiped(world, give_card(world), settle=False)
    upsert("expense", world.business, [use["expense"]], Origin.POLL)
    expense = Expense.objects.get(business=world.business)
    assert add(world, expense, file("photo.jpg", JPEG)).status_code == 302
    assert [row["mime"] for row in upstream_expense(world, expense)["receipts"]] == ["image/jpeg"]


def test_a_receipt_of_the_spender_answers_the_question(world: World, spent: Spent) -> None:
    expense = ask(world, spent(), "Where is the receipt?")
    client, address = world.client("Carla"), world.address(f"expenses/{expense.remote_id}/")
    asked = client.get(address).content.decode()
    assert asked.index("Where is the receipt?") < asked.index("Your answer")
    add(world, expense, file())
    expense.refresh_from_db()
    assert (expense.status, expense.is_answered) == ("PENDING", True)
    assert "Answered" in client.get(address).content.decode()
    inbox = world.client("Rita").get(world.address("approvals/")).content.decode()
    assert "Answered · Expense" in inbox


def test_a_form_that_is_posted_twice_adds_once(world: World, spent: Spent) -> None:
    expense = spent()
    for _ in range(2):
        assert add(world, expense, file()).status_code == 302
    assert len(upstream_expense(world, brought(world, expense))["receipts"]) == 1
    page = world.client("Carla").get(world.address(f"expenses/{expense.remote_id}/")).content.decode()
    assert page.count("added a receipt") == 1, "nothing is said twice that was done once"


def test_the_part_of_the_page_that_changes_comes_alone(world: World) -> None:
    expense = spend(world)
    answer = world.client("Carla").get(world.address(f"expenses/{expense.remote_id}/"), headers={"HX-Request": "true"})
    body = answer.content.decode()
    assert body.strip().startswith('<div class="stack" id="expense">')
    assert json.dumps("data-uploads") not in body
