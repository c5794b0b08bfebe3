"""A business's own identity provider: linked by whoever is a member, opens that business alone, makes no accounts."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.conf import settings
from django.test import Client
from django.urls import reverse

from dashboard.access.models import Membership, User
from tests.dashboard.pages.conftest import House
from tests.dashboard.signin.identity_provider import IdentityProvider


@pytest.fixture
def provider(house: House) -> Iterator[IdentityProvider]:
    with IdentityProvider("countersign") as running:
        SocialApp.objects.create(
            provider="openid_connect", provider_id=house.business.slug, name="Their sign-in", client_id="countersign",
            secret="a-secret", settings={"server_url": running.address},
        )  # fmt: skip
        yield running


def through(client: Client, house: House, process: str = "login") -> Any:
    """From our button to the provider and back, as a browser goes."""
    address = reverse("openid_connect_login", args=[house.business.slug])
    started = client.post(f"{address}?process={process}")
    assert started.status_code == 302, started.content
    back = requests.get(started["Location"], allow_redirects=False, timeout=10)
    came = urlsplit(back.headers["Location"])
    assert came.path == reverse("openid_connect_callback", args=[house.business.slug])
    return client.get(f"{came.path}?{came.query}")


def linked(house: House, person: str) -> SocialAccount:
    through(house.browser(person), house, "connect")
    return SocialAccount.objects.get(user=house.people[person].user)


def test_a_member_links_their_identity_and_signs_in_with_it(house: House, provider: IdentityProvider) -> None:
    account = linked(house, "Apollo")
    assert (account.provider, account.uid) == (house.business.slug, "subject-1")
    assert all(asked["code_verifier"] for asked in provider.asked), "PKCE is always used"
    browser = Client()
    through(browser, house)
    assert browser.get(house.address("approvals/")).status_code == 200


def test_its_session_opens_that_business_alone(
    house: House, provider: IdentityProvider, new_house: Callable[..., House]
) -> None:
    other = new_house()
    apollo = house.people["Apollo"].user
    Membership.objects.create(user=apollo, business=other.business, role="APPROVER", employee_id="elsewhere")
    linked(house, "Apollo")
    browser = Client()
    through(browser, house)
    assert browser.get(house.address("approvals/")).status_code == 200
    assert browser.get(other.address("approvals/")).status_code != 200


def test_an_unknown_identity_makes_no_account_even_with_a_known_address(
    house: House, provider: IdentityProvider
) -> None:
    people = User.objects.count()
    provider.email = house.people["Apollo"].user.email
    browser = Client()
    refused = through(browser, house)
    assert refused.status_code == 302
    assert "_auth_user_id" not in browser.session
    assert User.objects.count() == people
    assert not SocialAccount.objects.filter(provider=house.business.slug).exists()


def test_who_has_left_the_business_is_refused(house: House, provider: IdentityProvider) -> None:
    linked(house, "Apollo")
    house.people["Apollo"].is_active = False
    house.people["Apollo"].save()
    browser = Client()
    through(browser, house)
    assert "_auth_user_id" not in browser.session


def test_a_stranger_to_the_business_cannot_link(
    house: House, provider: IdentityProvider, new_house: Callable[..., House]
) -> None:
    stranger = new_house().browser("Apollo")
    through(stranger, house, "connect")
    assert not SocialAccount.objects.filter(provider=house.business.slug).exists()


def test_a_form_may_lead_nowhere_else_until_a_provider_is_configured() -> None:
    assert settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"] == ["'self'"]
