"""An evidence pack: what is known of an item, a person or a period, signed, and verified by a stranger's Python alone."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pypdfium2
import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import record
from dashboard.decisions.models import Decision, DecisionState
from dashboard.evidence import audit_lines, worker
from dashboard.evidence.models import EvidencePack
from dashboard.mirror.models import Expense
from dashboard.signing.signature import key_fingerprint, sign, signing_key_of
from tests.dashboard.conftest import World
from tests.dashboard.evidence.conftest import files_of, made, newest, verified
from tests.dashboard.people.conftest import shown
from tests.days import business_day


@pytest.fixture
def spent(world: World) -> Expense:
    """An expense of Carla's that Rita has approved through the dashboard, with its lines in the audit."""
    world.sandbox("expenses", count=1)
    world.sync()
    expense: Expense = Expense.objects.filter(business=world.business).latest("pk")
    rita, now = world.actor("Rita"), timezone.now()
    decision = Decision.objects.create(
        business=world.business, membership=world.people["Rita"], operation="approve_expense", object_type="expense",
        object_id=expense.remote_id, title=expense.merchant, fingerprint="", key=f"k-{expense.pk}", state=DecisionState.DONE,
        due_at=now, amount_minor=expense.amount_minor, currency=expense.currency, reason="For the client visit",
    )  # fmt: skip
    for outcome in (Outcome.TAKEN, Outcome.ATTEMPT, Outcome.DONE):
        record(
            rita, operations.APPROVE_EXPENSE, expense, outcome, reason="For the client visit", decision_id=decision.pk
        )
    return expense


def item_pack(world: World, expense: Expense, by: str = "Ada") -> EvidencePack:
    answer = world.client(by).post(world.address(f"audit/packs/item/expense/{expense.remote_id}/"), {"key": "p" * 32})
    return made(world, answer)


def test_a_pack_of_an_item_has_what_is_known_and_a_stranger_verifies_it(
    world: World, spent: Expense, tmp_path: Path
) -> None:
    pack = item_pack(world, spent)
    files = files_of(pack)
    assert {
        "audit.json",
        "decisions.json",
        "evidence.pdf",
        "item.json",
        "policies.json",
        "public-key.pem",
        "verify.py",
    } <= set(files)
    (decision,) = json.loads(files["decisions.json"])
    assert (decision["by"].split()[0], decision["role_then"], decision["reason"]) == (
        "Rita",
        "REVIEWER",
        "For the client visit",
    )
    items = json.loads(files["item.json"])
    assert items[0]["id"] == spent.remote_id
    assert any(spent.transaction_ref in reference for reference in items[0]["references"])
    lines = json.loads(files["audit.json"])
    assert {row["line"]["outcome"] for row in lines} >= {"TAKEN", "ATTEMPT", "DONE"}
    key = key_fingerprint(signing_key_of(world.business).public_key)
    code, printed = verified(files, tmp_path, "--key", key)
    assert (code, printed.splitlines()[0]) == (0, "VERIFIED"), printed
    assert f"lines of the audit log {len(lines)}." in printed
    # And by what the extracted folder holds alone.
    folder = tmp_path / "extracted"
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    alone = subprocess.run(
        [sys.executable, "-I", str(folder / "verify.py")], cwd="/", capture_output=True, text=True, check=False
    )
    assert alone.returncode == 0, alone.stdout


def without_a_file(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if name != "item.json"}


def with_a_byte_changed(files: dict[str, bytes]) -> dict[str, bytes]:
    content = bytearray(files["item.json"])
    content[len(content) // 2] ^= 1
    return files | {"item.json": bytes(content)}


def with_a_file_more(files: dict[str, bytes]) -> dict[str, bytes]:
    return files | {"item-2.json": b"{}"}


def with_another_line(files: dict[str, bytes]) -> dict[str, bytes]:
    rows = json.loads(files["audit.json"])
    rows[0]["line"]["actor_name"] = "Somebody else"
    return with_manifest_of(files | {"audit.json": json.dumps(rows).encode()})


def with_a_line_less(files: dict[str, bytes]) -> dict[str, bytes]:
    return with_manifest_of(files | {"audit.json": json.dumps(json.loads(files["audit.json"])[1:]).encode()})


def with_another_signature(files: dict[str, bytes]) -> dict[str, bytes]:
    signature = bytearray(files["manifest.sig"])
    signature[3] ^= 1
    return files | {"manifest.sig": bytes(signature)}


def with_manifest_of(files: dict[str, bytes]) -> dict[str, bytes]:
    """The manifest lists the files as they are now, under the old signature: a forger can write that."""
    manifest = json.loads(files["manifest.json"])
    for row in manifest["files"]:
        row |= {"bytes": len(files[row["name"]]), "sha256": sha256(files[row["name"]]).hexdigest()}
    return files | {"manifest.json": json.dumps(manifest).encode()}


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (without_a_file, "missing file: item.json"),
        (with_a_byte_changed, "changed file: item.json"),
        (with_a_file_more, "not in the manifest: item-2.json"),
        (with_another_line, "signature of the manifest is wrong"),
        (with_a_line_less, "signature of the manifest is wrong"),
        (with_another_signature, "signature of the manifest is wrong"),
    ],
)
def test_what_was_changed_is_not_verified(
    world: World, spent: Expense, tmp_path: Path, forge: Callable[[dict[str, bytes]], dict[str, bytes]], said: str
) -> None:
    code, printed = verified(forge(files_of(item_pack(world, spent))), tmp_path)
    assert code == 1
    assert printed.startswith("NOT VERIFIED: ")
    assert said in printed


