"""The palette finds pages and things by name, reference and amount, and nothing that the lists would not show."""

from collections.abc import Callable

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from dashboard.pages.finder.selectors.hits import search
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House

VENDOR = {"_id": "a" * 24, "name": "Shell Kilimani", "status": "ACTIVE", "version": 1}


def titles(house: House, person: str, typed: str) -> dict[str, list[str]]:
    groups = search(house.actor(person), typed)
    return {group.title: [hit.title for hit in group.hits] for group in groups}


def test_without_words_it_leads_to_the_pages_that_the_role_may_open(house: House) -> None:
    assert "Settings" not in titles(house, "Carla", "")["Pages"]
    assert {"Home", "Expenses"} <= set(titles(house, "Carla", "")["Pages"])
    assert "Settings" in titles(house, "Sam", "sett")["Pages"]


def test_an_area_that_is_empty_for_somebody_is_not_offered_to_them(house: House) -> None:
    for typed in ("", "investments", "go to investments", "go to wallet"):
        offered = [title for found in titles(house, "Carla", typed).values() for title in found]
        assert not [title for title in offered if "Investments" in title or "Wallet" in title], typed
    assert "Investments" in titles(house, "Rita", "investments")["Pages"]
    assert titles(house, "Rita", "go to investments")["Actions"] == ["Go to Investments"]


def test_things_are_found_by_name_reference_and_amount(house: House) -> None:
    expense = house.expense(
        merchant="Shell Kilimani", amount_minor=123_400, transaction_ref="TRX-77", notes="amina@shell.example"
    )
    payment = house.payment(title="Salaries November", amount_minor=123_400)
    upsert("vendor", house.business, [VENDOR], Origin.POLL)
    by_name = titles(house, "Ada", "she kil")
    assert by_name["Expenses"] == [expense.merchant]
    assert by_name["Vendors"] == ["Shell Kilimani"]
    for typed in ("TRX-77", "trx-7", "TRX 77", "amina@shell.example", "amina@sh"):
        assert titles(house, "Ada", typed)["Expenses"] == [expense.merchant]
    by_amount = titles(house, "Ada", "1,234")
    assert (by_amount["Expenses"], by_amount["Approvals"]) == ([expense.merchant], [payment.title])


def test_nobody_finds_what_their_lists_do_not_show(house: House, new_house: Callable[..., House]) -> None:
    house.expense(merchant="Shell Kilimani", employee_id=house.employee_id("Apollo"), team_id="")
    upsert("vendor", house.business, [VENDOR], Origin.POLL)
    assert "Expenses" not in titles(house, "Carla", "shell")
    assert "Vendors" not in titles(house, "Carla", "shell")
    assert "Approvals" not in titles(house, "Carla", "salaries")
    assert "Vendors" not in titles(new_house(), "Ada", "shell")


def test_what_cannot_be_looked_for_finds_nothing_and_breaks_nothing(house: House) -> None:
    browser = house.browser("Ada")
    for typed in ("%07", "%26|!", "a", "x" * 400, "'%3A*", "99999999999999999999"):
        assert browser.get(house.address(f"find/?q={typed}")).status_code == 200
    assert "No results" in markup_of(browser.get(house.address("find/?q=zzzzqq")))


def test_the_palette_gets_the_hits_and_how_many_are_said_aloud(house: House) -> None:
    house.expense(merchant="Kilimani <& Sons")
    answer = house.browser("Ada").get(house.address("find/?q=kilimani"), headers={"HX-Request": "true"})
    part = markup_of(answer)
    assert "<html" not in part
    assert "Kilimani &lt;&amp; Sons" in part
    assert '<p id="found-said" hx-swap-oob="innerHTML">1 found</p>' in part


def test_it_asks_each_list_once_however_much_there_is(
    house: House, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for at in range(12):
        house.expense(merchant=f"Shell {at}")
    actor = house.actor("Ada")
    # One for each list that is searched, the policies and workflows among them, and what may be opened.
    with django_assert_max_num_queries(13):  # type: ignore[attr-defined]
        assert len(next(group for group in search(actor, "shell") if group.title == "Expenses").hits) == 5
