"""Secrets at rest, the first business of an installation, the generated page of permissions."""

from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from pytest_django import Settings

from dashboard.access.models import Business, Membership, User
from dashboard.access.secrets import SecretUnreadable, reseal, seal, unseal
from tests.dashboard.access.house import House


def test_a_secret_is_sealed_and_a_rotation_moves_it_to_the_new_key(settings: Settings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.ENCRYPTION_KEYS = [old]
    sealed = seal("geheim")
    assert b"geheim" not in sealed
    settings.ENCRYPTION_KEYS = [new, old]
    moved = reseal(sealed)
    settings.ENCRYPTION_KEYS = [new]
    assert unseal(moved) == "geheim"
    with pytest.raises(SecretUnreadable):
        unseal(sealed)


def test_a_rotation_reaches_every_stored_secret(house: House, settings: Settings) -> None:
    from allauth.mfa.models import Authenticator

    account = house.connect("http://localhost:1")
    user = house.people["Rita"].user
    factor = Authenticator.objects.create(user=user, type="totp", data={"secret": seal("JBSWY3DP").decode()})
    # What other tests left behind was sealed with the key of the environment: it stays readable.
    new = Fernet.generate_key().decode()
    settings.ENCRYPTION_KEYS = [new, *settings.ENCRYPTION_KEYS]
    call_command("reseal_secrets", stdout=StringIO())
    settings.ENCRYPTION_KEYS = [new]
    account.refresh_from_db()
    factor.refresh_from_db()
    assert unseal(account.client_secret_sealed) == "the secret of the client"
    assert unseal(factor.data["secret"].encode()) == "JBSWY3DP"


def test_the_page_of_permissions_is_up_to_date() -> None:
    call_command("write_permissions_page", "--check")


def test_the_first_business_has_two_super_admins_with_a_link_each(db: None) -> None:
    said = StringIO()
    people = ["--super-admin", "Selma@example.test", "--super-admin", "sam@example.test"]
    call_command("create_business", "first-one", "First One", *people, stdout=said)
    business = Business.objects.get(slug="first-one")
    assert set(business.memberships.values_list("role", flat=True)) == {"SUPER_ADMIN"}
    assert business.memberships.count() == 2
    assert not User.objects.get(email="selma@example.test").has_usable_password()
    assert said.getvalue().count("http") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["ab", "Too Short", "--super-admin", "a@example.test", "--super-admin", "b@example.test"],
        ["healthz", "Taken", "--super-admin", "a@example.test", "--super-admin", "b@example.test"],
        ["alone", "Alone", "--super-admin", "a@example.test"],
        ["twice", "Twice", "--super-admin", "a@example.test", "--super-admin", "A@example.test"],
        ["garbled", "Garbled", "--super-admin", "a@example.test", "--super-admin", "nobody"],
    ],
)
def test_anything_else_makes_nothing(db: None, arguments: list[str]) -> None:
    before = (Business.objects.count(), User.objects.count(), Membership.objects.count())
    with pytest.raises(CommandError):
        call_command("create_business", *arguments, stdout=StringIO())
    assert (Business.objects.count(), User.objects.count(), Membership.objects.count()) == before
