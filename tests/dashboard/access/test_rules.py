"""Each word of the rule column, on the things it is about."""

from dataclasses import replace

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.access.subject import Subject
from tests.dashboard.access.house import House

ME = "e-me"


def actor(role: Role, **changes: object) -> Actor:
    return replace(
        Actor(user=None, business=Business(pk=1), role=role, employee_id=ME, membership_id=1),
        **changes,  # type: ignore[arg-type]
    )


def thing(**facts: object) -> Subject:
    return Subject(business_id=1, kind="thing", id="1", **facts)  # type: ignore[arg-type]


def test_nobody_decides_on_their_own_expense(house: House) -> None:
    for name in ("Rita", "Apollo", "Ada"):
        verdict = can(house.actor(name), operations.APPROVE_EXPENSE, house.expense(name))
        assert (verdict.allowed, verdict.rule, verdict.hidden) == (False, "not_own", False)


@pytest.mark.parametrize("field", ["created_by", "submitted_by", "edited_by", "last_edited_by"])
def test_nor_on_one_they_made_or_edited_last(house: House, field: str) -> None:
    row = house.expense("Carla", payload={field: {"_id": house.employee("Apollo")}})
    assert can(house.actor("Apollo"), operations.APPROVE_EXPENSE, row).rule == "not_own"
    assert can(house.actor("Ada"), operations.APPROVE_EXPENSE, row)


def test_all_makers_of_a_payment_count_and_one_without_any_is_decided_by_others(house: House) -> None:
    approve, apollo = operations.APPROVE_PAYMENT_REQUEST, house.actor("Apollo")
    assert can(apollo, approve, house.approval(payload={"makers": [house.employee("Apollo")]})).rule == "not_own"
    assert can(apollo, approve, house.approval(requested_by_id="", payload={"makers": []}))
    assert can(apollo, approve, house.approval(requested_by_id="", payload={})).rule == "not_own"


def test_a_read_only_reviewer_sees_but_does_not_act(house: House) -> None:
    row = house.expense("Carla")
    assert can(house.actor("Rita"), operations.APPROVE_EXPENSE, row)
    refused = can(house.actor("Rex"), operations.APPROVE_EXPENSE, row)
    assert (refused.rule, refused.hidden) == ("not_read_only", False)
    assert can(house.actor("Rex"), operations.LIST_EXPENSES, row)


def test_the_mandate_names_who_votes_once_and_up_to_how_much(house: House) -> None:
    approve = operations.APPROVE_PAYMENT_REQUEST
    assert can(house.actor("Apollo"), approve, house.approval())
    assert "decided" in can(house.actor("Apollo"), approve, house.approval(voters=[house.employee("Apollo")])).reason
    only_juma = [{"employee_id": house.employee("Juma"), "max_amount_minor": None}]
    assert "name you" in can(house.actor("Apollo"), approve, house.approval(eligible=only_juma)).reason
    capped = [{"employee_id": house.employee("Apollo"), "max_amount_minor": 4_999_999}]
    assert "above" in can(house.actor("Apollo"), approve, house.approval(eligible=capped)).reason
    assert "above" in can(house.actor("Apollo"), approve, house.approval(eligible=capped, amount_minor=None)).reason
    assert "not known" in can(house.actor("Apollo"), approve, house.approval(eligible=[])).reason
    in_order = {"at_turn": [house.employee("Juma")], "makers": []}
    assert "before you" in can(house.actor("Apollo"), approve, house.approval(payload=in_order)).reason
    assert can(house.actor("Juma"), approve, house.approval(payload=in_order))
    assert can(house.actor("Apollo"), approve, house.approval(by="Apollo")).rule == "not_own"
    assert can(house.actor("Ada"), approve, house.approval()).rule == "role"


@pytest.mark.parametrize(
    ("role", "gives", "leaves", "allowed"),
    [
        (Role.ADMIN, Role.CARD_USER, None, True),
        (Role.ADMIN, Role.REVIEWER, None, True),
        (Role.ADMIN, Role.APPROVER, None, False),
        (Role.SUPER_ADMIN, Role.SUPER_ADMIN, None, True),
        (Role.ADMIN, None, None, False),
        (Role.SUPER_ADMIN, Role.APPROVER, Role.APPROVER, True),
        (Role.SUPER_ADMIN, Role.APPROVER, Role.ADMIN, False),
        (Role.SUPER_ADMIN, Role.SUPER_ADMIN, Role.ADMIN, False),
    ],
)
def test_role_ceiling(role: Role, gives: Role | None, leaves: Role | None, allowed: bool) -> None:
    new = thing(gives_role=gives, leaves_role=leaves, about=frozenset({"e-other"}))
    assert bool(can(actor(role), operations.TRANSFER_OWNERSHIP, new)) is allowed


CARD = {"holder_id": "e-holder", "team_id": "t"}
REVIEWS = {"teams": frozenset({"t"})}


@pytest.mark.parametrize(
    ("who", "blocked_by", "allowed"),
    [
        (actor(Role.CARD_USER, employee_id="e-holder"), "e-holder", True),
        (actor(Role.CARD_USER, employee_id="e-holder"), "e-admin", False),
        (actor(Role.REVIEWER, **REVIEWS), "e-holder", True),
        (actor(Role.REVIEWER, **REVIEWS), ME, True),
        (actor(Role.REVIEWER, **REVIEWS), "e-admin", False),
        (actor(Role.REVIEWER, read_only_teams=frozenset({"t"}), **REVIEWS), "e-holder", False),
        (actor(Role.APPROVER), "e-admin", True),
        (actor(Role.SUPER_ADMIN), "e-holder", True),
        (actor(Role.APPROVER), None, False),
    ],
)
def test_who_lifts_a_block(who: Actor, blocked_by: str | None, allowed: bool) -> None:
    assert bool(can(who, operations.UNBLOCK_CARD, thing(blocked_by_id=blocked_by, **CARD))) is allowed


@pytest.mark.parametrize("operation", [operations.RETIRE_CARD, operations.REISSUE_CARD])
def test_a_card_user_retires_own_virtual_cards_only(operation: Operation) -> None:
    holder = actor(Role.CARD_USER, employee_id="e-holder")
    assert can(holder, operation, thing(is_virtual=True, **CARD))
    assert not can(holder, operation, thing(is_virtual=False, **CARD))
    assert not can(holder, operation, thing(**CARD))
    assert can(actor(Role.ADMIN), operation, thing(is_virtual=False, **CARD))


def test_taking_back_is_for_whoever_asked_or_an_admin() -> None:
    taken_back = operations.CANCEL_PAYOUT
    assert can(actor(Role.APPROVER), taken_back, thing(requester_id=ME))
    assert not can(actor(Role.APPROVER), taken_back, thing(requester_id="e-other"))
    assert not can(actor(Role.APPROVER, employee_id=""), taken_back, thing(requester_id=""))
    assert can(actor(Role.ADMIN), taken_back, thing(requester_id="e-other"))


def test_payee_details_wait_for_a_second_person() -> None:
    change = operations.ADD_PAYMENT_INSTRUCTION
    assert not can(actor(Role.ADMIN), change, thing())
    assert not can(actor(Role.ADMIN), change, thing(confirmed_by_id=ME))
    assert can(actor(Role.ADMIN), change, thing(confirmed_by_id="e-other"))


def test_nobody_changes_what_is_about_themselves() -> None:
    assert not can(actor(Role.ADMIN), operations.SUSPEND_EMPLOYEE, thing(about=frozenset({ME})))
    assert can(actor(Role.ADMIN), operations.SUSPEND_EMPLOYEE, thing(about=frozenset({"e-other"})))