@pytest.mark.parametrize("forge", [with_another_line, with_a_line_less])
def test_a_line_that_was_changed_fails_though_it_was_signed_with_the_key(
    world: World, spent: Expense, tmp_path: Path, forge: Callable[[dict[str, bytes]], dict[str, bytes]]
) -> None:
    files = forge(files_of(item_pack(world, spent)))
    files["manifest.sig"] = sign(world.business, files["manifest.json"])
    code, printed = verified(files, tmp_path)
    assert code == 1
    assert "not as it was sealed" in printed or "counts other lines" in printed


def test_a_pack_of_another_key_is_not_the_businesss(
    world: World, new_world: Callable[..., World], spent: Expense, tmp_path: Path
) -> None:
    files = files_of(item_pack(world, spent))
    other = new_world().business
    files |= {"public-key.pem": signing_key_of(other).public_key.encode()}
    files = with_manifest_of(files)
    files["manifest.sig"] = sign(other, files["manifest.json"])
    assert verified(files, tmp_path)[0] == 0
    code, printed = verified(files, tmp_path, "--key", key_fingerprint(signing_key_of(world.business).public_key))
    assert code == 1
    assert "signed with another key" in printed


def test_the_pdf_and_the_page_print_the_script_and_the_fingerprint(world: World, spent: Expense) -> None:
    pack = item_pack(world, spent)
    browser = world.client("Ada")
    answer = browser.get(world.address(f"audit/packs/{pack.pk}/evidence.pdf"))
    document = pypdfium2.PdfDocument(answer.content)
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    fingerprint = key_fingerprint(signing_key_of(world.business).public_key)
    for part in (fingerprint, "def is_signed(key: bytes", "Rita", "reviewer", "For the client visit"):
        assert part in text, part
    page = shown(browser.get(world.address(f"audit/packs/{pack.pk}/")))
    assert fingerprint in page
    assert "def check_chain" in page
    assert sha256(pack.manifest.encode()).hexdigest() in page


def test_each_making_and_each_download_is_a_line_of_the_audit(world: World, spent: Expense) -> None:
    pack = item_pack(world, spent)
    for name in ("pack.zip", "evidence.pdf"):
        assert world.client("Apollo").get(world.address(f"audit/packs/{pack.pk}/{name}")).status_code == 200
    rows = AuditEntry.objects.filter(chain=world.business.pk, operation="evidence_pack").order_by("pk")
    assert [(row.actor_name.split()[0], row.sentence.split(" of ")[0]) for row in rows] == [
        ("Ada", "made an evidence pack"), ("Apollo", "downloaded the evidence pack"), ("Apollo", "downloaded the PDF"),
    ]  # fmt: skip
    assert (rows[0].after or {})["manifest (SHA-256)"] == sha256(pack.manifest.encode()).hexdigest()


