"""The chains' heads outside the database: whoever rewrites all of it, head and links, is still found out."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from pytest_django import Settings

from dashboard.audit import anchors
from dashboard.audit.anchors import Anchor, AnchorsUnavailable
from dashboard.audit.chain import FIRST, link
from dashboard.audit.models import AuditEntry, AuditHead, AuditSeal, Outcome
from dashboard.audit.record import record
from dashboard.audit.seal import anchor_heads, seal_chain
from dashboard.audit.verify import verify
from tests.dashboard.access.house import House
from tests.dashboard.audit.conftest import by_the_owner


class WriteOnceStore(ThreadingHTTPServer):
    """An object store with retention, on loopback: what is there is never written again; `broken` answers 503."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Objects)
        self.objects: dict[str, bytes] = {}
        self.seen: list[tuple[str, str, str | None]] = []
        self.broken = False

    @property
    def address(self) -> str:
        """What AUDIT_ANCHOR_URL says."""
        return f"http://127.0.0.1:{self.server_port}/{{chain}}/{{hour}}.json?sig=secret"


class _Objects(BaseHTTPRequestHandler):
    server: WriteOnceStore

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        there = self.path in self.server.objects
        if not there and not self.server.broken:
            self.server.objects[self.path] = body
        self._answer(503 if self.server.broken else 412 if there and self.headers["If-None-Match"] == "*" else 201)

    def do_GET(self) -> None:
        body = self.server.objects.get(self.path)
        self._answer(503 if self.server.broken else 200 if body is not None else 404, body or b"")

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.server.seen.append((self.command, self.path, self.headers.get("Authorization")))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:  # type: ignore[override]  # nothing of it is used
        """Silent."""


@pytest.fixture
def store(settings: Settings) -> Iterator[WriteOnceStore]:
    server = WriteOnceStore()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.AUDIT_ANCHOR_URL = server.address
    settings.AUDIT_ANCHOR_HEADERS = {"Authorization": "Bearer of-the-store"}
    yield server
    server.shutdown()
    server.server_close()


def write(house: House, count: int = 1) -> None:
    for number in range(count):
        record(house.actor("Rita"), "note", None, Outcome.NOTED, sentence=f"wrote entry {number}")
    seal_chain(house.business.pk)


def cut_the_tail(house: House, to: int) -> None:
    """Removes everything after a link and sets the head to it: by itself, the chain holds again."""
    chain = house.business.pk
    last = AuditSeal.objects.get(chain=chain, number=to)
    gone = list(AuditSeal.objects.filter(chain=chain, number__gt=to).values_list("entry_id", flat=True))
    by_the_owner("DELETE FROM audit_auditseal WHERE entry_id = ANY (%s)", gone)
    by_the_owner("DELETE FROM audit_auditentry WHERE id = ANY (%s)", gone)
    by_the_owner("UPDATE audit_audithead SET number = %s, hash = %s WHERE chain = %s", to, last.hash, chain)


def rewrite(house: House, number: int) -> None:
    """Changes a line and computes every later link and the head again: by itself, the chain holds again."""
    chain = house.business.pk
    entry = AuditSeal.objects.get(chain=chain, number=number).entry
    by_the_owner("UPDATE audit_auditentry SET sentence = 'did nothing' WHERE id = %s", entry.pk)
    last = AuditSeal.objects.get(chain=chain, number=number - 1).hash if number > 1 else FIRST
    for seal in AuditSeal.objects.filter(chain=chain, number__gte=number).order_by("number"):
        last = link(last, seal.number, AuditEntry.objects.get(pk=seal.entry_id))
        by_the_owner("UPDATE audit_auditseal SET hash = %s WHERE id = %s", last, seal.pk)
    by_the_owner("UPDATE audit_audithead SET hash = %s WHERE chain = %s", last, chain)


def test_every_sealed_head_is_in_the_file(house: House, anchor_folder: Path) -> None:
    write(house, 2)
    write(house, 1)
    [file] = anchor_folder.iterdir()
    assert file.name == f"{timezone.now():%Y-%m}.jsonl"
    assert (file.stat().st_mode & 0o777, anchor_folder.stat().st_mode & 0o777) == (0o600, 0o700)
    heads = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(head["chain"], head["number"]) for head in heads] == [(house.business.pk, 2), (house.business.pk, 3)]
    assert heads[-1]["hash"] == AuditHead.objects.get(chain=house.business.pk).hash
    assert verify(house.business).sentence == "sealed to 3, 0 waiting, anchored to 3"


def test_who_cuts_the_tail_and_rewrites_the_head_is_found_out(house: House) -> None:
    write(house, 3)
    write(house, 2)
    cut_the_tail(house, 3)
    proof = verify(house.business)
    assert not proof.ok
    assert "links after 3 are missing: link 5 was anchored at" in proof.sentence


def test_a_chain_that_grows_again_after_the_cut_is_found_out(house: House) -> None:
    # A quiet chain is sealed line by line: each new link is anchored under the number of one that was cut.
    for _line in range(5):
        write(house)
    cut_the_tail(house, 2)
    for _line in range(5):
        write(house)
    proof = verify(house.business)
    assert (proof.ok, proof.sealed_to) == (False, 2)
    assert "the links up to 3 are not those anchored at" in proof.sentence


def test_a_chain_that_was_emptied_and_grew_longer_is_found_out(house: House) -> None:
    write(house, 3)
    cut_the_tail(house, 1)
    write(house, 9)
    proof = verify(house.business)
    assert not proof.ok
    assert "the links up to 3 are not those anchored at" in proof.sentence


