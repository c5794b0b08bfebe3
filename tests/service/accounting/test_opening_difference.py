"""What bank and books differed by before the first statement: accepted with a reason, and withdrawn with one, by a second person
where one proposed it."""

from typing import Any

from service.accounting.models import OpeningDifference
from service.businesses.models import Business
from service.events.models import AuditEvent
from tests.service.accounting.conftest import month
from tests.service.accounting.test_matches import bring, proof
from tests.service.house import House, code


def accept(house: House, statement: dict[str, Any], amount: int, by: str = "Ada", **more: Any) -> Any:
    body = {"amount_minor": amount, "reason": "Opened before our books began.", **more}
    return house.post(f"/accounting/bank-statements/{statement['_id']}/accept-difference", body, by=by)


def test_a_difference_before_the_first_statement_is_accepted_and_named_in_the_proof(house: House) -> None:
    statement = bring(house, [(1, -100, "x")], opening=5_000)
    before = proof(house, statement)
    assert (before["proven"], before["accepted"], before["missing_minor"]) == (False, None, 0)
    assert code(accept(house, statement, before["carried_minor"] + 1)) == (409, "invalid_state")
    answer = accept(house, statement, before["carried_minor"])
    assert answer.status_code == 200, answer.json()
    now = proof(house, statement)
    assert now["proven"]
    assert now["accepted"]["amount_minor"] == now["carried_minor"] == before["carried_minor"]
    assert now["accepted"]["reason"] == "Opened before our books began."
    assert now["accepted"]["accepted_by"] == house.person("Ada").id
    line = AuditEvent.objects.get(action="opening_difference.accept", resource_id=statement["_id"])
    assert line.after["amount_minor"] == before["carried_minor"]
    assert line.after["reason"] == "Opened before our books began."
    assert code(accept(house, statement, before["carried_minor"])) == (409, "invalid_state")


def test_an_accepted_difference_counts_only_while_it_is_what_they_differ_by(house: House) -> None:
    statement = bring(house, [(1, -100, "x")], opening=5_000)
    assert accept(house, statement, proof(house, statement)["carried_minor"]).status_code == 200
    # An earlier statement: what they differ by before the first one is another sum now.
    earlier = month(house, 2)
    days = {"from": str(earlier.first), "to": str(earlier.last), "sha256": "2" * 64}
    bring(house, [], opening=4_000, closing_minor=4_000, **days)
    now = proof(house, statement)
    assert now["carried_minor"] != now["accepted"]["amount_minor"]
    assert not now["proven"]


def test_whoever_proposed_it_does_not_accept_a_difference(house: House) -> None:
    statement = bring(house, [(1, -100, "x")], opening=5_000)
    carried = proof(house, statement)["carried_minor"]
    ada, carla = house.person("Ada").id, house.person("Carla").id
    assert code(accept(house, statement, carried, proposed_by=ada)) == (403, "self_approval_forbidden")
    assert code(accept(house, statement, carried, proposed_by=carla)) == (404, "not_found")
    assert accept(house, statement, carried, by="Rita").status_code == 403
    assert proof(house, statement)["accepted"] is None
    assert accept(house, statement, carried, by="Abel", proposed_by=ada).status_code == 200
    assert proof(house, statement)["accepted"]["proposed_by"] == ada


def withdraw(house: House, statement: dict[str, Any], amount: int, by: str = "Ada", **more: Any) -> Any:
    body = {"amount_minor": amount, "reason": "A statement was missing.", **more}
    return house.post(f"/accounting/bank-statements/{statement['_id']}/withdraw-difference", body, by=by)


def test_an_acceptance_is_withdrawn_and_the_proof_no_longer_holds(house: House) -> None:
    statement = bring(house, [(1, -100, "x")], opening=5_000)
    carried = proof(house, statement)["carried_minor"]
    assert code(withdraw(house, statement, carried)) == (409, "invalid_state")
    assert accept(house, statement, carried).status_code == 200
    assert code(withdraw(house, statement, carried + 1)) == (409, "invalid_state")
    answer = withdraw(house, statement, carried)
    assert answer.status_code == 200, answer.json()
    now = proof(house, statement)
    assert (now["proven"], now["accepted"], now["carried_minor"]) == (False, None, carried)
    line = AuditEvent.objects.get(action="opening_difference.withdraw", resource_id=statement["_id"])
    assert line.before["amount_minor"] == carried
    assert line.after["reason"] == "A statement was missing."
    row = OpeningDifference.objects.get(business=house.business)
    assert (row.withdrawn_by, row.withdrawal_reason) == (house.person("Ada").id, "A statement was missing.")
    assert code(withdraw(house, statement, carried)) == (409, "invalid_state")
    # Accepted again it counts again, and what was withdrawn stays in the books.
    assert accept(house, statement, carried).status_code == 200
    assert proof(house, statement)["proven"]
    assert OpeningDifference.objects.filter(business=house.business).count() == 2


def test_whoever_proposed_it_does_not_withdraw_an_acceptance(house: House) -> None:
    statement = bring(house, [(1, -100, "x")], opening=5_000)
    carried = proof(house, statement)["carried_minor"]
    ada, carla = house.person("Ada").id, house.person("Carla").id
    assert accept(house, statement, carried).status_code == 200
    assert code(withdraw(house, statement, carried, proposed_by=ada)) == (403, "self_approval_forbidden")
    assert code(withdraw(house, statement, carried, proposed_by=carla)) == (404, "not_found")
    assert withdraw(house, statement, carried, by="Apollo").status_code == 403
    assert proof(house, statement)["proven"]
    assert withdraw(house, statement, carried, by="Abel", proposed_by=ada).status_code == 200
    assert OpeningDifference.objects.get(business=house.business).withdrawal_proposed_by == ada


def test_an_acceptance_that_closed_books_stand_on_stays(house: House) -> None:
    statement = bring(house, [(1, -100, "x")], opening=5_000)
    carried = proof(house, statement)["carried_minor"]
    assert accept(house, statement, carried).status_code == 200
    Business.objects.filter(pk=house.business.pk).update(books_closed_until=statement["from"])
    assert code(withdraw(house, statement, carried)) == (409, "invalid_state")
    assert proof(house, statement)["proven"]
