"""One's own addresses: only one that was confirmed by its mail signs in, and decides whom an invitation means."""

from allauth.account.models import EmailAddress
from django.test import Client

from tests.dashboard.pages.conftest import House

PASSWORD = "correct horse battery staple"
EMAIL = "/-/account/email/"


def signed_in(house: House, name: str) -> Client:
    user = house.people[name].user
    user.set_password(PASSWORD)
    user.save()
    browser = Client()
    browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD})
    assert browser.session["_auth_user_id"] == str(user.pk)
    return browser


def test_an_address_that_nobody_has_confirmed_does_not_become_the_one_that_signs_in(house: House) -> None:
    browser, user = signed_in(house, "Carla"), house.people["Carla"].user
    before, taken = user.email, f"new-cfo@{house.business.slug}.test"
    browser.post(EMAIL, {"action_add": "", "email": taken})
    assert EmailAddress.objects.filter(user=user, email=taken, verified=False).exists()
    answer = browser.post(EMAIL, {"action_primary": "", "email": taken}, follow=True)
    assert "is not confirmed" in answer.content.decode()
    user.refresh_from_db()
    assert user.email == before


def test_the_one_that_signs_in_is_not_removed_so_that_another_would_stand_in_its_place(house: House) -> None:
    browser, user = signed_in(house, "Carla"), house.people["Carla"].user
    before, taken = user.email, f"new-cfo@{house.business.slug}.test"
    browser.post(EMAIL, {"action_add": "", "email": taken})
    browser.post(EMAIL, {"action_remove": "", "email": before})
    user.refresh_from_db()
    assert user.email == before
    assert set(EmailAddress.objects.filter(user=user).values_list("email", flat=True)) == {before, taken}


def test_a_confirmed_one_does(house: House) -> None:
    browser, user = signed_in(house, "Carla"), house.people["Carla"].user
    own = f"carla-too@{house.business.slug}.test"
    EmailAddress.objects.create(user=user, email=own, verified=True)
    browser.post(EMAIL, {"action_primary": "", "email": own})
    user.refresh_from_db()
    assert user.email == own
