"""An imported statement is taken back with the lines that it alone holds; nothing matched or closed goes with it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from service.accounting.account_numbers import is_same_account
from service.accounting.models import BankStatement, StatementLine
from service.accounts.wallets import wallet_by_ref
from service.events.models import AuditEvent
from tests.service.accounting.conftest import close, month, spend
from tests.service.accounting.test_matches import PATH, body, bring, open_entries, open_lines, proof, put
from tests.service.accounting.test_proof_by_statement import days
from tests.service.house import House, code


def remove(house: House, statement: dict[str, Any], by: str = "Ada", **more: Any) -> Any:
    sent = {"reason": "It is of another wallet.", **more}
    return house.post(f"/accounting/bank-statements/{statement['_id']}/remove", sent, by=by)


def test_it_goes_with_its_lines_and_can_be_imported_again(house: House) -> None:
    rows = [(1, -5_00, "a"), (2, -7_00, "b")]
    statement = bring(house, rows)
    assert remove(house, statement, reason="").status_code == 422
    answer = remove(house, statement)
    assert (answer.status_code, answer.json()["_id"]) == (200, statement["_id"])
    assert open_lines(house) == []
    assert code(house.get(f"/accounting/bank-statements/{statement['_id']}")) == (404, "not_found")
    line = AuditEvent.objects.get(action="bank_statement.remove", resource_id=statement["_id"])
    assert (line.before["lines"], line.after["reason"]) == (2, "It is of another wallet.")
    assert code(remove(house, statement)) == (404, "not_found")
    assert bring(house, rows)["line_count"] == 2


def test_a_line_that_another_statement_holds_too_stays_with_that_one(house: House) -> None:
    spend(house, "pay:a", 5_00, month(house, 1).first)
    whole = bring(house, [(1, -5_00, "a"), (2, -7_00, "b")])
    part = bring(house, [(1, -5_00, "a")], **days(house, 1, 1))
    [line, _], [entry] = open_lines(house), open_entries(house)
    assert put(house, [line["_id"]], [entry["seq"]]).status_code == 201
    assert remove(house, whole).status_code == 200
    [kept] = StatementLine.objects.filter(business=house.business)
    assert (kept.id, kept.statement_id, kept.status) == (line["_id"], part["_id"], "MATCHED")
    heir = BankStatement.objects.get(pk=part["_id"])
    assert (heir.line_count, heir.skipped_count) == (1, 0)
    assert proof(house, part)["missing_minor"] == 0


def test_all_lines_of_an_overlap_stay_with_the_oldest_other_statement_in_their_order(house: House) -> None:
    rows = [(1, -place * 1_00, f"line {place}") for place in range(1, 6)]
    whole = bring(house, [*rows, (2, -7_00, "alone")])
    older = bring(house, rows[:4], **days(house, 1, 1))
    newer = bring(house, [*rows[:3], (1, -9_00, "own")], **days(house, 1, 1))
    with CaptureQueriesContext(connection) as queries:
        assert remove(house, whole).status_code == 200
    written = [row["sql"] for row in queries if row["sql"].startswith('UPDATE "accounting_statementline"')]
    assert len(written) == 1
    for statement, count in ((older, 4), (newer, 1)):
        kept = StatementLine.objects.filter(statement_id=statement["_id"])
        heir = BankStatement.objects.get(pk=statement["_id"])
        assert (kept.count(), heir.line_count) == (count, count)
        assert len(set(kept.values_list("number", flat=True))) == count
    assert not StatementLine.objects.filter(description="alone").exists()


def test_what_is_matched_stays_until_it_is_undone(house: House) -> None:
    spend(house, "pay:a", 5_00, month(house, 1).first)
    statement = bring(house, [(0, -5_00, "a")])
    [line], [entry] = open_lines(house), open_entries(house)
    made = put(house, [line["_id"]], [entry["seq"]]).json()
    refused = remove(house, statement)
    assert code(refused) == (409, "invalid_state")
    assert StatementLine.objects.filter(business=house.business).count() == 1
    assert house.post(f"/accounting/bank-matches/{made['_id']}/undo").status_code == 200
    assert remove(house, statement).status_code == 200


def test_what_lies_in_a_closed_period_stays(house: House) -> None:
    statement = bring(house, [(0, -5_00, "a")])
    assert close(house, month(house, 1), accept_open_items=True).status_code == 200
    assert code(remove(house, statement)) == (409, "invalid_state")
    assert StatementLine.objects.filter(business=house.business).count() == 1


def test_whoever_proposed_it_does_not_remove_it(house: House) -> None:
    statement = bring(house, [(0, -5_00, "a")])
    ada, carla = house.person("Ada").id, house.person("Carla").id
    assert code(remove(house, statement, proposed_by=ada)) == (403, "self_approval_forbidden")
    assert code(remove(house, statement, proposed_by=carla)) == (404, "not_found")
    assert code(remove(house, statement, by="Apollo")) == (403, "insufficient_role")
    assert code(remove(House(), statement)) == (404, "not_found")
    assert remove(house, statement, by="Abel", proposed_by=ada).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("KE12 3456", "KE123456", True), ("ke12-3456", "KE123456", True),
        ("37040044/0532013000", "DE89370400440532013000", True), ("0532013000", "DE89370400440532013000", True),
        ("BANKKENA/123456789", "123456789", True), ("KE1", "KE2", False), ("1", "KE1", False),
        ("DE89370400440532013000", "DE89370400440532013001", False), ("", "KE1", False),
    ],
)  # fmt: skip
def test_an_account_is_known_however_it_is_written(one: str, other: str, same: bool) -> None:
    assert is_same_account(one, other) is is_same_account(other, one) is same


def test_an_account_that_has_another_number_by_now_goes_on_where_it_was(house: House) -> None:
    bring(house, [(1, -5_00, "a")], account="KE12 3456")
    check = f"{PATH.removesuffix('/lines')}/check"
    for opening, importable in ((-4_00, False), (-5_00, True)):
        answer = house.post(check, body(house, [(2, -7_00, "b")], opening, account="DE99 8877")).json()
        [finding] = [row for row in answer["findings"] if row["code"] == "other_account"]
        assert (finding["blocks"], answer["importable"]) == (not importable, importable)
    bring(house, [(2, -7_00, "b")], -5_00, account="DE99 8877")
    assert bring(house, [(3, -9_00, "c")], -12_00, account="DE99 8877")["line_count"] == 1


def test_two_accounts_with_nothing_on_them_are_not_one(house: House) -> None:
    bring(house, [(1, -5_00, "a"), (2, 5_00, "b")], account="KE12 3456")
    check = f"{PATH.removesuffix('/lines')}/check"
    answer = house.post(check, body(house, [(3, -7_00, "c")], 0, account="DE99 8877")).json()
    [finding] = [row for row in answer["findings"] if row["code"] == "other_account"]
    assert (finding["blocks"], answer["importable"]) == (True, False)
    assert "opens with the balance" not in finding["message"]
    # The account that is known goes on from nothing as before.
    assert house.post(check, body(house, [(3, -7_00, "c")], 0, account="KE123456")).json()["importable"]


def test_the_account_of_another_wallet_is_told(house: House) -> None:
    other = wallet_by_ref(house.business, "2")
    bring(house, [(1, -5_00, "a")], account="KE12 3456")
    again = body(house, [(2, -7_00, "b")], -5_00, account="KE123456")
    assert house.post(f"{PATH.removesuffix('/lines')}/check", again).json()["importable"]
    there = body(house, [(2, -7_00, "b")], account="KE123456", org_wallet_ref="2", currency=other.currency)
    findings = house.post(f"{PATH.removesuffix('/lines')}/check", there).json()["findings"]
    assert ("account_of_other_wallet" in {row["code"] for row in findings}) is (other.currency == "KES")
