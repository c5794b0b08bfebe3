"""The list of bills, against the real service: what is to be paid by when it is due, both axes, aging, by whom."""

import re

import pytest

from dashboard.lists.query import Query
from dashboard.lists.totals import totals_of
from dashboard.mirror.models import Bill
from dashboard.mirror.sync import follow_feed
from dashboard.pages.bills.selectors.bills import aging
from dashboard.pages.bills.tables.bills import BILLS
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World


def numbers(shown: str) -> list[str]:
    """The numbers of the bills that a page of the list shows, in its order."""
    return re.findall(r">(INV-[\w-]+)</a>", shown)


def test_a_new_bill_comes_with_the_feed_and_its_payment_moves_the_other_axis(world: World) -> None:
    made = upstream.bill(world, number="INV-7", amount=1000)
    follow_feed(world.business)
    row = upstream.copied(world, "INV-7")
    assert (row.status, row.approval_status, row.total_minor, row.balance_minor) == ("OPEN", "INITIALIZED", 100_000, 100_000)  # fmt: skip
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    upstream.payment(world, made)
    follow_feed(world.business)
    row.refresh_from_db()
    assert (row.status, row.approval_status) == ("OPEN", "PENDING")
    # In the cells of the row: the filter beside the list names every state.
    assert re.findall(r'<span class="state is-\w*">([^<]+)<', upstream.page(world, "Apollo", "bills/")) == [
        "Open", "Awaiting approval",
    ]  # fmt: skip


def test_what_is_to_be_paid_stands_first_by_its_day_and_the_parts_hold_exactly_theirs(world: World) -> None:
    vendor = upstream.vendor(world)
    for number, due in (("INV-LATE", -40), ("INV-SOON", 3), ("INV-FAR", 60)):
        upstream.bill(world, vendor, number=number, due=due, issued=-50, amount=1000 + due)
    upstream.bill(world, vendor, number="INV-DRAFT", status="DRAFT", amount=1)
    world.sync("vendors", "bills_whole", "approvals")
    assert numbers(upstream.page(world, "Ada", "bills/")) == ["INV-LATE", "INV-SOON", "INV-FAR"]
    parts = {"OVERDUE": ["INV-LATE"], "SOON": ["INV-SOON"], "DRAFT": ["INV-DRAFT"], "PAID": [], "31-60": ["INV-LATE"]}
    for show, expected in parts.items():
        assert numbers(upstream.page(world, "Ada", f"bills/?show={show}")) == expected
    assert len(numbers(upstream.page(world, "Ada", "bills/?show=ALL"))) == 4
    assert "40 d overdue" in upstream.page(world, "Ada", "bills/")


def test_it_is_filtered_by_vendor_amount_and_due_day_and_its_sums_are_those_of_the_rows(world: World) -> None:
    acacia, other = upstream.vendor(world, "Acacia Supplies"), upstream.vendor(world)
    upstream.bill(world, acacia, number="INV-A", due=5, amount=1500)
    upstream.bill(world, acacia, number="INV-B", due=20, amount=2500)
    upstream.bill(world, other, number="INV-C", due=5, amount=999)
    world.sync("vendors", "bills_whole", "approvals")
    now = upstream.today(world.business)
    for query, expected in {
        f"vendor={acacia['_id']}": ["INV-A", "INV-B"],
        "q=acacia": ["INV-A", "INV-B"],
        f"until={upstream.day(now, 5)}": ["INV-A", "INV-C"],
        f"since={upstream.day(now, 6)}": ["INV-B"],
        "sort=-amount": ["INV-B", "INV-A", "INV-C"],
    }.items():
        assert numbers(upstream.page(world, "Ada", f"bills/?{query}")) == expected, query
    totals = totals_of(world.actor("Ada"), Query.parse(BILLS, "q=acacia"), BILLS.noun, title=BILLS.sums_title)
    assert totals.figures == ["2 bills", "KES\xa04,000.00 to pay"]


def test_its_sums_are_what_is_left_to_pay(world: World) -> None:
    for number in ("INV-1", "INV-2", "INV-3"):
        upstream.bill(world, number=number, amount=1000)
    world.sync("vendors", "bills_whole", "approvals")
    rows = Bill.objects.filter(business=world.business)
    rows.filter(bill_no="INV-1").update(status="PARTIALLY_PAID", balance_minor=300_00)
    rows.filter(bill_no="INV-3").update(status="CANCELLED")
    for show, count, left in (("TO_PAY", 2, "1,300.00"), ("ALL", 3, "1,300.00"), ("CANCELLED", 1, "0.00")):
        totals = totals_of(world.actor("Ada"), Query.parse(BILLS, f"show={show}"), BILLS.noun, title=BILLS.sums_title)
        assert totals.figures == [f"{count} bill{'s' * (count > 1)}", f"KES\xa0{left} to pay"]


def test_what_is_owed_is_aged_and_each_figure_leads_to_exactly_its_bills(world: World) -> None:
    vendor = upstream.vendor(world)
    ages = {"current": (0, 5), "1-30": (-1, -30), "31-60": (-31, -60), "61-90": (-61, -90), "over-90": (-91, -400)}
    for place, days in enumerate(ages.values()):
        for due in days:
            upstream.bill(world, vendor, due=due, issued=-500, amount=100 * (place + 1))
    world.sync("vendors", "bills_whole", "approvals")
    figures = aging(world.actor("Ada"))["KES"]
    assert {name: (owed.count, owed.balance_minor) for name, owed in figures.items()} == {
        name: (2, 20_000 * (place + 1)) for place, name in enumerate(ages)
    }
    shown = upstream.page(world, "Selma", "bills/aging/")
    links = re.findall(r'href="([^"]*bills/\?[^"]*currency=KES)"', shown)
    assert len(links) == len(ages) + 1
    client = world.client("Selma")
    assert [len(numbers(client.get(link.replace("&amp;", "&")).content.decode())) for link in links] == [
        2,
        2,
        2,
        2,
        2,
        10,
    ]


def test_a_page_goes_on_by_key_where_many_are_due_on_one_day(world: World) -> None:
    vendor = upstream.vendor(world)
    upstream.bill(world, vendor, number="INV-0")
    world.sync("vendors", "bills_whole", "approvals")
    first = upstream.copied(world, "INV-0")
    for place in range(1, 60):
        Bill.objects.create(**{
            field.attname: getattr(first, field.attname)
            for field in Bill._meta.concrete_fields if not field.generated and field.name != "id"
        } | {"remote_id": f"{place:024x}", "bill_no": f"INV-{place}"})  # fmt: skip
    shown = upstream.page(world, "Ada", "bills/")
    following = re.search(r'href="([^"]*after=[^"]*)"', shown)
    assert following
    rest = world.client("Ada").get(world.address("bills/") + "?" + following[1].split("?")[1].replace("&amp;", "&"))
    assert len(set(numbers(shown) + numbers(rest.content.decode()))) == 60


@pytest.mark.parametrize(
    ("person", "may"), [("Apollo", True), ("Ada", True), ("Selma", True), ("Rita", False), ("Carla", False)]
)
def test_who_sees_bills(world: World, person: str, may: bool) -> None:
    made = upstream.bill(world, number="INV-1")
    world.sync("vendors", "bills_whole", "approvals")
    for rest in ("bills/", "bills/aging/", f"bills/{made['_id']}/"):
        assert world.client(person).get(world.address(rest)).status_code == (200 if may else 403)
    assert ("/bills/" in upstream.page(world, person, "")) is may
