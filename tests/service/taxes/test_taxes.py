"""Withholding taxes: seeded, dated, never edited in place, archived."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from service.taxes.models import TaxRate
from tests.days import business_day
from tests.service.house import House, code

NAIROBI = ZoneInfo("Africa/Nairobi")
NEW = {"code": "WHT_X", "name": "X", "resident_rate_bps": 500, "non_resident_rate_bps": 2000}


def seeded(house: House, name: str = "WHT_PROFESSIONAL") -> dict[str, Any]:
    return next(each for each in house.get("/taxes").json()["docs"] if each["code"] == name)


def day(ahead: int = 0) -> str:
    return business_day(ahead).isoformat()


def test_a_kenyan_business_starts_with_its_taxes_and_another_with_none(
    house: House, houses: Callable[..., House]
) -> None:
    found = seeded(house)
    assert (found["rate_bps"], found["non_resident_rate_bps"], found["threshold_amount"]) == (500, 2000, 24000)
    assert (found["liability_account"], found["threshold_period"]) == ("WHT_PAYABLE", "MONTH")
    assert "12 %" in seeded(house, "WHT_RENT")["note"]
    assert houses(country="NL").get("/taxes").json()["total"] == 0


def test_a_tax_is_made_with_its_first_version(house: House) -> None:
    created = house.post("/taxes/create", {**NEW, "threshold_amount": 100.5, "effective_from": "2026-01-01"})
    assert created.status_code == 201, created.json()
    shown = created.json()
    assert (shown["threshold_amount_minor"], shown["status"], len(shown["versions"])) == (10050, "ACTIVE", 1)
    assert code(house.post("/taxes/create", NEW)) == (409, "duplicate")


def test_rates_are_dated_and_never_edited_in_place(house: House) -> None:
    tax = seeded(house)
    [before] = TaxRate.objects.filter(tax_id=tax["_id"]).values()
    answer = house.send(
        "PUT", f"/taxes/{tax['_id']}/edit", {"resident_rate_bps": 600, "effective_from": day(10), "note": "New law"}
    )
    assert answer.status_code == 200, answer.json()
    shown = answer.json()
    assert shown["rate_bps"] == 500  # until the day comes
    assert shown["effective_to"] == day(9)
    assert [each["resident_rate_bps"] for each in shown["versions"]] == [600, 500]
    assert shown["versions"][0]["threshold_amount"] == 24000  # what was not named is taken over
    assert TaxRate.objects.filter(pk=before["id"]).values().get() == before


@pytest.mark.parametrize(
    "body",
    [
        {"resident_rate_bps": 600},
        {"resident_rate_bps": 600, "effective_from": "2023-01-01"},
        {"resident_rate_bps": 600, "effective_from": "2025-01-01"},
        {"resident_rate_bps": 10001, "effective_from": "2099-01-01"},
        {"resident_rate_bps": 600, "effective_from": "2099-02-30"},
        {"threshold_amount": 1.001, "effective_from": "2099-01-01"},
        {"code": "OTHER"},
    ],
)
def test_an_edit_without_a_day_to_come_is_refused(house: House, body: dict[str, Any]) -> None:
    tax = seeded(house)["_id"]
    assert code(house.send("PUT", f"/taxes/{tax}/edit", body)) == (422, "validation_failed")
    assert TaxRate.objects.filter(tax_id=tax).count() == 1


def test_an_archived_tax_is_not_edited_and_archiving_again_changes_nothing(house: House) -> None:
    tax = seeded(house)["_id"]
    first = house.send("PUT", f"/taxes/{tax}/archive").json()
    assert first["status"] == "ARCHIVED"
    assert house.send("PUT", f"/taxes/{tax}/archive").json()["version"] == first["version"]
    assert code(house.send("PUT", f"/taxes/{tax}/edit", {"name": "Y"})) == (409, "invalid_state")
    assert house.get("/taxes?status=ARCHIVED").json()["total"] == 1


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_only_admins_change_taxes(house: House, by: str) -> None:
    tax = seeded(house)["_id"]
    assert code(house.post("/taxes/create", NEW, by=by)) == (403, "insufficient_role")
    assert code(house.send("PUT", f"/taxes/{tax}/edit", {"name": "Y"}, by=by)) == (403, "insufficient_role")
    assert code(house.send("PUT", f"/taxes/{tax}/archive", by=by)) == (403, "insufficient_role")
    expected = 200 if by == "Apollo" else 403
    assert house.get("/taxes", by=by).status_code == expected
    assert house.get("/taxes/transactions", by=by).status_code == expected


def test_another_business_has_no_such_tax(house: House, houses: Callable[[], House]) -> None:
    other = seeded(houses())["_id"]
    assert code(house.send("PUT", f"/taxes/{other}/edit", {"name": "Y"})) == (404, "not_found")
    assert code(house.send("PUT", f"/taxes/{other}/archive")) == (404, "not_found")
