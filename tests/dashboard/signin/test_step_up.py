"""Showing again that it is oneself gives the session a new id; what waits under the old one is sent all the same."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client

from dashboard.decisions.dispatcher import is_session_alive
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from tests.dashboard.pages.conftest import House

PASSWORD = "correct horse battery"
SECRET = "JBSWY3DPEHPK3PXP"


def signed_in(house: House, name: str) -> Client:
    """A browser in which somebody has signed in by their password."""
    user, browser = house.people[name].user, Client()
    user.set_password(PASSWORD)
    user.save()
    browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD})
    assert browser.get(house.address()).status_code == 200
    return browser


def proves_again(browser: Client) -> Any:
    return browser.post("/-/account/reauthenticate/", {"password": PASSWORD, "next": "/-/you/"})


def decided(house: House, browser: Client, key: str) -> Decision:
    expense = house.expense()
    form = {"key": key, "fingerprint": fingerprint_of(expense)}
    assert browser.post(house.address(f"approvals/expense/{expense.remote_id}/approve/"), form).status_code == 302
    return Decision.objects.get(key=key)


def test_the_id_changes_the_old_one_opens_nothing_and_the_person_stays_signed_in(house: House) -> None:
    browser = signed_in(house, "Apollo")
    old = browser.session.session_key
    stolen = Client()
    stolen.cookies["countersign_session"] = old
    assert stolen.get(house.address()).status_code == 200
    answer = proves_again(browser)
    assert answer["Location"] == "/-/you/"
    assert browser.session.session_key != old
    assert browser.get(house.address()).status_code == 200
    assert stolen.get(house.address()).status_code == 302
    assert not Session.objects.filter(session_key=old).exists()
    rows = UserSession.objects.filter(user=house.people["Apollo"].user)
    assert [row.session_key for row in rows] == [browser.session.session_key]


def test_a_second_factor_shown_again_changes_it_too(house: House) -> None:
    browser = signed_in(house, "Apollo")
    TOTP.activate(house.people["Apollo"].user, SECRET)
    from tests.browser.desk import totp

    old = browser.session.session_key
    answer = browser.post("/-/account/2fa/reauthenticate/", {"code": totp(SECRET), "next": "/-/you/"})
    assert answer.status_code == 302, answer.content
    assert browser.session.session_key != old
    assert Authenticator.objects.filter(user=house.people["Apollo"].user).exists()


def test_what_waits_under_it_lives_on_through_every_new_id(house: House) -> None:
    browser, apollo = signed_in(house, "Apollo"), house.people["Apollo"].user
    first = decided(house, browser, "k1")
    for _ in range(3):
        proves_again(browser)
    second = decided(house, browser, "k2")
    assert first.session_key != second.session_key == browser.session.session_key
    for decision in (first, second):
        decision.refresh_from_db()
        assert is_session_alive(decision.session_key, apollo)


@pytest.mark.parametrize("how", ["row deleted", "signed out", "ended", "password changed"])
def test_with_the_session_everything_ends_that_waits_under_any_of_its_ids(house: House, how: str) -> None:
    from dashboard.access.sessions import end_sessions

    browser, apollo = signed_in(house, "Apollo"), house.people["Apollo"].user
    decision = decided(house, browser, "k1")
    proves_again(browser)
    assert is_session_alive(decision.session_key, apollo)
    if how == "row deleted":
        Session.objects.filter(session_key=browser.session.session_key).delete()
    elif how == "signed out":
        browser.post("/-/account/logout/")
    elif how == "ended":
        end_sessions(apollo.pk)
    else:
        apollo.set_password("another horse battery")
        apollo.save()
    assert not is_session_alive(decision.session_key, apollo)


def test_nobody_elses_session_keeps_a_decision_alive(house: House) -> None:
    browser = signed_in(house, "Apollo")
    decision = decided(house, browser, "k1")
    proves_again(browser)
    zawadi = house.people["Zawadi"].user
    signed_in(house, "Zawadi")
    assert not is_session_alive(decision.session_key, zawadi)
    assert not is_session_alive("no-such-session", house.people["Apollo"].user)


def test_a_wrong_password_changes_nothing(house: House) -> None:
    browser = signed_in(house, "Apollo")
    old = browser.session.session_key
    assert browser.post("/-/account/reauthenticate/", {"password": "wrong"}).status_code == 200
    assert browser.session.session_key == old
