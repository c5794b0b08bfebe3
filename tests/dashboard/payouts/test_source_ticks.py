"""Who is ticked on a source of a new payout stays ticked, is shown and is counted while one searches for others."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.utils import timezone

from dashboard.bulk.models import Batch
from dashboard.mirror.models import ApprovalRequest, Bill, Employee, Vendor
from dashboard.pages.payouts.services import picks
from tests.dashboard.bills.upstream import bill, copied_vendor, vendor
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import GRACE, PESALINK, make, only, signed_in, table, upstream
from tests.dashboard.payouts.test_sources import draft_of, filled

__all__ = ["no_queue"]

FIRST, SECOND = "Acacia Supplies", "Baobab Print"


@pytest.fixture
def ids(world: World, request: pytest.FixtureRequest) -> tuple[str, str]:
    """Two candidates of the source that the test names, by the names that are searched."""
    source = request.getfixturevalue("source")
    if source == "employees":
        rita, zawadi = (
            Employee.objects.get(business=world.business, remote_id=world.employee(name)["employee_id"]).remote_id
            for name in ("Rita", "Zawadi")
        )
        return rita, zawadi
    if source == "last":
        make(world, table(GRACE, PESALINK))
        payout = only(world)
        items = {item["receiver_name"]: item["_id"] for item in upstream(world, payout)["items"]}
        ApprovalRequest.objects.filter(pk=payout.pk).update(status="COMPLETED")
        return items["Grace Achieng"], next(key for name, key in items.items() if name.startswith("Brian"))
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    made = [vendor(world, name, account=account) for name, account in ((FIRST, "771234"), (SECOND, "771235"))]
    for each in made if source == "bills" else ():
        bill(world, each, amount=1000)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    if source == "bills":
        rows = Bill.objects.filter(business=world.business)
        return rows.get(vendor_name=FIRST).remote_id, rows.get(vendor_name=SECOND).remote_id
    return copied_vendor(world, FIRST).remote_id, copied_vendor(world, SECOND).remote_id


TERMS = {"vendors": ("acacia", "baobab"), "bills": ("acacia", "baobab"), "employees": ("rita", "zawadi"), "last": ("grace", "brian")}  # fmt: skip


def settle(world: World) -> None:
    """The last payout has ended; a page that reads it live finds the draft that it is upstream."""
    ApprovalRequest.objects.filter(business=world.business, kind="payout").update(status="COMPLETED")


def post(world: World, source: str, query: str = "", **fields: Any) -> Any:
    return signed_in(world, "Ada").post(world.address(f"payouts/new/from/{source}/{query}"), fields)


def search(world: World, source: str, term: str, query: str = "", **fields: Any) -> tuple[str, str]:
    """The page that a search leads to, and the query of its address."""
    settle(world)
    answer = post(world, source, query, q=term, do="search", **fields)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    settle(world)
    query = f"?{urlsplit(answer['Location']).query}"
    return str(signed_in(world, "Ada").get(answer["Location"]).content.decode()), query


def is_ticked(page: str, row_id: str) -> bool:
    box = re.search(rf'<input type="checkbox" name="pick" value="{row_id}"[^>]*>', page)
    assert box is not None, "it is shown"
    return "checked" in box[0]


@pytest.mark.parametrize("source", ["vendors", "bills", "employees", "last"])
def test_a_second_search_keeps_what_is_ticked_and_shows_and_counts_it(
    world: World, source: str, ids: tuple[str, str]
) -> None:
    first, second = ids
    term, other = TERMS[source]
    page, query = search(world, source, term)
    assert f'value="{first}"' in page
    assert f'value="{second}"' not in page
    typed = {f"amount-{first}": "KES 77.00"} if source != "bills" else {}
    page, query = search(world, source, other, query, pick=[first], **typed)
    assert is_ticked(page, first)
    assert not is_ticked(page, second)
    assert "1 selected" in page
    assert f"Selected before, not matching “<bdi>{other}</bdi>”" in page
    if typed:
        assert f'name="amount-{first}" value="KES 77.00"' in page
    # A third search with both, and a reload of it.
    page, query = search(world, source, "nobody of this name", query, pick=[first, second], **typed)
    settle(world)
    again = signed_in(world, "Ada").get(world.address(f"payouts/new/from/{source}/{query}")).content.decode()
    for shown in (page, again):
        assert is_ticked(shown, first)
        assert is_ticked(shown, second)
        assert "2 selected" in shown
        assert "to choose from that match" in shown
    # What is cleared is ticked no more.
    page, _ = search(world, source, term, query, pick=[second])
    assert not is_ticked(page, first)
    assert is_ticked(page, second)
    assert "1 selected" in page


def test_those_that_were_ticked_by_several_searches_are_all_paid(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    for name, account in ((FIRST, "771234"), (SECOND, "771235")):
        vendor(world, name, account=account)
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    first, second = (copied_vendor(world, name).remote_id for name in (FIRST, SECOND))
    _, query = search(world, "vendors", "acacia")
    page, query = search(world, "vendors", "baobab", query, pick=[first], **{f"amount-{first}": "10"})
    amounts = dict(re.findall(r'name="(amount-[^"]+)" value="([^"]*)"', page)) | {f"amount-{second}": "20"}
    answer = post(world, "vendors", query, q="baobab", do="add", pick=[first, second], **amounts)
    assert answer.status_code == 200, answer.content.decode()
    items = {item["account"]: item["amount_minor"] for item in draft_of(world, filled(answer))}
    assert items == {"771234": 1000, "771235": 2000}


@pytest.mark.parametrize("source", ["bills"])
def test_bills_that_were_ticked_by_several_searches_are_planned_together(
    world: World, source: str, ids: tuple[str, str]
) -> None:
    _, query = search(world, source, "baobab", pick=[ids[0]])
    answer = post(world, source, query, q="baobab", do="add", pick=list(ids))
    assert answer.status_code == 302
    rows = Batch.objects.get(business=world.business).rows
    assert set(rows.values_list("remote_id", flat=True)) == set(ids)


@pytest.mark.parametrize("source", ["vendors"])
def test_enter_searches_where_the_name_was_changed_and_adds_where_it_was_not(
    world: World, source: str, ids: tuple[str, str]
) -> None:
    """Enter presses the form's first button, which says nothing of itself."""
    amount = {f"amount-{ids[0]}": "10"}
    changed = post(world, source, "?q=acacia", q="baobab", pick=[ids[0]], **amount)
    assert changed.status_code == 302
    assert parse_qs(urlsplit(changed["Location"]).query)["q"] == ["baobab"]
    unchanged = post(world, source, "?q=acacia", q="acacia", pick=[ids[0]], **amount)
    assert len(draft_of(world, filled(unchanged))) == 1