def test_who_rewrites_a_line_and_all_later_links_is_found_out(house: House) -> None:
    write(house, 2)
    write(house, 2)
    rewrite(house, 3)
    proof = verify(house.business)
    assert (proof.ok, proof.sealed_to) == (False, 3)
    assert "the links up to 4 are not those anchored at" in proof.sentence


def test_a_head_that_was_not_appended_is_appended_later(house: House, anchor_folder: Path) -> None:
    write(house, 2)
    [file] = anchor_folder.iterdir()
    file.write_text("")
    assert verify(house.business).sentence == "sealed to 2, 0 waiting, not anchored"
    anchor_heads()
    anchor_heads()
    assert [anchor.number for anchor in anchors.appended(house.business.pk)] == [2]


def test_a_line_cut_in_two_anchors_nothing_and_hides_nothing(house: House, anchor_folder: Path) -> None:
    write(house, 1)
    [file] = anchor_folder.iterdir()
    with file.open("a") as lines:
        lines.write('{"chain": 1, "numb\n')
    write(house, 1)
    assert [anchor.number for anchor in anchors.appended(house.business.pk)] == [1, 2]


def test_sealing_goes_on_where_the_file_cannot_be_written_and_it_is_said(
    house: House, anchor_folder: Path, settings: Settings
) -> None:
    anchor_folder.write_text("a file where the folder should be")
    write(house, 2)
    assert AuditHead.objects.get(chain=house.business.pk).number == 2
    with pytest.raises(AnchorsUnavailable, match="cannot be written"):
        anchor_heads()
    settings.AUDIT_ANCHOR_FOLDER = str(anchor_folder.parent / "elsewhere")
    anchor_heads()
    assert verify(house.business).sentence == "sealed to 2, 0 waiting, anchored to 2"


def test_the_store_has_the_head_of_each_hour_and_knows_when_the_file_is_cut_too(
    house: House, store: WriteOnceStore, anchor_folder: Path
) -> None:
    write(house, 3)
    anchor_heads()
    assert store.seen[0][2] == "Bearer of-the-store"
    [file] = anchor_folder.iterdir()
    cut_the_tail(house, 2)
    file.write_text("")
    proof = verify(house.business)
    assert not proof.ok
    assert "links after 2 are missing: link 3 was anchored at" in proof.sentence
    # What is there stays, whatever is put later in that hour.
    head = AuditHead.objects.get(chain=house.business.pk)
    assert anchors.put(Anchor(head.chain, head.number, head.hash, timezone.now())).number == 3
    [body] = [body for path, body in store.objects.items() if path.startswith(f"/{house.business.pk}/")]
    assert json.loads(body)["number"] == 3
    assert "links after 2 are missing" in verify(house.business).sentence


def test_an_hour_is_put_once(house: House, store: WriteOnceStore) -> None:
    write(house, 1)
    anchor_heads()
    write(house, 1)
    anchor_heads()
    of_ours = [method for method, path, _key in store.seen if path.startswith(f"/{house.business.pk}/")]
    assert of_ours == ["PUT"]


def test_the_store_alone_gives_away_a_chain_that_grew_again(
    house: House, store: WriteOnceStore, anchor_folder: Path
) -> None:
    write(house, 5)
    head, now = AuditHead.objects.get(chain=house.business.pk), timezone.now()
    anchors.put(Anchor(head.chain, head.number, head.hash, now - timedelta(hours=2)))
    cut_the_tail(house, 2)
    for _line in range(5):
        write(house)
    # The hours since have the head of the chain as it is now, and the files were emptied.
    head.refresh_from_db()
    anchors.put(Anchor(head.chain, head.number, head.hash, now))
    [file] = anchor_folder.iterdir()
    file.write_text("")
    proof = verify(house.business)
    assert not proof.ok
    assert "the links up to 5 are not those anchored at" in proof.sentence


def test_an_empty_chain_has_nothing_to_compare(house: House, store: WriteOnceStore) -> None:
    proof = verify(house.business)
    assert (proof.ok, proof.compared, proof.sentence) == (True, True, "sealed to 0, 0 waiting, not anchored")


def test_the_command_fails_where_the_anchors_are_gone(house: House, anchor_folder: Path) -> None:
    write(house, 2)
    [file] = anchor_folder.iterdir()
    call_command("verify_audit", house.business.slug, stdout=StringIO())
    file.unlink()
    output = StringIO()
    with pytest.raises(CommandError, match=f"not compared with every external anchor: {house.business.slug}"):
        call_command("verify_audit", house.business.slug, stdout=output)
    assert "sealed to 2, 0 waiting, not anchored" in output.getvalue()


def test_a_store_that_is_down_accuses_nobody_and_is_not_passed_over(house: House, store: WriteOnceStore) -> None:
    write(house, 1)
    store.broken = True
    with pytest.raises(AnchorsUnavailable, match="answered 503"):
        anchor_heads()
    proof = verify(house.business)
    assert (proof.ok, proof.compared, proof.not_compared) == (True, False, "the anchor store answered 503")
    assert proof.sentence.endswith("; the anchor store answered 503")
    store.broken = False
    assert verify(house.business).not_compared.startswith("the anchor store has no head since ")
    store.shutdown()
    store.server_close()
    proof = verify(house.business)
    assert "cannot be reached" in proof.sentence
    assert "secret" not in proof.sentence
