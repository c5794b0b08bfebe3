"""How far back the heads in the anchor store are compared, and that a finding says it."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from dashboard.audit import anchors
from dashboard.audit.anchors import HOUR, Anchor
from dashboard.audit.models import AuditHead, AuditSeal
from dashboard.audit.verify import begun_at, verify
from tests.dashboard.access.house import House
from tests.dashboard.audit.conftest import by_the_owner
from tests.dashboard.audit.test_anchors import WriteOnceStore, cut_the_tail, write
from tests.dashboard.audit.test_anchors import store as store


def head_of(house: House) -> AuditHead:
    return AuditHead.objects.get(chain=house.business.pk)


def test_every_head_since_a_moment_is_read_and_none_before(house: House, store: WriteOnceStore) -> None:
    write(house, 2)
    chain, now = house.business.pk, timezone.now()
    before = AuditSeal.objects.get(chain=chain, number=1)
    for hours in (30, 47, 50, 400):
        anchors.put(Anchor(chain, 1, before.hash, now - timedelta(hours=hours)))
    days: list[None] = []
    for since, ages in ((48, [30, 47]), (49, [30, 47]), (50, [30, 47, 50]), (400, [30, 47, 50, 400])):
        days.clear()
        read = anchors.heads_in_store(chain, now - since * HOUR, lambda: days.append(None))
        assert [round((now - anchor.at) / HOUR) for anchor in read] == ages
        assert len(days) == since // 24 + 1, "it can be stopped between two days"
    assert list(anchors.heads_in_store(chain + 1, now - HOUR, lambda: None)) == []


def test_the_command_compares_with_the_heads_of_before_two_days_too(
    house: House, store: WriteOnceStore, anchor_folder: Path
) -> None:
    """Cut long ago and grown anew, its files gone: only a head of a month ago gives it away."""
    write(house, 5)
    old, now = head_of(house), timezone.now()
    anchors.put(Anchor(old.chain, old.number, old.hash, now - timedelta(days=30)))
    cut_the_tail(house, 2)
    for _line in range(5):
        write(house)
    new = head_of(house)
    anchors.put(Anchor(new.chain, new.number, new.hash, now))
    [file] = anchor_folder.iterdir()
    # What is left of the file is as old as the chain.
    file.write_text(f"{Anchor(old.chain, 1, first_hash(house), now - timedelta(days=31)).as_json()}\n")
    page = verify(house.business)
    assert page.ok
    assert "the anchor store's heads since" in page.sentence
    output = StringIO()
    with pytest.raises(CommandError, match="not intact"):
        call_command("verify_audit", house.business.slug, stdout=output)
    assert "the links up to 5 are not those anchored at" in output.getvalue()


def first_hash(house: House) -> str:
    return AuditSeal.objects.get(chain=house.business.pk, number=1).hash


def test_a_finding_says_exactly_what_was_compared(house: House, store: WriteOnceStore) -> None:
    write(house, 2)
    head = head_of(house)
    anchors.put(Anchor(head.chain, head.number, head.hash, timezone.now()))
    said = verify(house.business).sentence
    since = timezone.now() - anchors.LOOKBACK
    assert f"every file and the anchor store's heads since {since:%Y-%m-%d %H:}" in said
    output = StringIO()
    call_command("verify_audit", house.business.slug, "--store-since", f"{since:%Y-%m-%d}", stdout=output)
    assert f"heads since {since:%Y-%m-%d} 00:00:00 UTC were compared" in output.getvalue()
    output = StringIO()
    call_command("verify_audit", house.business.slug, stdout=output)
    assert f"heads since {begun_at(house.business.pk):%Y-%m-%d %H:%M:%S} UTC were compared" in output.getvalue()


def test_a_head_of_the_first_hour_is_read_whatever_the_minutes_are(
    house: House, store: WriteOnceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heads are named by the hour of the clock: from 09:50 to 10:10 there are two, though it is less than an hour."""
    write(house, 1)
    head, late = head_of(house), timezone.now().replace(minute=10)
    early = late - timedelta(minutes=20)
    anchors.put(Anchor(head.chain, head.number, head.hash, early + timedelta(minutes=5)))
    monkeypatch.setattr(anchors.timezone, "now", lambda: late)
    assert [anchor.number for anchor in anchors.heads_in_store(head.chain, early, lambda: None)] == [1]


def test_a_chain_that_is_gone_with_its_files_is_given_away_by_the_store(
    house: House, store: WriteOnceStore, anchor_folder: Path
) -> None:
    write(house, 2)
    head = head_of(house)
    anchors.put(Anchor(head.chain, head.number, head.hash, timezone.now() - timedelta(hours=30)))
    gone = list(AuditSeal.objects.filter(chain=head.chain).values_list("entry_id", flat=True))
    by_the_owner("DELETE FROM audit_auditseal WHERE entry_id = ANY (%s)", gone)
    by_the_owner("DELETE FROM audit_auditentry WHERE id = ANY (%s)", gone)
    by_the_owner("DELETE FROM audit_audithead WHERE chain = %s", head.chain)
    [file] = anchor_folder.iterdir()
    file.unlink()
    output = StringIO()
    with pytest.raises(CommandError, match="not intact"):
        call_command("verify_audit", house.business.slug, stdout=output)
    assert "links after 0 are missing" in output.getvalue()


def test_without_a_store_nothing_is_said_of_one(house: House) -> None:
    write(house, 1)
    assert verify(house.business).sentence == "sealed to 1, 0 waiting, anchored to 1"
