"""The worker of packs: it lives on while a pack takes long, and steps back where another one has it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.audit.verify import Verification, verify
from dashboard.errors import FinanceError, NotFound, Unavailable
from dashboard.evidence import rules_in_force, worker
from dashboard.evidence.models import EvidencePack
from dashboard.mirror.models import SpendPolicy
from tests.dashboard.pages.conftest import House, make_house


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def pack_of(house: House, **more: Any) -> EvidencePack:
    values = {
        "business": house.business, "membership": house.people["Ada"], "key": uuid.uuid4().hex, "scope": "person",
        "object_type": "employee", "object_id": house.employee_id("Rita"), "title": "Rita",
    }  # fmt: skip
    return EvidencePack.objects.create(**values | more)


def taken_over_while_making(pack: EvidencePack, trouble: FinanceError) -> Callable[..., None]:
    def make(*_: object) -> None:
        EvidencePack.objects.filter(pk=pack.pk).update(lease_id=uuid.uuid4())
        raise trouble

    return make


@pytest.mark.parametrize(("trouble", "attempts"), [(NotFound(), 0), (Unavailable(), worker.MOST_TRIES - 1)])
def test_what_fails_after_another_worker_took_it_over_is_left_to_that_one(
    house: House, monkeypatch: pytest.MonkeyPatch, trouble: FinanceError, attempts: int
) -> None:
    pack = pack_of(house, attempts=attempts)
    monkeypatch.setattr(worker, "make", taken_over_while_making(pack, trouble))
    assert worker.run(pack.pk) is False
    pack.refresh_from_db()
    assert (pack.state, pack.trouble) == ("RUNNING", "")


def test_the_reads_of_rules_and_the_proof_of_the_chain_each_say_that_it_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = timezone.now() + timedelta(days=1)
    for number in range(3):
        SpendPolicy.objects.create(
            **house._mirrored(), remote_id=f"p{number}", name=f"Policy {number}", type="VENDOR", action="BLOCK",
            status="ACTIVE", changed_at=changed,
        )  # fmt: skip
    for number in range(2):
        record(house.actor("Rita"), "note", None, Outcome.NOTED, sentence=f"wrote entry {number}")
    ages: list[timedelta] = []
    pack = pack_of(house)

    def old() -> timedelta:
        beaten = EvidencePack.objects.get(pk=pack.pk).heartbeat_at
        assert beaten is not None
        # Each step takes so long that without a word of its own it would pass for lost.
        EvidencePack.objects.filter(pk=pack.pk).update(heartbeat_at=beaten - worker.LOST_AFTER)
        return timezone.now() - beaten

    def read_live(*_: object, **__: object) -> Any:
        ages.append(old())
        raise NotFound

    monkeypatch.setattr(rules_in_force, "read_live", read_live)

    def verified(business: Any, beat: Callable[[], None]) -> Verification:
        old()
        beat()
        ages.append(old())
        return verify(business, beat)

    monkeypatch.setattr("dashboard.evidence.contents.verify", verified)
    assert worker.run(pack.pk)
    pack.refresh_from_db()
    assert pack.state == "DONE", pack.trouble
    assert len(ages) == 4
    assert max(ages) < worker.LOST_AFTER
