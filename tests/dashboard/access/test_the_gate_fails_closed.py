"""What is missing or not known is a no, or a loud mistake of ours; never a yes."""

from dataclasses import replace

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import SubjectMissing, can, check
from dashboard.access.rules import RULES
from dashboard.access.subject import subject_of
from dashboard.errors import NotAllowed, NotFound
from dashboard.operations import OPERATIONS
from tests.dashboard.access.house import House


def test_every_word_of_the_table_has_a_rule() -> None:
    assert {word for operation in OPERATIONS.values() for word in operation.rules} == set(RULES)


def test_a_rule_without_a_thing_raises(house: House) -> None:
    with pytest.raises(SubjectMissing):
        check(house.actor("Apollo"), operations.APPROVE_EXPENSE)
    with pytest.raises(SubjectMissing):
        check(house.actor("Apollo"), operations.APPROVE_EXPENSES, [])


def test_narrowed_rows_without_a_thing_raise(house: House) -> None:
    with pytest.raises(SubjectMissing):
        check(house.actor("Carla"), operations.LIST_EXPENSES)
    check(house.actor("Ada"), operations.LIST_EXPENSES)


def test_an_unknown_kind_of_thing_raises(house: House) -> None:
    with pytest.raises(TypeError):
        subject_of(object())
    with pytest.raises(TypeError):
        can(house.actor("Apollo"), operations.APPROVE_EXPENSE, "x-1")


def test_of_several_things_one_refused_refuses_all(house: House) -> None:
    rita = house.actor("Rita")
    with pytest.raises(NotAllowed):
        check(rita, operations.APPROVE_EXPENSES, [house.expense("Carla"), house.expense("Rita")])
    check(rita, operations.APPROVE_EXPENSES, [house.expense("Carla"), house.expense("Carla")])


def test_yours_to_see_is_403_and_not_yours_to_see_is_404(house: House) -> None:
    with pytest.raises(NotAllowed):
        check(house.actor("Rita"), operations.APPROVE_EXPENSE, house.expense("Rita"))
    with pytest.raises(NotFound):
        check(house.actor("Rita"), operations.APPROVE_EXPENSE, house.expense("Carla", team=house.south))


def test_without_an_employee_one_cannot_show_that_it_is_not_ones_own(house: House) -> None:
    nobody = replace(house.actor("Apollo"), employee_id="")
    assert can(nobody, operations.APPROVE_EXPENSE, house.expense("Carla")).rule == "not_own"
    assert can(nobody, operations.APPROVE_PAYMENT_REQUEST, house.approval()).rule == "not_own"


def test_a_grant_nobody_told_us_of_is_denied(house: House) -> None:
    wallet = house.wallet(1)
    assert not can(house.actor("Ada"), operations.TRANSFER_FX, wallet)
    granted = replace(house.actor("Ada"), grants=frozenset({("WALLET_FX", wallet.remote_id)}))
    assert can(granted, operations.TRANSFER_FX, wallet)
    assert not can(granted, operations.TRANSFER_FX, house.wallet(1))


def test_the_mirrors_reader_reads_and_changes_nothing(house: House) -> None:
    reader = Actor.reader_for(house.business)
    allowed = [name for name, operation in OPERATIONS.items() if not operation.is_read and _lets(reader, name)]
    assert allowed == []
    check(reader, operations.LIST_EXPENSES)


def _lets(actor: Actor, name: str) -> bool:
    try:
        return bool(can(actor, OPERATIONS[name]))
    except SubjectMissing:
        return True


def test_a_membership_that_ended_or_a_suspended_employee_is_nobody(house: House) -> None:
    from dashboard.mirror.models import Employee

    Employee.objects.filter(remote_id=house.employee("Rita")).update(status="SUSPENDED")
    with pytest.raises(NotAllowed, match="suspended"):
        house.actor("Rita")
    membership = house.people["Apollo"]
    membership.is_active = False
    membership.save()
    with pytest.raises(NotAllowed, match="ended"):
        house.actor("Apollo")
