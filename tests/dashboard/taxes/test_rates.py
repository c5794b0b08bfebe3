"""Withholding taxes: added, given new terms from a day on, renamed, archived; what is refused stands at its field; by whom."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.schedule import today
from dashboard.pages.taxes.presenters.rates import percent
from tests.dashboard.conftest import World

TAX = {
    "name": "Agency fees", "code": "wht_agency", "base": "GROSS", "resident_rate": "7.5", "non_resident_rate": "20",
    "threshold": "24,000", "currency": "", "effective_from": "", "note": "Finance Act",
}  # fmt: skip


def page(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode()).replace("\xa0", " ")


def add(world: World, who: str = "Ada", **more: str) -> Any:
    return world.client(who).post(world.address("taxes/new/"), TAX | more)


def found(world: World, code: str = "WHT_AGENCY") -> dict[str, Any]:
    rows: list[dict[str, Any]] = world.upstream("/taxes", limit=200)["docs"]
    return next(row for row in rows if row["code"] == code)


def in_days(world: World, days: int) -> str:
    return (today(world.business) + timedelta(days=days)).isoformat()


def test_a_tax_that_is_added_is_at_the_service_in_the_list_and_in_the_audit(world: World) -> None:
    assert add(world).status_code == 302
    tax = found(world)
    assert (tax["resident_rate_bps"], tax["non_resident_rate_bps"], tax["base"]) == (750, 2000, "GROSS")
    assert (tax["threshold_amount_minor"], tax["currency"]) == (2_400_000, "KES")
    shown = page(world.client("Apollo").get(world.address("taxes/")))
    for words in ("Agency fees", "7.5 %", "20 %", "KES 24,000.00", "The whole payment"):
        assert words in shown, words
    assert "New tax" not in shown
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="create_tax", outcome="DONE").exists()


def test_new_terms_hold_from_their_day_and_those_before_stay(world: World) -> None:
    add(world)
    tax = found(world)
    posted = {name: TAX[name] for name in ("base", "non_resident_rate", "threshold", "note")}
    posted |= {"resident_rate": "10", "effective_from": in_days(world, 30)}
    address = world.address(f"taxes/{tax['_id']}/terms/")
    assert world.client("Ada").post(address, posted).status_code == 302
    versions = found(world)["versions"]
    assert [row["resident_rate_bps"] for row in versions] == [1000, 750]
    assert versions[1]["effective_to"] == in_days(world, 29)
    item = page(world.client("Selma").get(world.address(f"taxes/{tax['_id']}/")))
    assert item.index("10 %") < item.index("7.5 %")
    assert "new terms from" in page(world.client("Selma").get(world.address("taxes/")))


def test_terms_that_begin_in_the_past_are_refused_at_the_day_and_nothing_typed_is_lost(world: World) -> None:
    add(world)
    tax = found(world)
    posted = {name: TAX[name] for name in ("base", "non_resident_rate", "threshold")}
    posted |= {"resident_rate": "11", "note": "As agreed", "effective_from": in_days(world, -1)}
    answer = world.client("Ada").post(world.address(f"taxes/{tax['_id']}/terms/"), posted)
    assert answer.status_code == 422
    shown = page(answer)
    assert 'id="id_effective_from_error"' in shown
    assert "As agreed" in shown
    assert len(found(world)["versions"]) == 1


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("resident_rate", "101"), ("resident_rate", "-1"), ("resident_rate", "5.125"), ("resident_rate", "1e1"),
        ("resident_rate", "٥"), ("resident_rate", ""), ("name", "\u200b"), ("code", "a b"), ("code", "x\ty"),
        ("currency", "KE"), ("currency", "123"), ("threshold", "-5"), ("effective_from", "20.11.2026"),
        ("note", "n" * 501), ("base", "NET"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_at_its_field(world: World, field: str, typed: str) -> None:
    answer = add(world, **{field: typed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in page(answer)
    assert all(row["code"] != "WHT_AGENCY" for row in world.upstream("/taxes", limit=200)["docs"])


def test_a_code_that_is_taken_is_said_and_the_form_keeps_what_was_typed(world: World) -> None:
    add(world)
    answer = add(world, name="Other fees")
    assert answer.status_code == 409
    assert "Other fees" in page(answer)
    assert "WHT_AGENCY is taken" in page(answer)


def test_renamed_and_archived_it_can_be_changed_no_more(world: World) -> None:
    add(world)
    tax, ada = found(world), world.client("Ada")
    assert ada.post(world.address(f"taxes/{tax['_id']}/rename/"), {"rename-name": "Agents"}).status_code == 302
    assert found(world)["name"] == "Agents"
    assert ada.post(world.address(f"taxes/{tax['_id']}/archive/")).status_code == 302
    assert found(world)["status"] == "ARCHIVED"
    item = page(ada.get(world.address(f"taxes/{tax['_id']}/")))
    assert "Archived" in item
    assert "Add terms" not in item
    refused = ada.post(world.address(f"taxes/{tax['_id']}/rename/"), {"rename-name": "Agency"})
    assert refused.status_code == 409


@pytest.mark.parametrize("who", ["Carla", "Rita", "Apollo"])
def test_whoever_may_not_configure_taxes_adds_none(world: World, who: str) -> None:
    assert add(world, who).status_code == 403
    tax = found(world, "WHT_PROFESSIONAL")
    assert world.client(who).post(world.address(f"taxes/{tax['_id']}/archive/")).status_code == 403
    assert found(world, "WHT_PROFESSIONAL")["status"] == "ACTIVE"


def test_a_tax_that_there_is_not_is_404(world: World) -> None:
    assert world.client("Ada").get(world.address("taxes/000000000000000000000000/")).status_code == 404


def test_without_the_service_the_page_says_so(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/v2/taxes")
    shown = page(proxied_world.client("Ada").get(proxied_world.address("taxes/")))
    assert "Try again" in shown
    assert "No taxes yet" not in shown


@pytest.mark.parametrize(
    ("bps", "said"), [(0, "0\xa0%"), (5, "0.05\xa0%"), (500, "5\xa0%"), (1250, "12.5\xa0%"), (10_000, "100\xa0%")]
)
def test_basis_points_are_said_in_percent(bps: int, said: str) -> None:
    assert percent(bps) == said
