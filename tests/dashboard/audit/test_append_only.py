"""The audit's lines and seals are written once: the database refuses everything else, by privilege and by trigger."""

import os

import psycopg
import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.audit.models import AuditEntry, AuditSeal, Outcome
from dashboard.audit.record import record, record_account
from dashboard.audit.seal import seal_chain
from tests.dashboard.access.house import House

TABLES = ("audit_auditentry", "audit_auditseal")
CHANGES = ("UPDATE {} SET chain = chain", "DELETE FROM {}", "TRUNCATE {} CASCADE")


@pytest.fixture
def lines(house: House) -> House:
    record(house.actor("Rita"), operations.APPROVE_EXPENSE, house.expense("Carla"), Outcome.DONE)
    assert seal_chain(house.business.pk) == 1
    return house


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", CHANGES)
def test_the_programs_own_role_may_not_change_anything(lines: House, table: str, change: str) -> None:
    with (
        psycopg.connect(dsn("DATABASE_URL")) as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"),
    ):
        database.execute(change.format(table))
    assert AuditEntry.objects.filter(chain=lines.business.pk).count() == 1


@pytest.mark.skipif("DATABASE_OWNER_URL" not in os.environ, reason="the owner's role is not known here")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", CHANGES)
def test_not_even_the_owner_does_it_by_accident(lines: House, table: str, change: str) -> None:
    with (
        psycopg.connect(dsn("DATABASE_OWNER_URL")) as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"),
    ):
        database.execute(change.format(table))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audit_audithead SET number = 0",
        "UPDATE audit_audithead SET number = number + 1",
        "UPDATE audit_audithead SET hash = 'x'",
        "INSERT INTO audit_audithead (chain, number, hash) VALUES (987654321, 5, 'x')",
        "DELETE FROM audit_audithead",
        "TRUNCATE audit_audithead",
    ],
)
def test_the_programs_own_role_may_not_write_a_head(lines: House, change: str) -> None:
    with (
        psycopg.connect(dsn("DATABASE_URL")) as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"),
    ):
        database.execute(change)


@pytest.mark.parametrize(("number", "hashed"), [(0, "x"), (1, "x"), (2, "x"), (3, "f" * 64)])
def test_a_head_goes_only_forward_and_only_to_a_link_that_stands(lines: House, number: int, hashed: str) -> None:
    with (
        psycopg.connect(dsn("DATABASE_URL")) as database,
        pytest.raises(psycopg.errors.CheckViolation, match=r"the head of chain|has no such link"),
    ):
        database.execute("SELECT audit_advance_head(%s, %s, %s)", [lines.business.pk, number, hashed])


def test_a_head_jumps_over_no_link(lines: House) -> None:
    third = record(lines.actor("Rita"), "note", None, Outcome.NOTED, sentence="wrote a third entry")
    AuditSeal.objects.create(chain=third.chain, number=3, entry=third, hash="f" * 64, sealed_at=timezone.now())
    with (
        psycopg.connect(dsn("DATABASE_URL")) as database,
        pytest.raises(psycopg.errors.CheckViolation, match="has no such link 3"),
    ):
        database.execute("SELECT audit_advance_head(%s, %s, %s)", [third.chain, 3, "f" * 64])


@pytest.mark.skipif("DATABASE_OWNER_URL" not in os.environ, reason="the owner's role is not known here")
@pytest.mark.parametrize("change", ["UPDATE {} SET number = 0", "DELETE FROM {}", "TRUNCATE {}"])
def test_not_even_the_owner_takes_a_head_back_by_accident(lines: House, change: str) -> None:
    with (
        psycopg.connect(dsn("DATABASE_OWNER_URL")) as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"),
    ):
        database.execute(change.format("audit_audithead"))


def dsn(name: str) -> str:
    return os.environ[name].replace("postgres://", "postgresql://", 1)


def test_a_line_tells_who_in_which_role_what_and_whether_it_was_their_own(house: House) -> None:
    row = house.expense("Rita")
    line = record(
        house.actor("Rita"), operations.NOTE_EXPENSE, row, Outcome.DONE, before={"notes": ""}, after={"notes": "Taxi"}
    )
    entry = AuditEntry.objects.get(pk=line.pk)
    assert (entry.actor_name, entry.role, entry.employee_id) == ("Rita", "REVIEWER", house.employee("Rita"))
    assert entry.sentence == "changed the notes of expense Taxi to the airport"
    assert (entry.object_type, entry.object_id, entry.own_item) == ("expense", row.remote_id, True)
    assert (entry.before, entry.after) == ({"notes": ""}, {"notes": "Taxi"})
    several = [house.expense("Carla"), house.expense("Carla")]
    assert record(house.actor("Rita"), operations.APPROVE_EXPENSES, several, Outcome.DONE).sentence == (
        "approved 2 expenses"
    )
    assert record_account(house.people["Rita"].user, "signed in").chain == 0
