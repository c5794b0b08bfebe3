"""Single sign-on at a real OpenID provider: who is let in, who is not, and what such a session opens."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from dashboard.access.models import Business, Membership, User
from dashboard.audit.models import AuditEntry
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.pages.conftest import House
from tests.dashboard.signin.conftest import SignOn, is_in, link_in, path_of, refused


def test_a_member_signs_in_by_the_address_that_the_provider_has_verified(sign_on: SignOn) -> None:
    browser = Client()
    before = browser.get("/-/account/login/") and browser.session.session_key
    answer = sign_on.through(browser, sign_on.person("Apollo"), next=sign_on.house.address("approvals/"))
    assert (answer.status_code, answer["Location"]) == (302, sign_on.house.address("approvals/"))
    assert is_in(browser, sign_on.house)
    assert browser.session.session_key != before
    account = SocialAccount.objects.get(user=sign_on.house.people["Apollo"].user)
    assert account.provider == sign_on.house.business.slug
    line = AuditEntry.objects.get(chain=sign_on.house.business.pk, sentence__startswith="signed Apollo in")
    assert line.actor_name == "Single sign-on"


def test_the_way_there_carries_state_nonce_and_the_challenge(sign_on: SignOn) -> None:
    asked = parse_qs(urlsplit(sign_on.begin(Client())).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert {"state", "nonce", "code_challenge"} <= set(asked)
    assert "openid" in asked["scope"][0].split()


def test_the_domain_of_an_address_leads_to_the_same_provider(sign_on: SignOn) -> None:
    address = sign_on.begin(Client(), typed=f"anybody@{sign_on.house.business.slug}.test")
    assert address.startswith(sign_on.provider.origin)


@pytest.mark.parametrize("typed", ["nobody-at-all", "somebody@elsewhere.test", "@", "a@b@c", "%"])
def test_where_there_is_no_provider_it_is_said_at_the_field(sign_on: SignOn, typed: str) -> None:
    answer = Client().post("/-/sign-on/", {"business": typed})
    assert answer.status_code == 422
    assert "No single sign-on is set up" in answer.content.decode()


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        ({"aud": "another-client"}, "did not confirm the sign-in"),
        ({"iss": "https://elsewhere.test"}, "did not confirm the sign-in"),
        ({"nonce": "another"}, "belongs to another sign-in"),
        ({"exp": 1}, "did not confirm the sign-in"),
        ({"email_verified": False}, "has not verified your email address"),
        ({"email_verified": "true"}, "has not verified your email address"),
        ({"email": "apollo@elsewhere.test"}, "does not allow addresses of elsewhere.test"),
        ({"email": ""}, "does not allow addresses of this kind"),
        ({"sub": ""}, "did not confirm the sign-in"),
    ],
)
def test_a_token_that_says_something_else_opens_nothing(sign_on: SignOn, faults: dict[str, Any], sentence: str) -> None:
    login = sign_on.person("Apollo")
    sign_on.provider.set_up(faults=faults)
    browser = Client()
    refused(browser, sign_on.through(browser, login), sentence)
    assert not SocialAccount.objects.filter(provider=sign_on.house.business.slug).exists()


def test_who_is_no_member_gets_no_account(sign_on: SignOn) -> None:
    people = User.objects.count()
    login = sign_on.person("Apollo", email=f"stranger@{sign_on.house.business.slug}.test")
    browser = Client()
    refused(browser, sign_on.through(browser, login), "has this identity")
    assert User.objects.count() == people


def test_who_has_left_is_let_in_no_more(sign_on: SignOn) -> None:
    login = sign_on.person("Apollo")
    sign_on.through(Client(), login)
    Membership.objects.filter(pk=sign_on.house.people["Apollo"].pk).update(is_active=False)
    browser = Client()
    refused(browser, sign_on.through(browser, login), "has this identity")


def test_another_identity_with_the_same_address_is_not_the_member(sign_on: SignOn) -> None:
    sign_on.through(Client(), sign_on.person("Apollo"))
    other = sign_on.person("Zawadi", email=sign_on.house.people["Apollo"].user.email)
    browser = Client()
    refused(browser, sign_on.through(browser, other), "Another identity is linked to this address")


def test_a_code_is_good_once(sign_on: SignOn) -> None:
    browser, login = Client(), sign_on.person("Apollo")
    back = sign_on.provider.sign_in(sign_on.begin(browser), login)
    assert browser.get(path_of(back))["Location"] == "/"
    thief = Client()
    state = parse_qs(urlsplit(sign_on.begin(thief)).query)["state"][0]
    code = parse_qs(urlsplit(back).query)["code"][0]
    refused(thief, thief.get(f"{urlsplit(back).path}?code={code}&state={state}"), "did not confirm the sign-in")


@pytest.mark.parametrize("change", ["none", "another browser's", "made up"])
def test_an_answer_without_the_state_of_this_browser_opens_nothing(sign_on: SignOn, change: str) -> None:
    browser, login = Client(), sign_on.person("Apollo")
    back = urlsplit(sign_on.provider.sign_in(sign_on.begin(browser), login))
    query = {name: values[0] for name, values in parse_qs(back.query).items()}
    state = {"none": "", "another browser's": query["state"], "made up": "made-up"}[change]
    other = Client()
    refused(other, other.get(back.path, {"code": query["code"], "state": state}), "did not confirm the sign-in")


def test_a_provider_that_is_down_is_said_to_be_so_before_and_after(sign_on: SignOn) -> None:
    login, browser = sign_on.person("Apollo"), Client()
    back = path_of(sign_on.provider.sign_in(sign_on.begin(browser), login))
    sign_on.provider.stop()
    try:
        refused(browser, browser.get(back), "does not answer")
        late = Client()
        refused(late, late.post("/-/sign-on/", {"business": sign_on.house.business.slug}), "does not answer")
    finally:
        sign_on.provider.start()


def test_a_provider_that_is_off_lets_nobody_in(sign_on: SignOn) -> None:
    browser, login = Client(), sign_on.person("Apollo")
    back = path_of(sign_on.provider.sign_in(sign_on.begin(browser), login))
    sign_on.change(is_on=False)
    refused(browser, browser.get(back), "Single sign-on is off")


def test_its_session_opens_that_business_alone(sign_on: SignOn, new_house: Callable[..., House]) -> None:
    other = new_house()
    apollo = sign_on.house.people["Apollo"].user
    Membership.objects.create(user=apollo, business=other.business, role="APPROVER", employee_id="elsewhere")
    browser, login = Client(), sign_on.person("Apollo")
    sign_on.through(browser, login)
    assert is_in(browser, sign_on.house)
    assert not is_in(browser, other)
    # Signed in already as somebody else, the session is no wider for it.
    browser = other.browser("Ada")
    sign_on.through(browser, login)
    assert is_in(browser, sign_on.house)
    assert not is_in(browser, other)


@pytest.mark.parametrize(
    "page",
    ["password/change/", "password/set/", "2fa/", "2fa/totp/activate/", "2fa/webauthn/add/", "3rdparty/", "email/"],
)
def test_its_session_changes_nothing_of_how_the_person_signs_in_elsewhere(sign_on: SignOn, page: str) -> None:
    browser = Client()
    sign_on.through(browser, sign_on.person("Apollo"))
    assert browser.get(f"/-/account/{page}").status_code == 403
    assert browser.post(f"/-/account/{page}").status_code == 403


def test_another_business_s_provider_does_not_enter_by_the_same_address(
    sign_on: SignOn, new_house: Callable[..., House]
) -> None:
    other = new_house()
    row = sign_on.row
    slug = other.business.slug
    client = {"id": slug, "redirect": f"http://testserver/-/account/oidc/{slug}/login/callback/"}
    sign_on.provider.set_up(client=client)
    IdentityProvider.objects.create(
        business=other.business, is_on=True, name="Other", issuer=row.issuer, client_id=slug,
        client_secret_sealed=row.client_secret_sealed, email_domains=row.email_domains,
    )  # fmt: skip
    browser, login = Client(), sign_on.person("Apollo")
    answer = browser.post("/-/sign-on/", {"business": slug})
    back = sign_on.provider.sign_in(link_in(answer), login)
    refused(browser, browser.get(path_of(back)), "has this identity")


def test_a_sign_in_that_the_provider_may_have_asked_nobody_for_verifies_nothing(sign_on: SignOn) -> None:
    browser = Client()
    sign_on.through(browser, sign_on.person("Sam"))
    asked = browser.post(sign_on.house.address("settings/security/"), {"second_factor_roles": ["ADMIN"]})
    assert asked["Location"].startswith("/-/sign-on/verify/?next="), asked["Location"]


def test_a_session_of_one_business_shows_that_business_alone(sign_on: SignOn) -> None:
    browser, other = Client(), Business.objects.create(slug="elsewhere", name="Elsewhere Ltd")
    Membership.objects.create(user=sign_on.house.people["Sam"].user, business=other, role="ADMIN")
    sign_on.through(browser, sign_on.person("Sam"))
    account = browser.get("/-/you/").content.decode()
    assert str(sign_on.house.business) in account
    assert "Elsewhere Ltd" not in account
    assert browser.get("/-/account/sessions/").status_code == 403


def test_verifying_again_asks_the_provider_again(sign_on: SignOn) -> None:
    browser, login = Client(), sign_on.person("Sam")
    sign_on.through(browser, login)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "socialaccount", "at": 1.0}]
    session.save()
    asked = browser.post(sign_on.house.address("settings/security/"), {"second_factor_roles": ["ADMIN"]})
    assert asked["Location"].startswith("/-/sign-on/verify/?next="), asked["Location"]
    address = link_in(browser.post("/-/sign-on/verify/", {"next": "/-/kept/"}))
    assert {"prompt": ["login"], "max_age": ["0"]}.items() <= parse_qs(urlsplit(address).query).items()
    before = browser.session.session_key
    answer = browser.get(path_of(sign_on.provider.sign_in(address, login)))
    assert answer["Location"] == "/-/kept/"
    assert browser.session.session_key != before
    assert browser.post(sign_on.house.address("settings/security/"), {"second_factor_roles": ["ADMIN"]})[
        "Location"
    ] == (sign_on.house.address("settings/security/"))


@pytest.mark.parametrize("how", ["somebody else", "an old sign-in"])
def test_verifying_as_somebody_else_or_by_an_old_sign_in_verifies_nothing(sign_on: SignOn, how: str) -> None:
    browser = Client()
    sign_on.through(browser, sign_on.person("Sam"))
    session = browser.session
    session["account_authentication_methods"] = [{"method": "socialaccount", "at": 1.0}]
    session.save()
    login = sign_on.person("Selma" if how == "somebody else" else "Sam")
    address = link_in(browser.post("/-/sign-on/verify/", {"next": "/-/kept/"}))
    sign_on.provider.set_up(faults={} if how == "somebody else" else {"auth_time": 1_000_000})
    assert browser.get(path_of(sign_on.provider.sign_in(address, login)))["Location"] == "/"
    asked = browser.post(sign_on.house.address("settings/security/"), {"second_factor_roles": ["ADMIN"]})
    assert asked["Location"].startswith("/-/sign-on/verify/")
