"""GET /expenses: scoped by role, merged over wallets, paged, filtered by the business's days."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from service.expenses.models import Expense
from service.sandbox.simulation import spend_some
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code


def ids(answer: object) -> list[str]:
    return [row["_id"] for row in answer.json()["docs"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        ("Carla", {"Carla"}),
        ("Cyrus", {"Cyrus"}),
        ("Rita", {"Carla"}),
        ("Rex", {"Carla"}),
        ("Apollo", {"Carla", "Cyrus", "Rita"}),
        ("Ada", {"Carla", "Cyrus", "Rita"}),
        ("Sam", {"Carla", "Cyrus", "Rita"}),
        (None, {"Carla", "Cyrus", "Rita"}),
    ],
)
def test_each_role_sees_its_rows(house: House, spend: Spend, who: str | None, sees: set[str]) -> None:
    for name in ("Carla", "Cyrus", "Rita"):
        spend(name)
    # Rita's own expense is in her own team; the published list gives a reviewer the managed teams.
    found = {row["person"].split()[0] for row in house.get("/expenses", by=who).json()["docs"]}
    assert found == (sees | {"Rita"} if who in ("Rita", "Rex") else sees)


def test_another_business_sees_nothing(house: House, spend: Spend, houses: Callable[..., House]) -> None:
    spend("Carla")
    assert houses().get("/expenses").json()["docs"] == []


def test_all_wallets_are_merged_unless_one_is_named(house: House, spend: Spend) -> None:
    [shillings], [dollars] = spend("Carla"), spend("Carla", wallet_ref="2")
    assert set(ids(house.get("/expenses"))) == {shillings.id, dollars.id}
    assert ids(house.get("/expenses?accountref=2")) == [dollars.id]
    assert code(house.get("/expenses?accountref=99")) == (404, "not_found")
    assert house.get("/expenses", headers={"org_wallet_ref": "1"}).json()["total"] == 2
    for unknown in ("99", "a b", "é", "x" * 200):
        answer = house.get("/expenses", headers={"org_wallet_ref": unknown})
        assert code(answer) == (404, "not_found"), "as an unknown accountref is"


def test_the_envelope_and_its_links(house: House, spend: Spend) -> None:
    created = spend("Carla", 5)
    first = house.get("/expenses?limit=2")
    body = first.json()
    assert {key: body[key] for key in ("total", "limit", "page", "pages", "hasNextPage", "nextPage")} == {
        "total": 5,
        "limit": 2,
        "page": 1,
        "pages": 3,
        "hasNextPage": True,
        "nextPage": 2,
    }
    assert 'limit=2&page=2>; rel="next"' in first["Link"]
    assert 'page=3>; rel="last"' in first["Link"]
    assert first["X-Business-Timezone"] == "Africa/Nairobi"
    pages = [ids(house.get(f"/expenses?limit=2&page={page}")) for page in (1, 2, 3, 4)]
    assert pages[3] == []
    assert [each for page in pages for each in page] == [row.id for row in created]


def test_the_cursor_reads_everything_once_though_rows_appear_meanwhile(house: House, spend: Spend) -> None:
    created = [row.id for row in spend("Carla", 7)]
    seen: list[str] = []
    cursor = ""
    while True:
        body = house.get(f"/expenses?limit=3{f'&cursor={cursor}' if cursor else ''}").json()
        seen += [row["_id"] for row in body["docs"]]
        cursor = body["next_cursor"]
        if not cursor:
            break
        spend("Cyrus")
    assert seen == created


def test_days_are_inclusive_and_those_of_the_business(house: House) -> None:
    # 21:30 UTC on the 9th is half past midnight on the 10th in Nairobi.
    late = datetime(2026, 1, 9, 21, 30, tzinfo=UTC)
    [row] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False, until=late)
    assert ids(house.get("/expenses?from=2026-01-10&to=2026-01-10")) == [row.id]
    assert ids(house.get("/expenses?from=2026-01-09&to=2026-01-09")) == []


def test_filters_by_state_and_change(house: House, spend: Spend) -> None:
    old, new = spend("Carla", 2)
    moment = datetime.now(UTC).isoformat().replace("+", "%2B")
    house.post(f"/expenses/approve/{new.id}", by="Ada")
    assert ids(house.get("/expenses?status=APPROVED")) == [new.id]
    assert ids(house.get("/expenses?status=PENDING")) == [old.id]
    assert ids(house.get(f"/expenses?updated_since={moment}")) == [new.id]


def test_an_expense_shows_exact_money_and_everything_it_is_made_of(house: House, spend: Spend) -> None:
    [row] = spend("Carla", with_receipts=True)
    Expense.objects.filter(id=row.id).update(amount_minor=123_456_789_01)
    answer = house.get("/expenses")
    assert b'"amount":123456789.01,' in answer.content
    [shown] = answer.json()["docs"]
    assert shown["amount_minor"] == 12345678901
    assert shown["employee_id"] == house.person("Carla").id
    assert shown["team"]["code"] == "FIELD"
    assert shown["subcategory"]["category"]["name"]
    assert shown["receipts"][0]["mime"] == "image/png"
    assert shown["version"] == 1


def test_a_page_costs_a_fixed_number_of_queries(house: House, spend: Spend, django_assert_num_queries: object) -> None:
    spend("Carla", 30, with_receipts=True)
    house.get("/expenses?limit=2", by=None)
    for limit in (2, 30):
        with django_assert_num_queries(2):  # type: ignore[operator]
            house.get(f"/expenses?limit={limit}", by=None)
