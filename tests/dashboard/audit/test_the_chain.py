"""Sealing and proving: every committed line gets a link, and whatever was changed, removed or slipped in shows."""

import threading
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from dashboard.audit.chain import link
from dashboard.audit.models import AuditEntry, AuditSeal, AuditWaiting, Outcome
from dashboard.audit.record import record
from dashboard.audit.seal import seal_chain, seal_waiting
from dashboard.audit.verify import verify
from tests.dashboard.access.house import House, build
from tests.dashboard.audit.conftest import by_the_owner


def write(house: House, count: int = 1, **options: Any) -> list[AuditEntry]:
    rita = house.actor("Rita")
    return [
        record(rita, "note", None, Outcome.NOTED, sentence=f"wrote entry {number}", **options)
        for number in range(count)
    ]


def test_lines_are_sealed_in_order_and_the_proof_says_how_far(house: House) -> None:
    write(house, 3, after={"b": 1, "a": ["ä", None]})
    assert verify(house.business).sentence == "sealed to 0, 3 waiting, not anchored"
    assert seal_chain(house.business.pk) == 3
    write(house, 2)
    proof = verify(house.business)
    assert (proof.ok, proof.sentence) == (True, "sealed to 3, 2 waiting, anchored to 3")
    assert seal_chain(house.business.pk) == 2
    assert verify(house.business).sentence == "sealed to 5, 0 waiting, anchored to 5"


def test_a_line_that_was_rolled_back_was_never_there(house: House) -> None:
    with transaction.atomic():
        write(house)
        transaction.set_rollback(True)
    assert seal_chain(house.business.pk) == 0
    assert verify(house.business).sentence == "sealed to 0, 0 waiting, not anchored"


def test_a_line_committed_late_is_sealed_after_those_before_it(house: House) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow_writer() -> None:
        from django.db import connections

        with transaction.atomic():
            write(house)
            begun.set()
            go_on.wait(5)
        connections.close_all()

    writer = threading.Thread(target=slow_writer)
    writer.start()
    begun.wait(5)
    write(house)
    assert seal_chain(house.business.pk) == 1
    go_on.set()
    writer.join()
    assert seal_chain(house.business.pk) == 1
    first, second = AuditSeal.objects.filter(chain=house.business.pk).order_by("number")
    assert first.entry_id > second.entry_id
    assert verify(house.business).ok


def test_many_sealers_make_one_chain(house: House) -> None:
    write(house, 40)
    chain = house.business.pk

    def seal() -> None:
        from django.db import connections

        for _ in range(5):
            seal_chain(chain)
        connections.close_all()

    threads = [threading.Thread(target=seal) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verify(house.business).sentence == "sealed to 40, 0 waiting, anchored to 40"


def test_a_seal_that_does_not_fit_is_named(house: House) -> None:
    [first, second] = write(house, 2)
    seal_chain(house.business.pk)
    [forged] = write(house)
    number = 3
    AuditSeal.objects.create(
        chain=house.business.pk,
        number=number,
        entry=forged,
        hash=link("f" * 64, number, forged),
        sealed_at=timezone.now(),
    )
    proof = verify(house.business)
    assert (proof.ok, proof.sealed_to, proof.broken_entry) == (False, 2, forged.pk)
    assert "is not as it was sealed" in proof.sentence
    assert {first.pk, second.pk}.isdisjoint({proof.broken_entry})


def test_a_forged_link_does_not_stop_the_other_chains(house: House) -> None:
    other = build()
    [line] = write(house)
    AuditSeal.objects.create(chain=house.business.pk, number=1, entry=line, hash="f" * 64, sealed_at=timezone.now())
    write(house)
    write(other)
    seal_waiting()
    assert verify(other.business).sentence == "sealed to 1, 0 waiting, anchored to 1"
    assert not verify(house.business).ok


def test_a_missing_link_and_a_wrong_head_show(house: House) -> None:
    write(house, 2)
    seal_chain(house.business.pk)
    by_the_owner("UPDATE audit_audithead SET number = 3 WHERE chain = %s", house.business.pk)
    assert "missing" in verify(house.business).sentence
    by_the_owner("UPDATE audit_audithead SET number = 2, hash = 'wrong' WHERE chain = %s", house.business.pk)
    assert "does not match" in verify(house.business).sentence


def test_a_line_taken_off_the_waiting_list_shows_and_one_that_waits_too_long_fails(house: House) -> None:
    rita = house.actor("Rita")
    line = AuditEntry(
        chain=house.business.pk,
        at=timezone.now() - timedelta(seconds=61),
        actor_name=rita.name,
        operation="x",
        outcome=Outcome.NOTED,
        sentence="x",
    )
    line.save()
    AuditWaiting.objects.filter(pk=line.pk).delete()
    assert seal_chain(house.business.pk) == 0
    proof = verify(house.business)
    assert (proof.ok, proof.waiting) == (False, 1)
    assert "has waited for its seal" in proof.sentence


def test_the_command_names_the_chain_that_does_not_hold(house: House) -> None:
    write(house)
    seal_chain(house.business.pk)
    output = StringIO()
    call_command("verify_audit", house.business.slug, stdout=output)
    assert output.getvalue() == f"{house.business.slug}: sealed to 1, 0 waiting, anchored to 1\n"
    by_the_owner("UPDATE audit_audithead SET number = 2 WHERE chain = %s", house.business.pk)
    with pytest.raises(CommandError, match=house.business.slug):
        call_command("verify_audit", house.business.slug, stdout=output)
    with pytest.raises(CommandError, match="no business"):
        call_command("verify_audit", "nowhere", stdout=output)


@pytest.mark.parametrize(
    "field", ["actor_name", "role", "operation", "outcome", "sentence", "reason", "after", "own_item", "at", "user_id"]
)
def test_every_field_is_under_the_hash(house: House, field: str) -> None:
    [line] = write(house)
    before = link("0" * 64, 1, line)
    changed = {"after": {"x": 1}, "own_item": True, "at": line.at + timedelta(microseconds=1), "user_id": 0}
    setattr(line, field, changed.get(field, "changed"))
    assert link("0" * 64, 1, line) != before


def test_a_long_proof_says_before_each_batch_that_it_goes_on_and_can_be_stopped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.audit.verify.BATCH_SIZE", 2)
    write(house, 5)
    seal_chain(house.business.pk)
    beats: list[int] = []
    assert verify(house.business, lambda: beats.append(1)).sentence == "sealed to 5, 0 waiting, anchored to 5"
    assert len(beats) == 3

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(house.business, stop)
