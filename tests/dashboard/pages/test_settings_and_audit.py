"""Settings and audit: super admins alone, secrets never shown, a lost factor reset by two, the chain verified."""

import time

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client

from dashboard.access.models import Membership
from dashboard.access.secrets import seal
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import record
from dashboard.client.models import ServiceAccount
from dashboard.web.models import FactorReset
from tests.dashboard.pages.conftest import House


def sure(house: House, name: str) -> Client:
    """A browser whose person has just shown that it is them."""
    browser = house.browser(name)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session.save()
    return browser


@pytest.mark.parametrize("page", ["", "connection/", "members/", "security/"])
@pytest.mark.parametrize(("name", "status"), [("Sam", 200), ("Ada", 403), ("Apollo", 403), ("Carla", 403)])
def test_settings_are_for_super_admins(house: House, page: str, name: str, status: int) -> None:
    assert house.browser(name).get(house.address(f"settings/{page}")).status_code == status


def test_a_stored_secret_is_never_shown(house: House) -> None:
    ServiceAccount.objects.create(
        business=house.business,
        base_url="http://localhost:9/v2",
        remote_business_id="r",
        client_id="client-7",
        client_secret_sealed=seal("very-secret"),
    )
    body = sure(house, "Sam").get(house.address("settings/connection/")).content.decode()
    assert "client-7" in body
    assert "very-secret" not in body


@pytest.mark.parametrize(
    ("field", "value"),
    [("base_url", "http://evil.example/v2"), ("base_url", "nonsense"), ("client_id", ""), ("webhook_secret", "plain")],
)
def test_a_wrong_connection_is_told_beside_the_field(house: House, field: str, value: str) -> None:
    given = {"base_url": "http://localhost:9/v2", "remote_business_id": "r", "client_id": "c", "client_secret": "s"}
    answer = sure(house, "Sam").post(house.address("settings/connection/"), given | {field: value})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not ServiceAccount.objects.filter(business=house.business).exists()


def test_changing_a_role_asks_who_one_is_keeps_the_form_and_ends_the_sessions(house: House) -> None:
    carla, sam = house.browser("Carla"), house.browser("Sam")
    assert carla.get(house.address()).status_code == 200
    address = house.address(f"settings/members/{house.people['Carla'].pk}/role/")
    answer = sam.post(address, {"role": "REVIEWER"})
    assert answer["Location"].startswith("/-/account/reauthenticate/")
    assert Membership.objects.get(pk=house.people["Carla"].pk).role == "CARD_USER"
    kept = sam.get("/-/kept/").content.decode()
    assert f'action="{address}"' in kept
    assert 'value="REVIEWER"' in kept
    sure(house, "Sam").post(address, {"role": "REVIEWER"})
    assert Membership.objects.get(pk=house.people["Carla"].pk).role == "REVIEWER"


def test_nobody_changes_their_own_role_and_two_super_admins_stay(house: House) -> None:
    sam = sure(house, "Sam")
    own = house.address(f"settings/members/{house.people['Sam'].pk}/role/")
    assert sam.post(own, {"role": "ADMIN"}).status_code == 403
    last = house.address(f"settings/members/{house.people['Selma'].pk}/role/")
    assert sam.post(last, {"role": "ADMIN"}).status_code == 409
    assert sam.post(house.address(f"settings/members/{house.people['Selma'].pk}/end/")).status_code == 409
    assert sam.post(own, {"role": "KING"}).status_code == 422


def test_an_invitation_goes_out_by_mail_and_a_member_is_not_invited_twice(house: House) -> None:
    given = {"name": "New", "email": "new@people.test", "role": "APPROVER", "employee_id": ""}
    assert sure(house, "Sam").post(house.address("settings/members/invite/"), given).status_code == 302
    assert "/-/account/password/reset/key/" in mail.outbox[-1].body
    again = sure(house, "Sam").post(house.address("settings/members/invite/"), given | {"role": "ADMIN"})
    assert again.status_code == 422
    assert "is already a member" in again.content.decode()


def test_a_lost_factor_takes_two_super_admins(house: House) -> None:
    ada = house.people["Ada"]
    Authenticator.objects.create(user=ada.user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    ask = house.address(f"settings/members/{ada.pk}/reset/")
    assert sure(house, "Sam").post(ask, {"reason": ""}).status_code == 422
    sure(house, "Sam").post(ask, {"reason": "Phone in the lake"})
    asked = FactorReset.objects.get(membership=ada)
    confirm = house.address(f"settings/resets/{asked.pk}/confirm/")
    assert sure(house, "Sam").post(confirm).status_code == 403
    assert Authenticator.objects.filter(user=ada.user).exists()
    assert sure(house, "Selma").post(confirm).status_code == 302
    assert not Authenticator.objects.filter(user=ada.user).exists()
    assert "reset your second factor" in mail.outbox[-1].body
    assert sure(house, "Selma").post(confirm).status_code == 409
    assert AuditEntry.objects.filter(chain=house.business.pk, sentence__contains="confirmed the reset").exists()


def test_nobody_asks_for_their_own_reset(house: House) -> None:
    ask = house.address(f"settings/members/{house.people['Sam'].pk}/reset/")
    assert sure(house, "Sam").post(ask, {"reason": "lost"}).status_code == 403


def test_the_audit_lists_verifies_and_hands_out_evidence(house: House) -> None:
    expense = house.expense(employee_id=house.employee_id("Apollo"))
    house.browser("Apollo").post(
        house.address(f"approvals/expense/{expense.remote_id}/approve/"), {"key": "k", "fingerprint": "f"}
    )
    browser = house.browser("Ada")
    body = browser.get(house.address("audit/?outcome=DENIED")).content.decode()
    assert "This is your own" in body
    assert "own item" in body
    assert "The audit log is intact." in browser.post(house.address("audit/verify/")).content.decode()
    pack = browser.get(house.address(f"audit/evidence/expense/{expense.remote_id}/"))
    assert pack.json()["lines"][0]["outcome"] == "DENIED"
    assert browser.get(house.address("audit/evidence/expense/none/")).status_code == 404
    assert browser.get(house.address("audit/?outcome=NO")).status_code == 400
    assert house.browser("Rita").get(house.address("audit/")).status_code == 403


def test_the_audit_is_counted_and_exported_like_any_list(house: House) -> None:
    record(house.actor("Apollo"), "approve_expense", None, Outcome.DONE, sentence="approved expense Fuel")
    browser = house.browser("Ada")
    counted = browser.get(house.address("audit/totals/"), headers={"HX-Request": "true"}).content.decode()
    assert "line" in counted
    assert "<html" not in counted
    assert "approved expense Fuel" in browser.get(house.address("audit/?person=Apollo")).content.decode()
    assert "approved expense Fuel" not in browser.get(house.address("audit/?person=Sam")).content.decode()
    assert browser.get(house.address("audit/?outcome=NO")).status_code == 400
