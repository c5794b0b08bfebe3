"""Every list that has verbs, role by role: offered to whom they are open, refused to the others, done at the service."""

import re
from html import unescape
from typing import Any

import pytest

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.bulk.models import Batch
from dashboard.lists.query import ListCursor
from dashboard.mirror.apply import upsert, upsert_expenses
from dashboard.mirror.models import Category, Origin, Transaction
from tests.dashboard.bulk.conftest import batch_page, boxes, carried_out, plan, planned, states
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House

# By list and verb: whose role opens the verb. A list that is not theirs at all has no page for them either.
OPEN = {
    ("bills", "pay"): {"Apollo", "Ada"},
    ("customers", "delete"): {"Apollo", "Ada"},
    ("customers", "restore"): {"Apollo", "Ada"},
    ("vendors", "delete"): {"Apollo", "Ada"},
    ("vendors", "restore"): {"Apollo", "Ada"},
    ("newcomers", "add"): {"Ada", "Sam"},
    ("people", "allocate"): {"Apollo"},
    ("people", "remove_funds"): {"Apollo"},
    ("subscriptions", "pause"): {"Apollo", "Ada"},
    ("subscriptions", "resume"): {"Apollo", "Ada"},
    ("people", "suspend"): {"Ada", "Sam"},
    ("people", "activate"): {"Ada", "Sam"},
    ("cards", "block"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("cards", "unblock"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("transactions", "file"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("expenses", "file"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("expenses", "tag"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("expenses", "untag"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("transactions", "tag"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
    ("transactions", "untag"): {"Carla", "Rita", "Apollo", "Ada", "Sam"},
}
PEOPLE = ("Carla", "Rita", "Apollo", "Ada", "Sam")


@pytest.mark.parametrize("person", PEOPLE)
def test_a_verb_is_planned_by_those_whose_role_opens_it_and_denied_to_others(house: House, person: str) -> None:
    for (list_name, verb), who in OPEN.items():
        answer = plan(house, person, list_name, verb, ids=["nothing"])
        assert answer.status_code == (302 if person in who else 403), (list_name, verb)
        if person not in who:
            assert AuditEntry.objects.filter(chain=house.business.pk, outcome="DENIED", role=house.actor(person).role)
    assert not Batch.objects.filter(business=house.business).exists()


def test_boxes_and_verbs_stand_only_where_something_can_be_done(house: House) -> None:
    assert boxes(house, "Ada", "people/")
    assert "Review bulk suspend" in house.browser("Ada").get(house.address("people/")).content.decode()
    page = house.browser("Rita").get(house.address("people/")).content.decode()
    assert 'name="ids"' not in page
    assert "Review bulk" not in page
    # An approver allocates funds, and suspends nobody.
    page = house.browser("Apollo").get(house.address("people/")).content.decode()
    assert 'name="ids"' in page
    assert "Review bulk suspend" not in page
    suspended = house.browser("Ada").get(house.address("people/?status=SUSPENDED&view=all")).content.decode()
    assert "Review bulk suspend" not in suspended


def test_an_unknown_verb_or_list_is_refused(house: House) -> None:
    assert plan(house, "Ada", "customers", "explode").status_code == 422
    assert plan(house, "Ada", "audit", "delete").status_code == 422
    assert plan(house, "Ada", "nothing", "delete").status_code == 404


def test_people_are_suspended_but_oneself_is_not_and_cannot_enter_any_more(world: World) -> None:
    batch = planned(
        world, "Ada", "people", "suspend", ids=[world.employee(name)["employee_id"] for name in ("Ada", "Carla")]
    )
    assert "1 will be suspended · 1 no permission to change" in batch_page(world, "Ada", batch)
    assert "This is about yourself" in batch_page(world, "Ada", batch)
    carried_out(world, "Ada", batch)
    assert world.upstream(f"/employees/{world.employee('Carla')['employee_id']}")["status"] == "SUSPENDED"
    assert not Membership.objects.get(pk=world.people["Carla"].pk).is_active
    denied = AuditEntry.objects.get(chain=world.business.pk, operation="suspend_employee", outcome="DENIED")
    assert denied.object_id == world.employee("Ada")["employee_id"]
    carried_out(world, "Ada", planned(world, "Ada", "people", "activate", ids=[world.employee("Carla")["employee_id"]]))
    assert Membership.objects.get(pk=world.people["Carla"].pk).is_active


def cards(world: World, *holders: str) -> list[str]:
    created = [
        world.send("POST", "/cards", {"employee_id": world.employee(name)["employee_id"], "name": "Fuel"})
        for name in holders
    ]
    upsert("card", world.business, created, Origin.POLL)
    return [row["_id"] for row in created]


def test_cards_are_blocked_with_a_reason_that_is_asked_for_and_kept(world: World) -> None:
    ids = cards(world, "Carla", "Juma")
    # As cards and as a table they have the same boxes.
    assert set(boxes(world, "Ada", "cards/")) == set(boxes(world, "Ada", "cards/?as=table"))
    batch = planned(world, "Ada", "cards", "block", ids=ids)
    answer = world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"), {"given": " "})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Enter a reason: the cardholders will read it." in page
    assert 'aria-invalid="true"' in page
    assert "autofocus" in page
    long = world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"), {"given": "x" * 501})
    assert long.status_code == 422
    assert "x" * 501 in long.content.decode()
    # As much as is taken of the reason when one is blocked alone.
    reason = ("Lost wallet. " * 40)[:499] + "."
    carried_out(world, "Ada", batch, given=reason)
    assert set(states(batch).values()) == {"DONE"}
    upstream = world.upstream(f"/cards/{ids[0]}")
    assert (upstream["status"], upstream["reason"]) == ("BLOCKED", reason)
    assert reason in batch_page(world, "Ada", batch)
    # Blocked by an admin: no matter of the holder's.
    theirs = planned(world, "Carla", "cards", "unblock", all="matching")
    assert "1 no permission to change" in batch_page(world, "Carla", theirs)
    carried_out(world, "Apollo", planned(world, "Apollo", "cards", "unblock", ids=ids))
    assert world.upstream(f"/cards/{ids[0]}")["status"] == "ACTIVE"


def test_vendors_are_deleted(world: World) -> None:
    created = world.send("POST", "/vendors", {"name": "Shell"})
    upsert("vendor", world.business, [created], Origin.POLL)
    batch = carried_out(world, "Apollo", planned(world, "Apollo", "vendors", "delete", all="matching"))
    assert states(batch) == {"Shell": "DONE"}
    assert world.upstream(f"/vendors/{created['_id']}")["status"] == "DELETED"


def test_subscriptions_are_paused_and_resumed(world: World) -> None:
    body = {"name": "Drive", "vendor": "Cloud Co", "currency": "KES", "amount": 1500}
    created = world.send("POST", "/subscriptions/create", body)
    upsert("subscription", world.business, [created], Origin.POLL)
    batch = carried_out(world, "Ada", planned(world, "Ada", "subscriptions", "pause", all="matching"))
    assert states(batch) == {"Drive": "DONE"}
    assert [row["status"] for row in world.upstream("/subscriptions")["docs"]] == ["PAUSED"]
    carried_out(world, "Ada", planned(world, "Ada", "subscriptions", "resume", all="matching"))
    assert [row["status"] for row in world.upstream("/subscriptions")["docs"]] == ["ACTIVE"]


def spent(world: World, name: str, count: int) -> list[dict[str, Any]]:
    employee = world.employee(name)["employee_id"]
    created: list[dict[str, Any]] = world.sandbox("expenses", count=count, employee_ids=[employee])["expenses"]
    upsert_expenses(world.business, created, "FEED")
    return created


def test_expenses_are_filed_by_whoever_sees_them_under_one_of_the_categories(world: World) -> None:
    mine, others = spent(world, "Carla", 2), spent(world, "Juma", 1)
    category = Category.objects.filter(business=world.business, status="ACTIVE").order_by("-name")[0]
    batch = planned(world, "Carla", "expenses", "file", ids=[row["_id"] for row in mine + others])
    assert batch.rows.count() == 2
    refused = world.client("Carla").post(world.address(f"bulk/{batch.pk}/begin/"), {"given": "none-of-ours"})
    assert refused.status_code == 422
    assert "Choose a category." in refused.content.decode()
    carried_out(world, "Carla", batch, given=category.remote_id)
    assert set(batch.rows.values_list("state", flat=True)) == {"DONE"}
    assert category.name in batch_page(world, "Carla", batch)
    docs = {row["_id"]: row for row in world.upstream("/expenses", limit=100)["docs"]}
    assert {docs[row["_id"]]["subcategory"]["name"] for row in mine} == {category.name}


def test_transactions_are_filed_where_their_kind_has_a_category(world: World) -> None:
    rows = Transaction.objects.filter(business=world.business)
    kinds = set(rows.values_list("type", flat=True))
    assert "TOPUP" in kinds
    category = Category.objects.filter(business=world.business, status="ACTIVE").order_by("-name")[0]
    topup = rows.filter(type="TOPUP")[0]
    other = Transaction.objects.create(
        business=world.business, remote_id="f" * 24, payload={}, payload_hash="-", source="POLL",
        first_seen=topup.first_seen, last_seen=topup.last_seen, type="IFT", status="POSTED", direction="IN",
        org_wallet_ref="1", currency="KES", amount_minor=1, amount_text="KES 0.01", occurred_at=topup.occurred_at,
    )  # fmt: skip
    batch = planned(world, "Ada", "transactions", "file", ids=[topup.remote_id, other.remote_id])
    assert "Transfer transactions have no category." in batch_page(world, "Ada", batch)
    carried_out(world, "Ada", batch, given=category.remote_id)
    assert sorted(batch.rows.values_list("state", flat=True)) == ["DONE", "LEFT_OUT"]
    assert world.upstream(f"/transactions/{topup.remote_id}")["subcategory"]["name"] == category.name


def test_boxes_cost_a_list_no_query_more(house: House, django_assert_max_num_queries: Any) -> None:
    house.expense()
    for path in ("expenses/?view=all", "people/?view=all"):
        browser = house.browser("Ada")
        browser.get(house.address(path))
        with django_assert_max_num_queries(4):
            assert "Review bulk" in browser.get(house.address(path)).content.decode()


def test_the_count_of_what_matches_comes_with_the_totals(house: House) -> None:
    for _ in range(3):
        house.expense()
    address = house.address("expenses/totals/?view=all")
    part = house.browser("Ada").get(address, headers={"HX-Request": "true"}).content.decode()
    assert '<span class="fig" id="matching" hx-swap-oob="true">' in part
    # Without a row there are no ticks beside which it could stand.
    none = house.browser("Ada").get(f"{address}&q=nothing-like-it", headers={"HX-Request": "true"})
    assert 'id="matching"' not in none.content.decode()
    people = house.browser("Rita").get(house.address("people/totals/"), headers={"HX-Request": "true"})
    assert 'id="matching"' not in people.content.decode()


def test_a_page_past_the_last_row_has_no_place_for_that_count(house: House) -> None:
    last, browser = house.expense(), house.browser("Ada")
    past = str(ListCursor(last.transaction_date, last.pk))
    body = browser.get(house.address("expenses/"), {"view": "all", "after": past}).content.decode()
    assert "No more expenses" in body
    match = re.search(r'id="totals-of-list".*?hx-get="([^"]+)"', body, re.DOTALL)
    assert match
    part = browser.get(unescape(match[1]), headers={"HX-Request": "true"}).content.decode()
    assert "1 expense" in part
    assert 'id="matching"' not in part
