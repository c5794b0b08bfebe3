"""Whatever stands in the place of an id, in a query or in a form: 404 or 400 in words, never 500, whoever asks."""

import os
import re
import uuid
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import Resolver404, get_resolver, resolve, reverse

from tests.dashboard.pages.conftest import House, house
from tests.dashboard.test_addresses import patterns

__all__ = ["house"]
# Addresses are refused before anybody asks who it is: one person and a stranger in CI, every role in the full run.
PEOPLE = ("Carla", "Rita", "Apollo", "Ada", "Sam") if os.environ.get("FULL") else ("Ada",)
ADDRESSES_APART = 1 if os.environ.get("FULL") else 4
PLACE = re.compile(r"<(\w+):\w+>")
GOOD = {
    "remote": "a" * 24, "word": "expense", "key": "k1", "number": "999999999999999999", "uuid": str(uuid.UUID(int=7)),
}  # fmt: skip
# Shapes that no id has: controls, bytes that are no text, another script's digits, what turns the text around, length.
STRANGE = (
    "%00", "a%00b", "1%00", "%0a", "a%0ab", "%0d%0a", "%7f", "%ff", "a%ffb", "%c3%28", "%ed%a0%80", "%e2%80%ae",
    "%d9%a1", "a%20b", "'%22", "9" * 19, "a" * 10_000, "9" * 10_000,
)  # fmt: skip
# Digits are an id and a key; conversation/comments/9…/ is a conversation about a kind that there is not.
ALLOWED = {"key": {"9" * 19}, "remote": {"9" * 19}, "uuid": {"9" * 19}}
# A path of ours that no library's converter judges; sign-in's own are allauth's.
LIBRARY = "-/account/"


def filled(slug: str, whole: str, place: int = -1, value: str = "") -> str:
    """The address with something of the right shape in each place, and `value` in the place of that number."""
    kinds = iter(range(len(PLACE.findall(whole))))

    def one(found: re.Match[str]) -> str:
        return value if next(kinds) == place else slug if found[1] == "slug" else GOOD[found[1]]

    return "/" + PLACE.sub(one, whole)


def strange(house: House) -> list[str]:
    """Every address with each strange value in each of its places."""
    found = []
    for whole, _ in patterns():
        for place, kind in enumerate(PLACE.findall(whole)):
            values = [value for value in STRANGE if value not in ALLOWED.get(kind, ())]
            found += [filled(house.business.slug, whole, place, value) for value in values if kind != "slug"]
    return found


@pytest.fixture(params=[*PEOPLE, "nobody"])
def browser(request: pytest.FixtureRequest, house: House) -> Client:
    browser = Client() if request.param == "nobody" else house.browser(request.param)
    browser.raise_request_exception = False
    return browser


def test_no_address_has_a_place_for_a_strange_id(house: House) -> None:
    addresses = strange(house)
    assert len(addresses) > 1_000
    assert [address[:120] for address in addresses if is_known(unquote(address))] == []


def is_known(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def test_a_strange_id_leads_nowhere_for_everybody(house: House, browser: Client) -> None:
    # Which of the values is asked for moves on with the address: all of them at all would be minutes.
    addresses = strange(house)[:: len(STRANGE) - 3]
    assert len(addresses) > 80
    answers = {
        address[:120]: (browser.get(address).status_code, browser.post(address).status_code) for address in addresses
    }
    assert {address: status for address, status in answers.items() if status != (404, 404)} == {}


def test_a_strange_business_leads_nowhere(house: House, browser: Client) -> None:
    for value in STRANGE:
        assert browser.get(f"/{value}/approvals/").status_code in {302, 404}, value


def test_a_nul_in_a_query_or_a_form_is_refused_in_words(house: House, browser: Client) -> None:
    wrong = []
    for whole, pattern in list(patterns())[::ADDRESSES_APART]:
        address = filled(house.business.slug, whole)
        answers = [browser.get(f"{address}?anything=a%00b"), browser.get(f"{address}?a%00b=1")]
        posted = [browser.post(address, {"anything": "a\x00b"}), browser.post(address, {"a\x00b": "1"})]
        if getattr(pattern.callback, "csrf_exempt", False):
            # What no form of ours sends (hooks, mail, SCIM, SAML) is judged by its own view, which believes none of it.
            wrong += [(address, answer.status_code) for answer in posted if not 300 <= answer.status_code < 500]
            posted = []
        for answer in answers + posted:
            said = answer.status_code == 400 and "contains a NUL character" in answer.content.decode()
            wrong += [] if said else [(address, answer.status_code)]
    assert wrong == []


def test_a_nul_in_a_swap_is_told_in_the_toasts(house: House) -> None:
    answer = house.browser("Ada").get(house.address("customers/?q=%00"), headers={"HX-Request": "true"})
    assert answer.status_code == 400
    assert answer["HX-Retarget"] == "#toasts"


def test_a_nul_in_the_address_of_a_library_is_no_500_either(house: House, browser: Client) -> None:
    resolver = get_resolver()
    named = {name for name in resolver.reverse_dict if isinstance(name, str)}
    asked = ["/-/account/%00/", "/-/account/oidc/%00/login/", "/-/account/password/reset/key/1-%00/", "/%00/", "/%00"]
    assert "account_login" in named
    for address in asked:
        assert browser.get(address).status_code == 404, address


def test_a_cookie_with_a_nul_is_as_if_it_were_not_there(house: House) -> None:
    browser = Client(raise_request_exception=False)
    browser.cookies["sessionid"] = "x"
    headers = {"HTTP_COOKIE": '__Host-sessionid="abcdefgh\\000"; sessionid="abcdefgh\\000ijkl"'}
    answer = Client(raise_request_exception=False).get(house.address("approvals/"), **headers)  # type: ignore[arg-type]
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


def test_an_id_that_no_address_holds_is_linked_to_nowhere_and_breaks_no_page(house: House) -> None:
    assert reverse("expenses_item", args=[house.business.slug, "a/b"]).endswith("/expenses/not-addressable/")
    house.expense(remote_id="with a space", merchant="Odd one")
    page = house.browser("Ada").get(house.address("expenses/"))
    assert page.status_code == 200
    assert "Odd one" in page.content.decode()
