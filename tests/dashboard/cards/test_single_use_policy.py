"""The policy of single-use cards: read by finance, changed after it was looked at by who configures, kept in the audit."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import StoredResponse
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import words

PATH = "/cards/single-use/policy"
TERMS = {"enabled": "on", "valid_days": "14", "max_open": "5", "most_KES": "80000", "alone_KES": "2500.50"}


def read(world: World, who: str = "Ada") -> Any:
    return world.client(who).get(world.address("cards/requests/policy/"))


def change(world: World, who: str = "Ada", step: str = "confirm", **form: str) -> Any:
    body = TERMS | {"step": step, "key": "a", "seen": str(world.upstream(PATH)["version"])} | form
    return world.client(who).post(world.address("cards/requests/policy/change/"), body)


@pytest.mark.parametrize(("who", "reads", "changes"), [
    ("Apollo", 200, 403), ("Ada", 200, 200), ("Sam", 200, 200), ("Rita", 403, 403), ("Carla", 403, 403),
])  # fmt: skip
def test_finance_reads_it_and_who_configures_changes_it(world: World, who: str, reads: int, changes: int) -> None:
    answer = read(world, who)
    assert answer.status_code == reads
    assert world.client(who).get(world.address("cards/requests/policy/change/")).status_code == changes
    assert change(world, who).status_code == (302 if changes == 200 else 403)
    if reads == 200:
        text = words(answer)
        assert "An unused card is locked after 30 days." in text
        assert ("Edit policy…" in text) is (changes == 200)
        assert ("This is for admins and super admins" in text) is (changes == 403)
    assert ("Single-use policy" in words(world.client(who).get(world.address("cards/requests/")))) is (reads == 200)


def test_before_and_after_are_read_before_it_is_made_and_kept_after(world: World) -> None:
    preview = change(world, step="look")
    assert "Maximum in KES: no limit KES 80,000.00" in words(preview)
    assert "Without approval in KES: nothing up to KES 2,500.50" in words(preview)
    assert "Locked if unused after: 30 days 14 days" in words(preview)
    assert world.upstream(PATH)["valid_days"] == 30
    for _ in range(2):
        assert change(world, seen="1").status_code == 302
    policy = world.upstream(PATH)
    assert (policy["valid_days"], policy["version"]) == (14, 2)
    assert policy["limits"] == [{"currency": "KES", "max_amount": 8_000_000, "auto_approve_up_to": 250_050}]
    text = words(read(world))
    assert "In KES the maximum is KES 80,000.00; up to KES 2,500.50 no approval is needed." in text
    assert "changed the single-use card policy" in text
    lines = AuditEntry.objects.filter(chain=world.business.pk, object_type="single_use_policy", outcome="NOTED")
    assert [(line.before["Maximum in KES"], line.after["Maximum in KES"]) for line in lines] == [
        ("no limit", "KES\xa080,000.00")
    ]


@pytest.mark.parametrize(("wrong", "text"), [
    ({"valid_days": "0"}, "Ensure this value is greater than or equal to 1."),
    ({"most_KES": "1.234"}, "KES has 2 digits after the point."),
    ({"alone_KES": "90000"}, "This is above the maximum amount."),
    ({"most_KES": "", "alone_KES": "5"}, "Enter the maximum amount, too."),
    ({"most_KES": "", "alone_KES": "", "valid_days": "30"}, "There are no changes."),
])  # fmt: skip
def test_what_is_wrong_is_said_and_what_was_typed_stays(world: World, wrong: dict[str, str], text: str) -> None:
    answer = change(world, step="look", **wrong)
    assert answer.status_code == 422
    assert text in words(answer)
    typed = answer.content.decode()
    assert all(f'value="{value}"' in typed for value in wrong.values() if value)
    assert world.upstream(PATH)["version"] == 1


def test_back_from_the_look_what_was_typed_stands_there(world: World) -> None:
    answer = change(world, step="back")
    assert answer.status_code == 200
    assert 'value="2500.50"' in answer.content.decode()


def test_changed_by_somebody_else_meanwhile_nothing_is_done(world: World) -> None:
    world.send("PUT", PATH, {"enabled": True, "valid_days": 7, "max_open": 5})
    answer = change(world, seen="1")
    assert answer.status_code == 409
    assert "Somebody changed the policy since you opened it" in words(answer)
    assert "7 days 14 days" in words(answer)
    assert world.upstream(PATH)["valid_days"] == 7
    assert change(world, key="another").status_code == 302


def test_switched_off_nobody_can_ask(world: World) -> None:
    assert "Can be requested: by everybody by nobody" in words(change(world, step="look", enabled=""))
    change(world, enabled="")
    assert "Nobody can request a single-use card." in words(read(world))
    assert "Off" in words(read(world))


def test_without_an_answer_the_last_good_one_is_read_and_nothing_is_lost(world: World) -> None:
    assert world.proxy is not None
    read(world)
    assert StoredResponse.objects.filter(business=world.business, operation="read_single_use_policy").exists()
    world.proxy.fail("reset")
    text = words(read(world))
    assert "copy," in text
    assert "An unused card is locked after 30 days." in text
    answer = world.client("Ada").post(
        world.address("cards/requests/policy/change/"), TERMS | {"step": "confirm", "key": "a", "seen": "1"}
    )
    assert answer.status_code == 504
    assert 'value="2500.50"' in answer.content.decode()
