"""Where a person is signed in: who sees it and ends it, that it ends at once, and that nothing of other businesses is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.test import Client, RequestFactory

from dashboard.access.models import Membership
from dashboard.access.sessions import OwnSessions, end_session, renew_session_id
from dashboard.audit.models import AuditEntry
from dashboard.notifications.models import PushDevice
from dashboard.web.signin.session_store import SessionStore
from tests.dashboard.pages.conftest import House

PASSWORD = "correct horse battery"
CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def signed_in(house: House, name: str, agent: str = CHROME, ip: str = "192.0.2.7") -> Client:
    """A browser in which somebody of the cast has signed in by password, and entered the business."""
    user = house.people[name].user
    if not user.check_password(PASSWORD):
        user.set_password(PASSWORD)
        user.save()
    browser = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=ip)
    browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD})
    assert browser.get(house.address()).status_code == 200
    return browser


def verified(house: House, name: str) -> Client:
    browser = house.browser(name)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return browser


def page_of(house: House, by: str, name: str) -> str:
    answer = house.browser(by).get(house.address(f"people/{house.employee_id(name)}/"))
    assert answer.status_code == 200
    return str(
        answer.content.decode().replace("\u2068", "").replace("\u2069", "").replace("<bdi>", "").replace("</bdi>", "")
    )


def end(house: House, by: str, name: str, session: UserSession, browser: Client | None = None) -> Any:
    address = house.address(f"people/{house.employee_id(name)}/sessions/{session.pk}/end/")
    return (browser or verified(house, by)).post(address, {"key": "k"})


def only_session(house: House, name: str) -> UserSession:
    return UserSession.objects.get(user=house.people[name].user)


def test_an_admin_sees_each_session_in_words(house: House) -> None:
    signed_in(house, "Carla")
    signed_in(house, "Carla", FIREFOX, "192.0.2.8")
    page = page_of(house, "Ada", "Carla")
    assert "Chrome on Mac" in page
    assert "Firefox on Linux" in page
    assert "from 192.0.2.7; last seen " in page
    assert "Has not entered this business in a session that is open" in page_of(house, "Ada", "Apollo")


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_nobody_else_sees_or_ends_them(house: House, by: str) -> None:
    browser = signed_in(house, "Zawadi")
    answer = house.browser(by).get(house.address(f"people/{house.employee_id('Zawadi')}/"))
    assert "Devices and sessions" not in answer.content.decode()
    assert end(house, by, "Zawadi", only_session(house, "Zawadi")).status_code in {403, 404}
    assert browser.get(house.address()).status_code == 200


def test_it_ends_at_once_and_the_others_go_on(house: House) -> None:
    lost, other = signed_in(house, "Carla"), signed_in(house, "Carla", FIREFOX)
    session = UserSession.objects.get(session_key=lost.session.session_key)
    kept = UserSession.objects.get(session_key=other.session.session_key)
    for row in (session, kept):
        PushDevice.objects.create(
            membership=house.people["Carla"], session=row, endpoint_hash=f"e{row.pk}", browser_hash=f"b{row.pk}",
            subscription_sealed=b"", host="push.test", label="a browser",
        )  # fmt: skip
    assert end(house, "Ada", "Carla", session).status_code == 302
    assert lost.get(house.address()).status_code == 302
    assert not Session.objects.filter(session_key=session.session_key).exists()
    assert other.get(house.address()).status_code == 200
    assert [device.session for device in PushDevice.objects.filter(membership=house.people["Carla"])] == [kept]
    line = AuditEntry.objects.get(chain=house.business.pk, operation="member_sessions", outcome="DONE")
    assert (line.sentence, line.actor_name) == ("ended a session of Carla: Chrome on Mac", "Ada")
    assert line.object_id == house.employee_id("Carla")


def test_one_that_has_ended_already_is_said_to_have(house: House) -> None:
    signed_in(house, "Carla")
    session = only_session(house, "Carla")
    browser = verified(house, "Ada")
    end(house, "Ada", "Carla", session, browser)
    answer = browser.get(end(house, "Ada", "Carla", session, browser)["Location"])
    assert "That session had ended already" in answer.content.decode()
    assert AuditEntry.objects.filter(chain=house.business.pk, operation="member_sessions").count() == 1


def test_it_asks_to_verify_first(house: House) -> None:
    signed_in(house, "Carla")
    answer = end(house, "Ada", "Carla", only_session(house, "Carla"), house.browser("Ada"))
    assert "reauthenticate" in answer["Location"]
    assert UserSession.objects.filter(user=house.people["Carla"].user).exists()


def test_nobody_ends_their_own_here(house: House) -> None:
    signed_in(house, "Ada")
    session = only_session(house, "Ada")
    assert "Devices and sessions" not in page_of(house, "Ada", "Ada")
    assert end(house, "Ada", "Ada", session).status_code == 403
    line = AuditEntry.objects.get(chain=house.business.pk, operation="member_sessions")
    assert (line.outcome, line.sentence) == ("DENIED", "tried to end a session of Ada")


def test_a_session_at_another_business_is_neither_shown_nor_ended(
    house: House, new_house: Callable[..., House]
) -> None:
    other = new_house()
    carla = house.people["Carla"].user
    Membership.objects.create(user=carla, business=other.business, role="CARD_USER", employee_id="elsewhere")
    carla.set_password(PASSWORD)
    carla.save()
    browser = Client(HTTP_USER_AGENT=CHROME)
    browser.post("/-/account/login/", {"login": carla.email, "password": PASSWORD})
    assert browser.get(other.address()).status_code == 200
    assert "Chrome on Mac" not in page_of(house, "Ada", "Carla")
    end(house, "Ada", "Carla", only_session(house, "Carla"))
    assert browser.get(other.address()).status_code == 200
    assert end(house, "Ada", "Apollo", only_session(house, "Carla")).status_code == 302
    assert UserSession.objects.filter(user=carla).exists()


def test_when_somebody_was_last_there_is_not_told_of_a_session_at_other_businesses_too(
    house: House, new_house: Callable[..., House]
) -> None:
    other, browser = new_house(), signed_in(house, "Carla")
    carla = house.people["Carla"].user
    Membership.objects.create(user=carla, business=other.business, role="CARD_USER", employee_id="elsewhere")
    assert "; last seen " in page_of(house, "Ada", "Carla")
    assert browser.get(other.address()).status_code == 200
    page = page_of(house, "Ada", "Carla")
    assert "from 192.0.2.7" in page
    assert "last seen" not in page.split("Devices and sessions")[1].split("</section>")[0]


def test_one_that_has_been_idle_for_too_long_is_not_shown(house: House) -> None:
    browser = signed_in(house, "Carla")
    session = browser.session
    session["seen_at"] = time.time() - 24 * 3600
    session.save()
    assert "Has not entered this business in a session that is open" in page_of(house, "Ada", "Carla")


def request_of(browser: Client) -> HttpRequest:
    """A request in which the session has been read, and that has got no further."""
    request = RequestFactory(HTTP_USER_AGENT=CHROME).get("/")
    request.session = SessionStore(browser.session.session_key)
    request.user = get_user(request)
    assert request.user.is_authenticated
    return request


def test_one_that_was_ended_while_its_person_proved_who_they_are_gets_no_new_id(house: House) -> None:
    request = request_of(signed_in(house, "Carla"))
    end(house, "Ada", "Carla", only_session(house, "Carla"))
    before = Session.objects.count()
    renew_session_id(request)
    assert Session.objects.count() == before
    assert "_auth_user_id" not in request.session
    assert not UserSession.objects.filter(user=house.people["Carla"].user).exists()


@pytest.mark.parametrize("way", ["by an admin", "on one's own page"])
def test_one_that_got_a_new_id_after_it_was_read_is_ended_under_that(house: House, way: str) -> None:
    request = request_of(signed_in(house, "Carla"))
    row = only_session(house, "Carla")
    renew_session_id(request)
    assert request.session.session_key != row.session_key
    if way == "by an admin":
        with transaction.atomic():
            end_session(row)
    else:
        OwnSessions().end_sessions([row])
    assert not Session.objects.filter(session_key=request.session.session_key).exists()
    assert not UserSession.objects.filter(pk=row.pk).exists()
