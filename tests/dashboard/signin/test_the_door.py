"""The door when a session ends: a full navigation to sign-in and back to a page that can be shown, for pages, swaps and polls."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import resolve

from dashboard.access.addresses import showable
from dashboard.access.sessions import end_sessions
from tests.dashboard.pages.conftest import House
from tests.dashboard.test_addresses import patterns
from tests.dashboard.test_strange_addresses import filled

SWAP = {"HX-Request": "true"}
TABLE = Path(__file__).parent.parent / "data" / "addresses.csv"
HOST = "http://testserver"


def back_of(location: str) -> str:
    """Where a sign-in address leads to afterwards."""
    parts = urlsplit(location)
    assert parts.path == "/-/account/login/", location
    return parse_qs(parts.query)["next"][0]


def without_session(house: House, name: str = "Apollo") -> Client:
    """A browser whose session is deleted in the database, behind its back."""
    browser = house.browser(name)
    assert browser.get(house.address()).status_code == 200
    Session.objects.filter(session_key=browser.session.session_key).delete()
    return browser


def test_deleting_its_row_ends_a_session_at_once_for_pages_swaps_and_polls(house: House) -> None:
    browser = without_session(house)
    assert back_of(browser.get(house.address("expenses/"))["Location"]) == house.address("expenses/")
    polls = (
        f"/-/pulse/{house.business.slug}/", f"/-/bell/{house.business.slug}/", "/-/session/", "/-/alive/",
        house.address("approvals/totals/"), house.address("home/queue/"), house.address("decisions/rows/"),
    )  # fmt: skip
    for address in polls:
        here = f"{HOST}{house.address('approvals/?q=fuel')}"
        answer = browser.get(address, headers=SWAP | {"HX-Current-URL": here})
        assert answer.status_code == 401, address
        assert answer.content == b"", address
        assert back_of(answer["HX-Redirect"]) == house.address("approvals/?q=fuel"), address
        assert "ended=1" in answer["HX-Redirect"]


def test_every_address_leads_back_to_a_page_that_can_be_shown(house: House) -> None:
    """By the reviewed table itself: wherever a GET is answered 405, the way back is another page, which is not."""
    only_posts = {
        row["address"] for row in csv.DictReader(TABLE.open()) if row["method"] == "GET" and row["Apollo"] == "405"
    }
    assert len(only_posts) > 40
    names = {f"/{whole}": one for whole, one in patterns()}
    for address in only_posts:
        assert address in names, address
        posted_to = filled(house.business.slug, address[1:])
        # It is the address itself, not one above it, that is asked for a page.
        assert names[address].callback is resolve(posted_to).func, address
        back = showable(posted_to)
        assert back != posted_to, address
        assert house.browser("Sam").get(back).status_code != 405, f"{address} leads to {back}"


@pytest.mark.parametrize(
    ("posted", "back"),
    [
        ("approvals/expense/1/reject/", "approvals/expense/1/"),
        ("approvals/plan/", "approvals/"),
        ("settings/members/invite/", "settings/members/"),
        ("lists/expenses/plan/", ""),
    ],
)
def test_a_form_without_its_session_comes_back_to_the_page_it_stood_on(house: House, posted: str, back: str) -> None:
    browser = without_session(house)
    swap = browser.post(house.address(posted), headers=SWAP | {"HX-Current-URL": f"{HOST}{house.address(posted)}"})
    assert (swap.status_code, back_of(swap["HX-Redirect"])) == (401, house.address(back))
    sent = browser.post(house.address(posted), headers={"Referer": f"{HOST}{house.address('expenses/?q=x')}"})
    assert back_of(sent["Location"]) == house.address("expenses/?q=x")
    # Sent again from the page that answered it, which only takes posts.
    again = browser.post(house.address(posted), headers={"Referer": f"{HOST}{house.address(posted)}"})
    assert back_of(again["Location"]) == house.address(back)


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/x", "//evil.example/x", "javascript:alert(1)", "/-/account/logout/"]
)
def test_the_way_back_never_leaves_us(house: House, elsewhere: str) -> None:
    browser = without_session(house)
    answer = browser.post(house.address("approvals/plan/"), headers=SWAP | {"HX-Current-URL": elsewhere})
    back = back_of(answer["HX-Redirect"])
    assert back in {"/", house.address("approvals/")}
    assert "evil" not in unquote(back)


def test_an_old_page_after_signing_in_again_is_drawn_anew_and_one_without_session_signs_in(house: House) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(house.people["Apollo"].user)
    here = {"HX-Current-URL": f"{HOST}{house.address('approvals/plan/')}"}
    renewed = browser.post(house.address("approvals/plan/"), {"verb": "approve"}, headers=SWAP | here)
    assert (renewed.status_code, renewed["HX-Redirect"]) == (403, house.address("approvals/"))
    Session.objects.filter(session_key=browser.session.session_key).delete()
    gone = browser.post(house.address("approvals/plan/"), {"verb": "approve"}, headers=SWAP | here)
    assert (gone.status_code, back_of(gone["HX-Redirect"])) == (401, house.address("approvals/"))
    sent = browser.post(house.address("approvals/plan/"), {"verb": "approve"})
    assert back_of(sent["Location"]) == house.address("approvals/")


def test_whoever_was_never_here_is_not_told_that_a_session_has_ended(house: House) -> None:
    location = Client().get(house.address("approvals/"))["Location"]
    assert "ended" not in location
    assert back_of(location) == house.address("approvals/")


def test_a_session_tells_how_long_it_lasts_and_whose_it_is(house: House) -> None:
    browser = house.browser("Apollo")
    browser.get(house.address())
    told = browser.get("/-/session/", headers=SWAP).json()
    assert told["person"] == house.people["Apollo"].user_id
    assert 890 < told["left"] <= 900


def test_a_session_that_ends_while_a_request_is_at_work_does_not_hide_its_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard.web import account_views

    browser = house.browser("Apollo")
    browser.get(house.address())
    real = account_views.redirect

    def ends_meanwhile(*given: Any) -> Any:
        Session.objects.filter(session_key=browser.session.session_key).delete()
        return real(*given)

    monkeypatch.setattr(account_views, "redirect", ends_meanwhile)
    session = browser.session
    session["seen_at"] = session["seen_at"] - 60
    session.save()
    answer = browser.post("/-/you/", {"theme": "dark"})
    assert answer.status_code == 302
    house.people["Apollo"].user.refresh_from_db()
    assert house.people["Apollo"].user.theme == "dark"
    assert browser.get(house.address()).status_code == 302


def test_ending_somebodys_sessions_ends_them_for_polls_too(house: House) -> None:
    user = house.people["Apollo"].user
    user.set_password("correct horse battery")
    user.save()
    browser = Client()
    browser.post("/-/account/login/", {"login": user.email, "password": "correct horse battery"})
    assert browser.get(house.address()).status_code == 200
    assert end_sessions(user.pk) == 1
    assert browser.get(f"/-/pulse/{house.business.slug}/", headers=SWAP).status_code == 401
