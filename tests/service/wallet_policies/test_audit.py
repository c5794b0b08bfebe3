"""The audit of wallet policies: complete, searchable, impossible to change, and a changed line is named."""

from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from service.wallet_policies.audit import chain_breaches
from service.wallet_policies.models import PolicyAudit
from tests.service.house import House, code
from tests.service.ledger.conftest import owner  # noqa: F401
from tests.service.wallet_policies.conftest import granted, wallet_id


def test_each_change_with_before_and_after(house: House) -> None:
    created = granted(house, reason="Field cash")
    path = f"/wallet-policies/{created['_id']}"
    house.post(f"{path}/suspend", by="Sam", headers={"X-Request-Id": "trace-9"})
    suspended, first = house.get(f"{path}/audit").json()["docs"]
    assert (first["action"], first["before"], first["after"]["reason"]) == ("GRANT", None, "Field cash")
    assert (suspended["action"], suspended["request_id"]) == ("SUSPEND", "trace-9")
    assert (suspended["before"]["status"], suspended["after"]["status"]) == ("ACTIVE", "SUSPENDED")
    assert suspended["acting_employee"] == house.person("Sam").id
    assert suspended["ip"] == "127.0.0.1"
    assert suspended["prev_hash"] == first["hash"]
    assert len(first["hash"]) == 64
    assert house.get(f"/wallet-policies/wallet/{wallet_id(house)}/audit").json()["total"] == 2


def test_search(house: House) -> None:
    created = granted(house)
    granted(house, who="Rita", by="Sam", place=1)
    house.post(f"/wallet-policies/{created['_id']}/suspend")

    def found(**filters: object) -> list[str]:
        answer = house.post("/wallet-policies/audit/query", filters, by="Apollo")
        assert answer.status_code == 200, answer.content
        return [row["action"] for row in answer.json()["docs"]]

    assert found() == ["SUSPEND", "GRANT", "GRANT"]
    assert found(action="SUSPEND") == ["SUSPEND"]
    assert found(actor=house.person("Sam").id) == ["GRANT"]
    assert found(employee_id=house.person("Carla").id) == found(policy_id=created["_id"]) == ["SUSPEND", "GRANT"]
    assert found(wallet_id=wallet_id(house, 1)) == ["GRANT"]
    assert found(to="2020-01-01") == []
    assert found(limit=1, page=2) == ["GRANT"]
    for wrong in ({"from": "never"}, {"limit": 0}, {"more": 1}, {"action": "STEAL"}):
        assert code(house.post("/wallet-policies/audit/query", wrong)) == (422, "validation_failed")
    assert code(house.post("/wallet-policies/audit/query", {}, by="Rita")) == (403, "insufficient_role")


def test_another_businesss_audit_is_not_seen(house: House, houses: object) -> None:
    granted(house)
    assert houses().post("/wallet-policies/audit/query", {}).json()["total"] == 0  # type: ignore[operator]


@pytest.mark.parametrize("attempt", ["update", "delete"])
def test_the_programs_role_cannot_change_a_line(house: House, attempt: str) -> None:
    granted(house)
    rows = PolicyAudit.objects.filter(business=house.business)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(action="NOTHING") if attempt == "update" else rows.delete()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE wallet_policies_policyaudithead SET seq = 0")
    assert rows.get().action == "GRANT"


def test_not_even_the_owner_changes_a_line(owner: "psycopg.Connection[tuple[object, ...]]") -> None:  # noqa: F811
    for statement in (
        "UPDATE wallet_policies_policyaudit SET action = 'x'",
        "DELETE FROM wallet_policies_policyaudit",
        "TRUNCATE wallet_policies_policyaudit",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            owner.execute(statement)


def test_a_changed_line_is_named(committed: None, owner: "psycopg.Connection[tuple[object, ...]]") -> None:  # noqa: F811
    house = House()
    created = granted(house)
    for verb in ("suspend", "reactivate", "suspend"):
        house.post(f"/wallet-policies/{created['_id']}/{verb}")
    mine = PolicyAudit.objects.filter(business=house.business).order_by("seq")
    rows = list(mine)
    assert [row.seq for row in rows] == [1, 2, 3, 4]
    assert not [breach for breach in chain_breaches() if breach.business_id == house.business.id]

    def forge(statement: str, *params: object) -> list[tuple[int, str]]:
        with owner.transaction(force_rollback=False):
            owner.execute("ALTER TABLE wallet_policies_policyaudit DISABLE TRIGGER USER")
            owner.execute(statement, params)  # type: ignore[arg-type]
            owner.execute("ALTER TABLE wallet_policies_policyaudit ENABLE TRIGGER USER")
        return [(breach.seq, breach.reason) for breach in chain_breaches() if breach.business_id == house.business.id]

    said = forge("UPDATE wallet_policies_policyaudit SET actor = 'nobody' WHERE id = %s", rows[1].id)
    assert said == [(2, "it was changed")]
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_wallet_policy_audit", stdout=out)
    assert rows[1].id in out.getvalue()
    said = forge("UPDATE wallet_policies_policyaudit SET actor = %s WHERE id = %s", rows[1].actor, rows[1].id)
    assert said == []
    call_command("verify_wallet_policy_audit", stdout=out)
    assert "The audit holds" in out.getvalue()
    gone = rows[3]
    said = forge("DELETE FROM wallet_policies_policyaudit WHERE id = %s", gone.id)
    assert said == [(4, "the last line is missing")]
    forge(
        "INSERT INTO wallet_policies_policyaudit SELECT (jsonb_populate_record(NULL::wallet_policies_policyaudit, %s)).*",
        _as_json(gone),
    )
    assert not [breach for breach in chain_breaches() if breach.business_id == house.business.id]


def _as_json(row: PolicyAudit) -> str:
    from service.respond import to_json

    return to_json({field.attname: getattr(row, field.attname) for field in PolicyAudit._meta.concrete_fields}).decode()