@pytest.mark.parametrize("source", ["vendors"])
def test_what_cannot_be_kept_is_shown_at_once(
    world: World, source: str, ids: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picks.cache, "store", lambda *_: None)
    answer = post(world, source, q="baobab", do="search", pick=[ids[0]])
    assert answer.status_code == 200
    assert is_ticked(answer.content.decode(), ids[0])
    assert f'value="{ids[1]}"' in answer.content.decode()


@pytest.mark.parametrize("source", ["vendors"])
def test_ticks_are_their_persons_and_that_they_are_gone_is_said(
    world: World, source: str, ids: tuple[str, str]
) -> None:
    _, query = search(world, source, "baobab", pick=[ids[0]], **{f"amount-{ids[0]}": "4711"})
    of_another = signed_in(world, "Zawadi").get(world.address(f"payouts/new/from/{source}/{query}")).content.decode()
    assert "4711" not in of_another
    assert "no longer known: select it again" in of_another
    sealed = [cache.get(picks._name_of(world.actor("Ada"), source, query.split("picked=")[1]))]
    assert all(b"4711" not in bytes(value) for value in sealed)
    for word in ("0" * 32, "", "../x", "é"):
        answer = signed_in(world, "Ada").get(world.address(f"payouts/new/from/{source}/?picked={word}"))
        assert answer.status_code == 200
        assert "no longer known: select it again" in answer.content.decode()


@pytest.mark.parametrize("source", ["bills"])
def test_one_that_can_no_longer_be_paid_is_named_in_the_count(world: World, source: str, ids: tuple[str, str]) -> None:
    _, query = search(world, source, "acacia", pick=list(ids))
    Bill.objects.filter(business=world.business, remote_id=ids[1]).update(status="PAID")
    page = signed_in(world, "Ada").get(world.address(f"payouts/new/from/{source}/{query}")).content.decode()
    assert "1 of what was selected can no longer be paid here." in page
    assert "1 selected" in page
    assert is_ticked(page, ids[0])


@pytest.mark.parametrize("source", ["vendors"])
def test_more_than_so_many_are_refused_and_all_stay_ticked(
    world: World, source: str, ids: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picks, "MAX_PICKED", 1)
    answer = post(world, source, q="", do="add", pick=list(ids))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "At most 1 can be chosen at a time. Clear 1 of the 2 that are selected." in page
    assert is_ticked(page, ids[0])
    assert is_ticked(page, ids[1])


@pytest.mark.parametrize("source", ["bills"])
def test_a_bill_is_found_by_its_number_too(world: World, source: str, ids: tuple[str, str]) -> None:
    number = Bill.objects.get(business=world.business, remote_id=ids[1]).bill_no
    page, _ = search(world, source, number)
    assert f'value="{ids[1]}"' in page
    assert f'value="{ids[0]}"' not in page
    # Where it would be paid stands beside it.
    assert re.search(r"<td>[A-Z][A-Za-z -]+ ···1235</td>", page)


def test_thousands_of_vendors_are_searched_and_their_ticks_kept(world: World) -> None:
    """Each page shows a bounded number of rows, whatever is posted to it."""
    Vendor.objects.filter(business=world.business).delete()
    Vendor.objects.bulk_create(
        Vendor(
            business=world.business, remote_id=f"{number:024x}", name=f"Vendor {number:05}", status="ACTIVE",
            first_seen=timezone.now(), last_seen=timezone.now(), created_at=timezone.now(),
        )
        for number in range(5_000)
    )  # fmt: skip
    everyone = [f"{number:024x}" for number in range(5_000)]
    page = post(world, "vendors", do="add", pick=everyone[:4_000]).content.decode()
    assert page.count("<tr>") < picks.MAX_ROWS + 210
