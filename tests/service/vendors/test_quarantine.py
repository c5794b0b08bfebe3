"""A change of where a vendor is paid waits for a second person (rule `quarantine`)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from service.vendors.instructions import CLOCKS_APART
from service.vendors.models import COOL_OFF, PaymentInstruction
from tests.service.house import House, code
from tests.service.vendors.conftest import OTHER, account, call_back, decide, vendor


def changed(house: House, created: dict[str, Any], by: str | None = "Ada", **more: Any) -> dict[str, Any]:
    answer = house.post(f"/vendors/{created['_id']}/payment-instruction", account(OTHER, **more), by=by)
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def states(shown: dict[str, Any]) -> dict[str, str]:
    return {each["account"]: each["status"] for each in shown["payment_instructions"]}


def test_a_changed_account_waits_and_the_old_one_stays(house: House) -> None:
    created = vendor(house)
    old = created["payment_instructions"][0]
    waiting = changed(house, created)
    assert states(waiting) == {"254712345678": "ACTIVE", OTHER: "QUARANTINED"}
    new = next(each for each in waiting["payment_instructions"] if each["account"] == OTHER)
    assert (new["replaces"], new["verified"], new["changed_by"]) == (old["_id"], False, house.person("Ada").id)


def test_who_proposed_it_does_not_decide_on_it(house: House) -> None:
    waiting = changed(house, vendor(house), by="Apollo")
    for verb in ("confirm", "reject"):
        assert code(decide(house, waiting, verb, by="Apollo")) == (403, "self_approval_forbidden")
    assert states(waiting)[OTHER] == "QUARANTINED"


def test_a_second_person_is_somebody(house: House) -> None:
    """A client that acts for nobody may propose, and never confirms."""
    waiting = changed(house, vendor(house, by=None), by=None)
    assert code(decide(house, waiting, "confirm", by=None)) == (403, "insufficient_role")
    assert code(decide(house, waiting, "confirm", by="Rita")) == (403, "insufficient_role")
    assert decide(house, waiting, "confirm", by="Ada").status_code == 200


def test_confirmed_it_takes_the_place_of_the_old_one(house: House) -> None:
    waiting = changed(house, vendor(house))
    now = decide(house, waiting, "confirm").json()
    assert states(now) == {OTHER: "ACTIVE"}
    (shown,) = now["payment_instructions"]
    assert (shown["is_default"], shown["verified"]) == (True, True)
    assert shown["decided_by"] == house.person("Apollo").id
    since = PaymentInstruction.objects.get(pk=shown["_id"]).changed_at
    assert timezone.now() - since < timedelta(minutes=1)  # the 14 days begin when it was proposed
    again = house.post(
        f"/vendors/{now['_id']}/payment-instruction/{shown['_id']}/confirm", {"reason": "Again"}, by="Zawadi"
    )
    assert code(again) == (409, "invalid_state")


def test_rejected_it_is_kept_for_the_record_only(house: House) -> None:
    waiting = changed(house, vendor(house))
    now = decide(house, waiting, "reject").json()
    assert states(now) == {"254712345678": "ACTIVE"}
    assert PaymentInstruction.objects.filter(vendor_id=now["_id"], status="REJECTED").count() == 1
    assert code(decide(house, waiting, "confirm")) == (409, "invalid_state")


def test_one_change_of_an_account_waits_at_a_time(house: House) -> None:
    created = vendor(house)
    changed(house, created)
    again = house.post(f"/vendors/{created['_id']}/payment-instruction", account("254733000999"), by="Zawadi")
    assert code(again) == (409, "invalid_state")


def test_an_added_account_waits_too_under_both_addresses(house: House) -> None:
    created = vendor(house)
    added = house.post(f"/vendors/{created['_id']}/payment-instruction/add", account(OTHER))
    assert added.status_code == 201
    assert states(added.json())[OTHER] == "QUARANTINED"
    method = house.post(f"/bills/vendors/{created['_id']}/payment-method", account("254733000999"))
    assert method.status_code == 201
    assert states(method.json())["254733000999"] == "QUARANTINED"
    assert code(house.post(f"/bills/vendors/{created['_id']}/payment-method", account())) == (409, "duplicate")
    assert house.post(f"/bills/vendors/{created['_id']}/payment-method", account(), by="Sam").status_code == 403


def test_which_of_several_accounts_must_be_said(house: House) -> None:
    created = vendor(house, account(), account(OTHER))
    path = f"/vendors/{created['_id']}/payment-instruction"
    assert code(house.post(path, account("254733000999"))) == (422, "validation_failed")
    second = created["payment_instructions"][1]["_id"]
    assert house.post(path, {**account("254733000999"), "instruction_id": second}).status_code == 200
    assert code(house.post(path, {**account("254733000998"), "instruction_id": "0" * 24})) == (404, "not_found")


def test_an_account_that_came_with_the_vendor_is_verified_by_somebody_else(house: House) -> None:
    created = vendor(house)
    assert code(decide(house, created, "confirm", by="Ada")) == (403, "self_approval_forbidden")
    now = decide(house, created, "confirm").json()
    assert now["payment_instructions"][0]["verified"] is True
    assert code(decide(house, now, "reject")) == (409, "invalid_state")


def test_before_the_cool_off_is_over_only_a_recorded_call_back_confirms(house: House) -> None:
    waiting = changed(house, vendor(house))
    row = PaymentInstruction.objects.get(account=OTHER)
    new = next(each for each in waiting["payment_instructions"] if each["account"] == OTHER)
    assert new["cool_off_ends_at"] == (row.changed_at + COOL_OFF).isoformat().replace("+00:00", "Z")
    assert new["call_back"] is None
    refused = decide(house, waiting, "confirm", call_back=None)
    assert code(refused) == (409, "cooling_off")
    assert "called back" in refused.json()["detail"]
    assert states(house.get(f"/vendors/{waiting['_id']}").json())[OTHER] == "QUARANTINED"
    # Nor does a call that is still to come, or one of which half is said.
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    assert decide(house, waiting, "confirm", call_back=call_back(called_at=later)).status_code == 422
    assert decide(house, waiting, "confirm", call_back={"number": "254712345678"}).status_code == 422
    call = call_back()
    now = decide(house, waiting, "confirm", call_back=call).json()
    (shown,) = now["payment_instructions"]
    assert (shown["status"], shown["cool_off_ends_at"], shown["call_back"]) == ("ACTIVE", None, call)


@pytest.mark.parametrize("old", ["2026-01-05T10:30:00Z", "1970-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"])
def test_a_call_from_before_the_account_was_proposed_confirms_nothing(house: House, old: str) -> None:
    waiting = changed(house, vendor(house))
    answer = decide(house, waiting, "confirm", call_back=call_back(called_at=old))
    assert code(answer) == (422, "validation_failed")
    assert [each["field"] for each in answer.json()["errors"]] == ["call_back.called_at"]
    shown = house.get(f"/vendors/{waiting['_id']}")
    assert shown.status_code == 200
    assert states(shown.json())[OTHER] == "QUARANTINED"
    # Nor once its cool-off is over: what is recorded is a call about this account.
    PaymentInstruction.objects.filter(account=OTHER).update(changed_at=timezone.now() - COOL_OFF)
    assert decide(house, waiting, "confirm", call_back=call_back(called_at=old)).status_code == 422


def test_a_call_in_the_minute_of_the_proposal_counts_and_so_does_a_clock_two_minutes_behind(house: House) -> None:
    waiting = changed(house, vendor(house))
    minute = PaymentInstruction.objects.get(account=OTHER).changed_at.replace(second=0, microsecond=0)
    too_early = (minute - CLOCKS_APART - timedelta(seconds=1)).isoformat()
    assert decide(house, waiting, "confirm", call_back=call_back(called_at=too_early)).status_code == 422
    behind = (minute - CLOCKS_APART).isoformat()
    assert decide(house, waiting, "confirm", call_back=call_back(called_at=behind)).status_code == 200


def test_once_the_cool_off_is_over_a_second_person_confirms_with_a_reason(house: House) -> None:
    waiting = changed(house, vendor(house))
    PaymentInstruction.objects.filter(account=OTHER).update(changed_at=timezone.now() - COOL_OFF)
    assert code(decide(house, waiting, "confirm", by="Ada", call_back=None)) == (403, "self_approval_forbidden")
    now = decide(house, waiting, "confirm", call_back=None).json()
    (shown,) = now["payment_instructions"]
    assert (shown["status"], shown["call_back"]) == ("ACTIVE", None)


def test_what_came_with_the_vendor_does_not_cool_and_rejecting_needs_no_call(house: House) -> None:
    assert decide(house, vendor(house), "confirm", call_back=None).status_code == 200
    assert decide(house, changed(house, vendor(house, name="Baobab")), "reject").status_code == 200


MOVES = st.lists(st.sampled_from(["change", "confirm", "reject", "add"]), max_size=6)


@settings(max_examples=12)
@given(moves=MOVES)
def test_no_account_comes_into_use_without_a_second_person(house: House, moves: list[str]) -> None:
    """Whatever is done, in whatever order: one default at most, and what is in use was there first or was confirmed."""
    created = vendor(house)
    path = f"/vendors/{created['_id']}/payment-instruction"
    for place, name in enumerate(moves):
        now = house.get(f"/vendors/{created['_id']}").json()
        if name in ("confirm", "reject"):
            decide(house, now, name)
        else:
            house.post(path if name == "change" else f"{path}/add", account(f"2547110001{place:02d}"))
        rows = PaymentInstruction.objects.filter(vendor_id=created["_id"])
        assert rows.filter(status="ACTIVE", is_default=True).count() <= 1
        assert not rows.filter(status="ACTIVE", verified=False).exclude(account="254712345678").exists()
        assert not rows.filter(status="ACTIVE", decided_by=house.person("Ada").id).exists()
