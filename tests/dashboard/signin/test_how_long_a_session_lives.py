"""Sessions: idle and absolute ends, polls that do not count, what was typed kept, sign-out, a required factor."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from tests.dashboard.pages.conftest import House

PASSWORD = "correct horse battery"


def aged(browser: Client, **ages: float) -> None:
    session = browser.session
    for name, seconds in ages.items():
        session[name] = time.time() - seconds
    session.save()


@pytest.mark.parametrize("ages", [{"seen_at": 16 * 60, "started_at": 60}, {"seen_at": 1, "started_at": 12 * 3600 + 1}])
def test_an_old_session_ends_and_the_page_says_so(house: House, ages: dict[str, float]) -> None:
    browser = house.browser("Apollo")
    browser.get(house.address())
    aged(browser, **ages)
    answer = browser.get(house.address("approvals/?q=fuel"), follow=True)
    assert answer.redirect_chain[0][0].startswith("/-/account/login/?expired=1&next=")
    assert "Your session has ended" in answer.content.decode()
    assert browser.get(house.address()).status_code == 302


def test_a_session_in_use_goes_on(house: House) -> None:
    browser = house.browser("Apollo")
    browser.get(house.address())
    aged(browser, seen_at=14 * 60, started_at=3600)
    assert browser.get(house.address()).status_code == 200
    assert time.time() - browser.session["seen_at"] < 5


def test_a_poll_does_not_keep_a_session_alive(house: House) -> None:
    browser = house.browser("Apollo")
    browser.get(house.address("approvals/"))
    aged(browser, seen_at=14 * 60, started_at=3600)
    swap = {"HX-Request": "true"}
    for address in (
        f"/-/pulse/{house.business.slug}/",
        house.address("approvals/totals/"),
        house.address("home/queue/"),
    ):
        assert browser.get(address, headers=swap).status_code == 200
        assert time.time() - browser.session["seen_at"] > 13 * 60, address
    assert browser.get("/-/alive/").status_code == 204
    assert time.time() - browser.session["seen_at"] < 5


def test_what_was_typed_waits_unsent_for_the_same_person(house: House) -> None:
    from dashboard.decisions.models import Decision

    user = house.people["Apollo"].user
    user.set_password(PASSWORD)
    user.save()
    expense, browser = house.expense(), Client()
    browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD})
    browser.get(house.address())
    aged(browser, seen_at=16 * 60)
    address = house.address(f"approvals/expense/{expense.remote_id}/reject/")
    answer = browser.post(address, {"reason": "The receipt is of another day", "key": "k1", "fingerprint": "f"})
    assert answer["Location"].startswith("/-/account/login/?expired=1&next=%2F-%2Fkept%2F")
    assert not Decision.objects.filter(object_id=expense.remote_id).exists()
    answer = browser.post(answer["Location"], {"login": user.email, "password": PASSWORD}, follow=True)
    body = answer.content.decode()
    assert "The receipt is of another day" in body
    assert f'action="{address}"' in body
    assert "Nothing was sent" in body


def test_somebody_else_never_sees_what_was_typed(house: House) -> None:
    browser = house.browser("Apollo")
    browser.get(house.address())
    aged(browser, seen_at=16 * 60)
    browser.post(house.address("approvals/plan/"), {"reason": "between us", "password": "never kept"})
    assert "never kept" not in str(dict(browser.session))
    browser.force_login(house.people["Zawadi"].user)
    assert "between us" not in browser.get("/-/kept/", follow=True).content.decode()


def test_a_swap_after_the_end_becomes_a_full_navigation(house: House) -> None:
    browser = house.browser("Apollo")
    browser.get(house.address())
    aged(browser, seen_at=16 * 60)
    answer = browser.get(house.address("home/queue/"), headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert answer["HX-Redirect"].startswith("/-/account/login/?expired=1&next=")


def test_signing_out_clears_what_the_browser_keeps(house: House) -> None:
    browser = house.browser("Apollo")
    assert browser.get(house.address())["Cache-Control"] == "no-store"
    answer = browser.post("/-/account/logout/")
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert browser.get(house.address()).status_code == 302


def test_a_business_that_asks_for_a_second_factor_explains_and_leads_there(
    new_house: Callable[..., House],
) -> None:
    house = new_house(second_factor_roles=["APPROVER"])
    browser = house.browser("Apollo")
    answer = browser.get(house.address("approvals/"))
    assert answer.status_code == 403
    assert "requires a second factor" in answer.content.decode()
    assert "/-/account/2fa/totp/activate/" in answer.content.decode()
    assert house.browser("Ada").get(house.address("approvals/")).status_code == 200
    Authenticator.objects.create(user=house.people["Apollo"].user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert browser.get(house.address("approvals/")).status_code == 200


def test_wrong_passwords_lock_and_do_not_tell_who_exists(house: House) -> None:
    email, browser = house.people["Apollo"].user.email, Client()
    for _ in range(6):
        answer = browser.post("/-/account/login/", {"login": email, "password": "wrong"})
    assert "Too many failed login attempts" in answer.content.decode()
    unknown = browser.post("/-/account/password/reset/", {"email": "nobody@nowhere.test"})
    known = browser.post("/-/account/password/reset/", {"email": email})
    assert unknown.status_code == known.status_code == 302
    assert unknown["Location"] == known["Location"]


def test_nobody_signs_up(db: None) -> None:
    browser = Client()
    given = {"email": "x@x.test", "password1": PASSWORD, "password2": PASSWORD}
    body = browser.post("/-/account/signup/", given).content.decode()
    assert "By invitation" in body


def test_the_totp_secret_is_sealed_and_the_page_shows_a_picture_without_style(house: House) -> None:
    from allauth.mfa.totp.internal.auth import TOTP

    user = house.people["Apollo"].user
    totp = TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    assert "JBSWY3DPEHPK3PXP" not in str(totp.instance.data)
    browser = house.browser("Ada")
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session.save()
    body = browser.get("/-/account/2fa/totp/activate/").content.decode()
    assert "<svg" in body
    assert "data:image" not in body
    assert "style=" not in body
