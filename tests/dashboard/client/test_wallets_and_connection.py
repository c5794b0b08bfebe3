"""Several wallets at once, each for itself; and the connection: set, tested, told in words."""

import time

import pytest

from dashboard import operations
from dashboard.access.operation import Operation
from dashboard.access.secrets import unseal
from dashboard.audit.models import AuditEntry
from dashboard.client.connection import rotate_secrets, save_connection, test_connection
from dashboard.client.models import ServiceAccount
from dashboard.client.reads import Err, Ok, ReadCall, all_ok, read_together
from dashboard.errors import NotAllowed, Rejected
from tests.dashboard.client.conftest import Town


def six(operation: Operation = operations.READ_ACCOUNT_BALANCE, deadline: float = 1.5) -> dict[str, ReadCall]:
    """A call of the operation for each of six wallets, by their ids."""
    wallets = [f"w{number}" for number in range(6)]
    return {wallet: ReadCall(operation, path={"id": wallet}, deadline=deadline) for wallet in wallets}


def test_six_wallets_are_asked_at_once_and_one_failing_fails_alone(town: Town) -> None:
    ada = town.house.actor("Ada")
    assert all_ok(read_together(ada, six()))
    town.proxy.fail("hang", path="/accounts/w3/")
    began = time.monotonic()
    results = read_together(ada, six(deadline=0.5))
    assert time.monotonic() - began < 2.5
    assert list(results) == list(six())
    assert {wallet for wallet, result in results.items() if isinstance(result, Err)} == {"w3"}
    answered = results["w0"]
    assert isinstance(answered, Ok)
    assert answered.answer.data["wallet"] == "w0"
    assert not all_ok(results)


def test_the_gate_stands_before_every_wallet_and_writes_are_not_made_together(town: Town) -> None:
    with pytest.raises(NotAllowed):
        read_together(town.house.actor("Rita"), six())
    with pytest.raises(TypeError):
        read_together(town.house.actor("Ada"), six(operations.SUSPEND_ACCOUNT))
    assert town.proxy.sent() == []


def test_a_connection_is_tested_and_says_what_it_found(town: Town) -> None:
    selma = town.house.actor("Selma")
    found = test_connection(selma)
    assert (found.ok, found.entitled, found.scopes) == (True, True, ["expenses:read"])
    assert "acting_employee" in found.missing_scopes
    assert found.clock_is_right
    town.service.entitled = False
    assert test_connection(selma).entitled is False
    town.proxy.fail("500", path="/expenses")
    broken = test_connection(selma)
    assert not broken.ok
    assert broken.error == "The finance service failed. Try again in a moment."
    account = ServiceAccount.objects.get(business=town.house.business)
    assert account.broken_since is not None
    assert account.findings["ok"] is False


def test_only_a_super_admin_touches_the_connection(town: Town) -> None:
    for name in ("Ada", "Apollo", "Rita", "Carla"):
        with pytest.raises(NotAllowed):
            test_connection(town.house.actor(name))
    assert town.proxy.record == []


def connection(town: Town, **changes: str) -> ServiceAccount:
    wanted = {"base_url": f"{town.proxy.address}/v2", "remote_business_id": "b", "client_id": "c"}
    return save_connection(town.house.actor("Selma"), **{**wanted, **changes})


def test_a_secret_is_write_only_and_audited_without_its_value(town: Town) -> None:
    before = ServiceAccount.objects.get(business=town.house.business)
    after = connection(town, client_secret="a new secret", webhook_secret="whsec_abc")
    assert unseal(after.client_secret_sealed) == "a new secret"
    assert after.secret_version == before.secret_version + 1
    line = AuditEntry.objects.filter(chain=town.house.business.pk).latest("id")
    assert line.after == {
        "remote_business_id": "b",
        "client_id": "c",
        "client_secret": "changed",
        "webhook_secret": "changed",
    }
    kept = connection(town)
    assert (unseal(kept.client_secret_sealed), kept.secret_version) == ("a new secret", after.secret_version)
    assert rotate_secrets() >= 1


def test_a_stored_secret_is_not_sent_to_another_address(town: Town) -> None:
    with pytest.raises(Rejected) as refused:
        connection(town, base_url="http://localhost:1/v2")
    assert [problem.field for problem in refused.value.fields] == ["client_secret"]
    with pytest.raises(Rejected) as refused:
        connection(town, base_url="https://example.org/v2", client_secret="s")
    assert [problem.field for problem in refused.value.fields] == ["base_url"]