def test_a_pack_of_a_period_hangs_together_from_link_to_link(
    world: World, spent: Expense, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Lines are read a few at a time: each knows the link before it, also where that was among those read before.
    monkeypatch.setattr(audit_lines, "CHUNK", 2)
    today = business_day()
    days = {
        "first": (today - timedelta(days=2)).isoformat(),
        "last": (today + timedelta(days=1)).isoformat(),
        "key": "d" * 32,
    }
    pack = made(world, world.client("Ada").post(world.address("audit/packs/"), days))
    files = files_of(pack)
    rows = json.loads(files["audit.json"])
    assert len(rows) > 2
    assert all(row["number"] - 1 == before["number"] for before, row in itertools.pairwise(rows))
    assert all(row["before"] == before["hash"] for before, row in itertools.pairwise(rows))
    assert verified(files, tmp_path)[0] == 0
    # A line of the middle put elsewhere breaks the links, though each is computed rightly.
    rows[1]["before"] = "f" * 64
    line = json.dumps(rows[1]["line"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    rows[1]["hash"] = sha256(f"{'f' * 64}\n{rows[1]['number']}\n{line}".encode()).hexdigest()
    files = with_manifest_of(files | {"audit.json": json.dumps(rows).encode()})
    files["manifest.sig"] = sign(world.business, files["manifest.json"])
    assert "does not follow" in verified(files, tmp_path)[1]


@pytest.mark.parametrize(
    "days",
    [
        ("2026-11-05", "2026-11-01"), ("2099-01-01", "2099-02-01"), ("", "2026-11-01"), ("x", "y"),
        ("2026-11-01", "9999-12-31"), ("0001-01-01", "2026-11-01"),
    ],
)  # fmt: skip
def test_days_that_are_none_are_refused_at_their_place(world: World, days: tuple[str, str]) -> None:
    person = world.employee("Rita")["employee_id"]
    for rest in ("audit/packs/", f"audit/packs/person/{person}/"):
        answer = world.client("Ada").post(world.address(rest), {"first": days[0], "last": days[1]})
        assert answer.status_code == 422
    assert not EvidencePack.objects.filter(business=world.business).exists()


def test_only_who_may_read_the_audit_asks_for_one_or_sees_it(world: World, spent: Expense) -> None:
    pack = item_pack(world, spent)
    for name in ("Carla", "Rita"):
        browser = world.client(name)
        assert browser.post(world.address(f"audit/packs/item/expense/{spent.remote_id}/")).status_code == 403
        for rest in ("", f"{pack.pk}/", f"{pack.pk}/pack.zip", f"{pack.pk}/evidence.pdf", "key.pem"):
            assert browser.get(world.address(f"audit/packs/{rest}")).status_code == 403
    assert EvidencePack.objects.filter(business=world.business).count() == 1


def test_of_another_business_nobody_has_a_pack(world: World, spent: Expense, new_world: Callable[..., World]) -> None:
    pack, other = item_pack(world, spent), new_world()
    ada = other.client("Ada")
    assert ada.get(other.address(f"audit/packs/{pack.pk}/pack.zip")).status_code == 404
    assert ada.post(other.address(f"audit/packs/item/expense/{spent.remote_id}/")).status_code == 404


def test_who_may_no_longer_read_the_audit_gets_none_from_the_worker(world: World, spent: Expense) -> None:
    world.client("Ada").post(world.address(f"audit/packs/item/expense/{spent.remote_id}/"), {"key": "q" * 32})
    world.people["Ada"].role = "CARD_USER"
    world.people["Ada"].save()
    pack = newest(world)
    worker.run(pack.pk)
    pack.refresh_from_db()
    assert (pack.state, bytes(pack.content)) == ("FAILED", b"")


def test_a_worker_that_was_killed_is_followed_by_another_and_the_pack_is_made_once(
    world: World, spent: Expense
) -> None:
    world.client("Ada").post(world.address(f"audit/packs/item/expense/{spent.remote_id}/"), {"key": "r" * 32})
    pack = newest(world)
    assert worker._claimed(pack.pk) is not None
    assert not worker.run(pack.pk)
    EvidencePack.objects.filter(pk=pack.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert str(pack.pk) in worker.lost()
    assert worker.run(pack.pk)
    assert not worker.run(pack.pk)
    rows = AuditEntry.objects.filter(chain=world.business.pk, sentence__startswith="made an evidence pack")
    assert rows.count() == 1


def test_after_thirty_days_the_file_goes_and_the_manifest_stays(world: World, spent: Expense) -> None:
    pack = item_pack(world, spent)
    EvidencePack.objects.filter(pk=pack.pk).update(finished_at=timezone.now() - timedelta(days=31))
    assert worker.forget_old() >= 1
    pack.refresh_from_db()
    assert (pack.state, bytes(pack.content), bool(pack.manifest)) == ("EXPIRED", b"", True)
    assert world.client("Ada").get(world.address(f"audit/packs/{pack.pk}/pack.zip")).status_code == 302


def test_what_nobody_knows_has_no_pack(world: World) -> None:
    assert world.client("Ada").get(world.address(f"audit/packs/item/expense/{'5f' * 12}/")).status_code == 404
