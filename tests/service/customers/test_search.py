"""What a search finds and in which order: name, phone and e-mail, from one letter on, ten active customers at most."""

from collections.abc import Callable

import pytest

from service.customers import search as searching
from service.customers.models import CustomerTerm
from service.customers.search_terms import Searchable, digits, fold
from tests.service.house import House, code

PEOPLE = [
    ("Mary Otieno", "mary.o@example.com", "+254700000001"),
    ("Otieno & Sons Supplies Ltd", "info@otieno.co.ke", "254711222333"),
    ("Café Zürich", "hello@cafe.ch", "41441234567"),
    ("Limited Editions", "shop@limited.com", "254722000000"),
    ("Jean-Paul Mary", "jp@example.com", ""),
]


@pytest.fixture
def shop(house: House) -> House:
    for name, email, phone in PEOPLE:
        fields = {"name": name, "email": email, "phone": phone}
        house.post("/customers", {field: value for field, value in fields.items() if value})
    return house


def found(house: House, query: str) -> list[str]:
    answer = house.browser.get(
        "/v2/customers/search",
        {"q": query},
        headers={"Authorization": f"Bearer {house.token}", "X-Acting-Employee": house.person("Rita").id},
    )
    assert answer.status_code == 200, answer.json()
    assert answer.json()["total"] == len(answer.json()["docs"])
    return [each["name"].split()[0] for each in answer.json()["docs"]]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("m", ["Mary", "Jean-Paul"]),
        ("MARY", ["Mary", "Jean-Paul"]),
        ("otieno", ["Otieno", "Mary"]),
        ("otieno sons", ["Otieno"]),
        ("sup", ["Otieno"]),
        ("ltd otieno", ["Otieno"]),
        ("sup oti", ["Otieno"]),
        ("supplies o", ["Otieno"]),
        ("ltd limited", []),
        ("cafe zurich", ["Café"]),
        ("zürich", ["Café"]),
        ("paul", ["Jean-Paul"]),
        ("mary.o@example.com", ["Mary"]),
        ("mary.o", ["Mary"]),
        ("info@", ["Otieno"]),
        ("example", ["Jean-Paul", "Mary"]),
        ("mary example", ["Jean-Paul", "Mary"]),
        ("+254 700 000 001", ["Mary"]),
        ("0700000001", ["Mary"]),
        ("700", ["Mary"]),
        ("2547", ["Limited", "Mary", "Otieno"]),
        ("mary 0700", ["Mary"]),
        ("mary 0711", []),
        ("nobody", []),
        ("!!!", []),
        ("%", []),
        ("_", []),
        ("m\\", ["Mary", "Jean-Paul"]),
    ],
)
def test_all_words_begin_something(shop: House, query: str, names: list[str]) -> None:
    assert found(shop, query) == names


def test_an_exact_phone_comes_first_then_names_then_the_rest(house: House) -> None:
    for name, phone in (("Zed", "254700000007"), ("700000007 Street", ""), ("Abe", "2547000000079")):
        house.post("/customers", {"name": name, **({"phone": phone} if phone else {})})
    assert found(house, "700000007") == ["Zed", "700000007"]
    assert found(house, "25470000000") == ["Abe", "Zed"]


def test_ten_at_most_by_name_whatever_the_accents(house: House) -> None:
    for place in range(12):
        house.post("/customers", {"name": f"Ämter {place:02}"})
    house.post("/customers", {"name": "Amter 00b"})
    names = [each["name"] for each in house.get("/customers/search?q=amter").json()["docs"]]
    assert names == ["Ämter 00", "Amter 00b", *(f"Ämter {place:02}" for place in range(1, 9))]


def test_only_active_ones_of_the_business_are_found(shop: House, houses: Callable[..., House]) -> None:
    other = houses()
    assert found(other, "m") == []
    mary = shop.get("/customers/search?q=mary").json()["docs"][0]["_id"]
    shop.send("DELETE", f"/customers/{mary}")
    assert found(shop, "mary") == ["Jean-Paul"]
    shop.send("PATCH", f"/customers/{mary}/reactivate")
    assert found(shop, "mary") == ["Mary", "Jean-Paul"]
    shop.send("PUT", f"/customers/{mary}", {"name": "Wambui", "email": None, "phone": None})
    assert (found(shop, "mary"), found(shop, "0700000001"), found(shop, "wam")) == (["Jean-Paul"], [], ["Wambui"])
    assert CustomerTerm.objects.filter(customer_id=mary).count() == 1


def test_walk_ins_are_found_by_their_name(house: House) -> None:
    house.post("/customers", {"type": "walkIn"})
    assert found(house, "walk") == ["WalkIn"]


def test_frequent_words_are_found_together(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """With bounds so low that every word is too frequent to be read whole."""
    for bound in ("SCANNED", "WINDOW"):
        monkeypatch.setattr(searching, bound, 2)
    for place in range(5):
        house.post("/customers", {"name": f"Alpha{place} Ltd"})
        house.post("/customers", {"name": f"Limited Beta{place}"})
    house.post("/customers", {"name": "Limited Gamma Ltd"})
    assert found(house, "ltd limi") == ["Limited"]
    assert found(house, "limited ltd") == ["Limited"]
    assert found(house, "limited ltd gamma") == ["Limited"]
    assert found(house, "ltd beta") == []


@pytest.mark.parametrize("query", ["", "q=", "q=%20", "q=" + "x" * 101, "q=%00", "other=1"])
def test_bad_queries_are_refused(house: House, query: str) -> None:
    assert code(house.get(f"/customers/search?{query}"))[0] == 400


def test_a_search_takes_few_statements(shop: House, django_assert_max_num_queries: Callable[..., None]) -> None:
    caller = shop.caller("Rita")
    with django_assert_max_num_queries(4):
        assert searching.search(caller, "mary example")


def test_terms_are_tails_pairs_and_numbers() -> None:
    terms = Searchable("Anna de Wit", "a@x.nl", "0031 6 12345678").terms()
    assert {term for rank, term in terms if rank == 1} == {"anna de wit"}
    assert {term for rank, term in terms if rank == 0} == {"31612345678", "612345678"}
    assert {term for rank, term in terms if rank == 2} == {
        "de wit", "wit", "a x nl", "x nl", "nl", "anna wit", "de anna", "wit anna", "wit de",
    }  # fmt: skip


def test_folding_and_digits() -> None:
    assert fold("  Straße_ÉCLAIR & Co. ") == "strasse eclair co"
    assert digits("+0 (700) 12-34") == "7001234"
