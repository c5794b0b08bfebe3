"""Many matches at once: one statement each for matches, entries, lines and the audit, and what is matched is looked up."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from service import sql
from service.accounting import suggestions
from service.accounting.models import BankMatch, BankStatement, MatchedEntry, StatementLine
from service.accounting.proofs import proof_of
from service.accounting.reconciliation import unmatched_entries
from service.accounting.suggestions import accept_certain
from service.accounts.wallets import Wallet, wallet_by_ref
from service.errors import ServiceError
from service.events.models import AuditEvent
from tests.service.accounting.conftest import month, spend
from tests.service.accounting.test_matches import bring, state
from tests.service.house import House

COUNT = 60


def matched(house: House, count: int) -> None:
    """So many payments, and the lines of the bank that are these and nothing else."""
    first = month(house, 1).first
    rows = [(number % 20, -(100 + number), f"R{number:04}") for number in range(count)]
    for day, minor, reference in rows:
        spend(house, f"pay:{reference}", -minor, first.replace(day=1 + day))
    bring(house, rows)


def statements_of(house: House, count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many statements accepting so many takes, those beside Django's (service/sql.py) among them."""
    matched(house, count)
    prepared, run = [], sql.execute
    with transaction.atomic(), CaptureQueriesContext(connection) as queries, monkeypatch.context() as heard:
        heard.setattr(sql, "execute", lambda statement, params: (prepared.append(statement), run(statement, params)))
        assert len(accept_certain(house.caller(), wallet_by_ref(house.business, "1"))) == count
        transaction.set_rollback(True)
    return len(queries) + len(prepared)


def test_sixty_take_as_many_statements_as_two(house: House, houses: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert statements_of(houses(), COUNT, monkeypatch) == statements_of(house, 2, monkeypatch)


def test_each_has_its_line_its_entry_and_its_line_of_the_audit(house: House) -> None:
    matched(house, COUNT)
    made = accept_certain(house.caller(), wallet_by_ref(house.business, "1"))
    lines = StatementLine.objects.filter(business=house.business)
    assert {row.match_id for row in lines} == {row.id for row in made}
    assert {(row.status, row.version) for row in lines} == {("MATCHED", 2)}
    for match in BankMatch.objects.filter(business=house.business).prefetch_related("lines", "entries"):
        [line], [entry] = match.lines.all(), match.entries.all()
        assert line.amount_minor == entry.amount_minor
        audit = AuditEvent.objects.get(action="bank_match.create", resource_id=match.id)
        assert audit.after["lines"] == [line.id]
        assert audit.after["ledger_transactions"] == [entry.ledger_transaction_id]
        assert (audit.actor, audit.before) == (match.matched_by, None)


def test_a_line_that_was_matched_behind_the_lock_undoes_all(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    matched(house, 3)
    owner, before = wallet_by_ref(house.business, "1"), state(house)
    line = StatementLine.objects.filter(business=house.business).order_by("number")[0]
    other = BankMatch.objects.create(
        business=house.business,
        wallet=owner,
        rule="BY_HAND",
        reason="Other",
        matched_by="x",
        matched_at=line.created_at,
    )
    real = suggestions.save

    def late(*given: Any) -> Any:
        StatementLine.objects.filter(pk=line.pk).update(match=other, status="MATCHED")
        return real(*given)

    monkeypatch.setattr(suggestions, "save", late)
    with pytest.raises(ServiceError) as refused:
        accept_certain(house.caller(), owner)
    assert refused.value.code == "concurrent_update"
    other.delete()
    assert state(house) == before


def many_held(house: House) -> Wallet:
    """A wallet with three matches, one of which holds so many entries that a list of them does not fit into memory."""
    matched(house, 3)
    owner = wallet_by_ref(house.business, "1")
    [match, *_] = accept_certain(house.caller(), owner)
    MatchedEntry.objects.bulk_create(
        MatchedEntry(
            match=match, ledger_account_id=owner.ledger_account_id, entry_seq=10**9 + number, ledger_transaction_id=1,
            effective_on=month(house, 1).first, amount_minor=1,
        )
        for number in range(5_000)
    )  # fmt: skip
    return owner


def plans_of(read: Callable[[], object]) -> str:
    """How what is read is planned where little memory may be used."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("analyze accounting_matchedentry, accounting_statementline, accounting_bankmatch")
        cursor.execute("set local work_mem = '64kB'")
        with CaptureQueriesContext(connection) as queries:
            read()
        plans = []
        for query in list(queries):
            if query["sql"].startswith("SELECT"):
                cursor.execute("explain " + query["sql"])
                plans += [line for (line,) in cursor.fetchall()]
        transaction.set_rollback(True)
    return "\n".join(plans)


def test_what_is_matched_is_looked_up_and_not_read_for_each_entry(house: House) -> None:
    owner = many_held(house)
    plan = plans_of(lambda: list(unmatched_entries(owner, None, None)))
    assert "Anti Join" in plan
    assert not re.search(r"(?<!hashed )SubPlan \d+\)", plan), plan


def test_a_proof_reads_no_list_of_matches_for_each_line(house: House) -> None:
    owner = many_held(house)
    statement = BankStatement.objects.select_related("wallet").get(wallet=owner)
    plan = plans_of(lambda: proof_of(statement))
    assert "Anti Join" in plan
    assert not re.search(r"(?<!hashed )SubPlan \d+\)", plan), plan


def test_a_proof_reads_each_table_once_however_many_were_just_accepted(house: House) -> None:
    """Nothing has looked at the tables since: to the database they are as empty as before."""
    matched(house, COUNT)
    owner = wallet_by_ref(house.business, "1")
    statement = BankStatement.objects.select_related("wallet").get(wallet=owner)
    accept_certain(house.caller(), owner)
    with CaptureQueriesContext(connection) as queries:
        found = proof_of(statement)
    assert (found.missing, found.unmatched_line_count, found.unmatched_entry_count) == (0, 0, 0)
    about_matches = [query["sql"] for query in queries if "accounting_bankmatch" in query["sql"]]
    assert about_matches
    # A condition within a condition was carried out for each line and each match.
    assert all(sql.count("SELECT") == 1 for sql in about_matches)
