"""Where single sign-on is required: passwords open nothing, but for the break-glass super admin, and that is told."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client

from dashboard.access.invite import invite
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry
from dashboard.notifications.models import Notice
from tests.browser.desk import totp
from tests.dashboard.signin.conftest import SignOn, is_in

PASSWORD, SECRET = "correct horse battery", "JBSWY3DPEHPK3PXP"


def by_password(sign_on: SignOn, name: str) -> tuple[Client, Any]:
    user, browser = sign_on.house.people[name].user, Client()
    user.set_password(PASSWORD)
    user.save()
    return browser, browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD})


@pytest.fixture
def required(sign_on: SignOn) -> SignOn:
    sign_on.change(required=True)
    Membership.objects.filter(pk=sign_on.house.people["Sam"].pk).update(is_break_glass=True)
    return sign_on


def test_a_password_leads_to_single_sign_on(required: SignOn) -> None:
    browser, answer = by_password(required, "Apollo")
    assert answer["Location"] == f"/-/sign-on/?business={required.house.business.slug}"
    assert "_auth_user_id" not in browser.session


def test_a_session_by_password_from_before_is_asked_for_it_too(required: SignOn) -> None:
    answer = required.house.browser("Apollo").get(required.house.address())
    assert answer.status_code == 403
    assert "requires single sign-on" in answer.content.decode()


def test_single_sign_on_opens_it_without_a_second_factor_of_ours(required: SignOn) -> None:
    business = required.house.business
    type(business).objects.filter(pk=business.pk).update(second_factor_roles=["APPROVER"])
    browser = Client()
    required.through(browser, required.person("Apollo"))
    assert is_in(browser, required.house)


def test_the_break_glass_super_admin_enters_by_password_and_second_factor_and_the_others_are_told(
    required: SignOn,
) -> None:
    sam = required.house.people["Sam"]
    TOTP.activate(sam.user, SECRET)
    browser, answer = by_password(required, "Sam")
    assert answer["Location"].startswith("/-/account/2fa/authenticate/")
    assert not is_in(browser, required.house)
    browser.post("/-/account/2fa/authenticate/", {"code": totp(SECRET)})
    assert is_in(browser, required.house)
    browser.get(required.house.address("settings/"))
    lines = AuditEntry.objects.filter(chain=required.house.business.pk, sentence__startswith="entered as break-glass")
    assert [line.actor_name for line in lines] == ["Sam"]
    told = Notice.objects.filter(business=required.house.business, sentence__contains="break-glass")
    assert {notice.membership.user.name for notice in told} == {"Ada", "Selma"}


def test_without_a_second_factor_break_glass_opens_nothing(required: SignOn) -> None:
    browser, _ = by_password(required, "Sam")
    assert not Authenticator.objects.filter(user=required.house.people["Sam"].user).exists()
    assert browser.get(required.house.address()).status_code == 403


def test_another_super_admin_does_not_break_glass(required: SignOn) -> None:
    TOTP.activate(required.house.people["Selma"].user, SECRET)
    browser, answer = by_password(required, "Selma")
    assert answer["Location"].startswith("/-/sign-on/")
    assert not is_in(browser, required.house)


def test_an_invitation_leads_to_single_sign_on(required: SignOn) -> None:
    required.house.business.refresh_from_db()
    link = invite(required.house.business, f"new@{required.house.business.slug}.test", Role.CARD_USER)
    assert link.endswith(f"/-/sign-on/?business={required.house.business.slug}")
