"""What the program itself stores of a password; the other tests take a quick hash in its place (tests/conftest.py)."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.conf import global_settings
from django.test import Client
from pytest_django import Settings

from dashboard.access.models import User
from tests.dashboard.pages.conftest import House

PASSWORD = "correct horse battery staple"


@pytest.fixture
def own_hashers(settings: Settings) -> None:
    """The hashers of the program's settings, as they are outside the tests."""
    module = import_module("config.settings.dashboard")
    settings.PASSWORD_HASHERS = getattr(module, "PASSWORD_HASHERS", global_settings.PASSWORD_HASHERS)


def test_a_password_is_stored_slow_to_try_and_signs_in(own_hashers: None, house: House) -> None:
    user: User = house.people["Carla"].user
    user.set_password(PASSWORD)
    user.save()

    algorithm, rounds, _salt, _hash = user.password.split("$")
    assert algorithm == "pbkdf2_sha256"
    # What OWASP asks for of PBKDF2 with SHA-256.
    assert int(rounds) >= 600_000

    browser = Client()
    refused = browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD + "!"})
    assert refused.status_code == 200
    assert "_auth_user_id" not in browser.session
    browser.post("/-/account/login/", {"login": user.email, "password": PASSWORD})
    assert browser.session["_auth_user_id"] == str(user.pk)
