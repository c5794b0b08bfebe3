"""What a policy blocks: a missing required receipt, a policy flag and a red flag stand against approving, one by one, in bulk
and before the sending; a named role overrides them with a reason; a dismissed flag blocks nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from django.db import transaction

from dashboard import operations
from dashboard.access.models import Business
from dashboard.audit.models import AuditEntry
from dashboard.bulk.plans import plan
from dashboard.conversation.dismissals import dismiss, marked
from dashboard.conversation.models import Dismissal
from dashboard.decisions import preconditions
from dashboard.decisions.bulk import BulkDecision
from dashboard.decisions.desk_items import ItemFlag, desk_item_of
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.preconditions import RECEIPT_MISSING, ApprovalBlocked, blocks_of, fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.decisions.verdicts import LeftOut
from dashboard.errors import NotAllowed, Rejected
from dashboard.mirror.models import Approval, Expense
from tests.dashboard.access.house import House, build
from tests.dashboard.conftest import World

APPROVE = operations.APPROVE_EXPENSE
BLOCKS: dict[str, tuple[dict[str, Any], str]] = {
    "receipt": ({"payload": {"receipt_required": True}, "has_receipt": False}, RECEIPT_MISSING),
    "policy": ({"payload": {"policy_flags": ["CATEGORY:65f0"]}}, "Outside the policy on categories"),
    "limit": ({"payload": {"policy_flags": ["LIMIT_EXCEEDED"]}}, "Limit exceeded"),
    "risk": ({"payload": {"risk_notes": "Card-testing pattern"}, "risk": 70}, "Card-testing pattern"),
}


@pytest.fixture
def house(db: None) -> House:
    return build()


def blocked(house: House, kind: str) -> Expense:
    """An expense of Carla's that one block stands against."""
    columns, _ = BLOCKS[kind]
    row = house.expense()
    Expense.objects.filter(pk=row.pk).update(**columns)
    return Expense.objects.get(pk=row.pk)


def submit(house: House, person: str, row: Any, **options: Any) -> Decision:
    operation = options.pop("operation", APPROVE)
    key = f"{person}-{row.remote_id}-{operation.name}"
    with transaction.atomic():
        return submit_decision(house.actor(person), operation, row, fingerprint=fingerprint_of(row), key=key, **options)


@pytest.mark.parametrize("kind", BLOCKS)
def test_each_block_stands_against_approving(house: House, kind: str) -> None:
    row = blocked(house, kind)
    with pytest.raises(ApprovalBlocked, match=BLOCKS[kind][1]):
        submit(house, "Apollo", row)
    assert not Decision.objects.filter(object_id=row.remote_id).exists()
    assert plan(house.actor("Apollo"), BulkDecision(APPROVE), [row]).counts == {LeftOut.BLOCKED: 1}


@pytest.mark.parametrize("kind", BLOCKS)
def test_rejecting_and_requesting_details_are_never_blocked(house: House, kind: str) -> None:
    row = blocked(house, kind)
    for operation in (operations.REJECT_EXPENSE, operations.REQUEST_EXPENSE_DETAILS):
        assert plan(house.actor("Apollo"), BulkDecision(operation), [row]).counts == {"": 1}
    assert submit(house, "Apollo", row, operation=operations.REJECT_EXPENSE, reason="No").state == DecisionState.WAITING


def test_a_receipt_that_is_there_or_not_required_blocks_nothing(house: House) -> None:
    row = house.expense()
    for columns in (
        {"payload": {"receipt_required": True}, "has_receipt": True},
        {"payload": {"receipt_required": False}, "has_receipt": False},
    ):
        Expense.objects.filter(pk=row.pk).update(**columns)
        assert blocks_of(house.business, [Expense.objects.get(pk=row.pk)]) == {}


def test_a_red_signal_of_a_payment_blocks_it_and_a_pale_one_does_not(house: House) -> None:
    red = house.approval(signals=[{"code": "payee_details_changed", "weight": 30}])
    pale = house.approval(signals=[{"code": "odd_time", "weight": 5}])
    assert list(blocks_of(house.business, [red, pale])) == [red.remote_id]


def test_a_named_role_overrides_with_a_reason_that_the_audit_keeps(house: House) -> None:
    row = blocked(house, "receipt")
    with pytest.raises(Rejected, match="Enter a reason"):
        submit(house, "Apollo", row, override=True, reason="  ")
    decision = submit(house, "Apollo", row, override=True, reason="The kiosk gives none")
    assert decision.overridden == [RECEIPT_MISSING]
    line = AuditEntry.objects.get(chain=house.business.pk, operation="override_policy")
    assert (line.reason, line.after) == ("The kiosk gives none", {"blocks": RECEIPT_MISSING})
    assert line.object_id == row.remote_id


def test_a_role_that_is_not_named_does_not_override(house: House) -> None:
    row = blocked(house, "receipt")
    with pytest.raises(ApprovalBlocked, match="The role Approver can override it"):
        submit(house, "Ada", row, override=True, reason="I know it")
    Business.objects.filter(pk=house.business.pk).update(override_roles=["ADMIN"])
    assert submit(house, "Ada", row, override=True, reason="I know it").overridden == [RECEIPT_MISSING]
    with pytest.raises(ApprovalBlocked, match="The role Admin can override it"):
        submit(house, "Apollo", blocked(house, "receipt"), override=True, reason="I know it")


def test_nobody_overrides_where_no_role_is_named(house: House) -> None:
    Business.objects.filter(pk=house.business.pk).update(override_roles=[])
    with pytest.raises(ApprovalBlocked, match="No role can override it"):
        submit(house, "Apollo", blocked(house, "receipt"), override=True, reason="I know it")


@pytest.mark.parametrize("kind", ["policy", "limit"])
def test_a_policy_flag_is_overridden_and_never_dismissed(house: House, kind: str) -> None:
    row, actor = blocked(house, kind), house.actor("Apollo")
    red = next(flag for flag in desk_item_of(actor, row).flags if flag.red)
    with pytest.raises(NotAllowed, match="A policy flag cannot be dismissed"):
        dismiss(actor, "expense", row, red.key, "Called Carla")
    # One that was dismissed before it was refused blocks all the same.
    Dismissal.objects.create(
        business=house.business, kind="expense", remote_id=row.remote_id, flag=red.key, membership_id=actor.member_id,
        by_name="Apollo", by_role="APPROVER", words=red.text, reason="Called Carla",
    )  # fmt: skip
    assert list(blocks_of(house.business, [row])) == [row.remote_id]
    assert not any(mark.by for mark in marked(actor, "expense", row.remote_id, [red]))
    assert len(submit(house, "Apollo", row, override=True, reason="I know it").overridden) == 1


def test_notes_of_a_low_risk_that_begin_alike_do_not_hide_a_policy_flag(house: House) -> None:
    row = house.expense()
    payload = {"policy_flags": ["LIMIT_EXCEEDED"], "risk_notes": "Limit exceeded once more"}
    Expense.objects.filter(pk=row.pk).update(payload=payload, risk=10)
    assert blocks_of(house.business, [Expense.objects.get(pk=row.pk)]) == {row.remote_id: ["Limit exceeded"]}


def exception(house: House, **evidence: str) -> Approval:
    """A payment that a policy speaks up about."""
    signal = {"code": "policy_exception", "weight": 20, "evidence": {"policy": "p", "type": "VENDOR"} | evidence}
    return house.approval(signals=[signal])


def test_a_payment_outside_a_policy_is_blocked_and_one_that_it_exempts_or_has_voted_on_is_not(house: House) -> None:
    broken = exception(house, outcome="BREACHED", action="FLAG", says="Over 500 this month")
    calm = [
        exception(house, outcome="EXEMPT", action="BLOCK"),
        exception(house, outcome="BREACHED", action="REQUIRE_APPROVAL"),
        house.approval(signals=[{"code": "budget_overrun", "weight": 10}]),
    ]
    sentence = "Outside the policy on vendors: Over 500 this month"
    assert blocks_of(house.business, [broken, *calm]) == {broken.remote_id: [sentence]}
    flag = next(flag for flag in desk_item_of(house.actor("Apollo"), broken).flags if flag.red)
    assert not flag.is_dismissible


@pytest.mark.parametrize("kind", ["risk"])
def test_a_dismissed_flag_blocks_nothing_and_leaves_the_score(house: House, kind: str) -> None:
    row, actor = blocked(house, kind), house.actor("Apollo")
    red = next(flag for flag in desk_item_of(actor, row).flags if flag.red)
    dismiss(actor, "expense", row, red.key, "Called Carla")
    assert blocks_of(house.business, [row]) == {}
    assert submit(house, "Apollo", row).overridden == []


def test_many_rows_are_judged_in_as_many_queries_as_one(
    house: House, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    rows = [blocked(house, kind) for kind in BLOCKS for _ in range(5)]
    with django_assert_max_num_queries(1):
        assert len(blocks_of(house.business, rows)) == 20


def waiting(world: World) -> Expense:
    """An expense with a receipt that waits for Apollo."""
    world.sandbox("expenses", count=1)
    world.sync("spend_policies", "hot")
    return Expense.objects.filter(business=world.business, status="PENDING", has_receipt=True).get()


def test_a_block_that_comes_before_the_sending_stops_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    row = waiting(world)
    decision = submit_decision(
        world.actor("Apollo"), APPROVE, row, fingerprint=fingerprint_of(row), key="before-the-block"
    )
    Decision.objects.filter(pk=decision.pk).update(due_at=decision.created_at)
    flag = "A later look: the receipt is of another shop."

    def red_flags(_business: Business, expenses: Sequence[Expense]) -> Mapping[str, Sequence[ItemFlag]]:
        return {expense.remote_id: [ItemFlag("!", flag, True)] for expense in expenses}

    monkeypatch.setitem(preconditions.RED_FLAGS, Expense, red_flags)
    send_due(world.business)
    decision.refresh_from_db()
    assert decision.state == DecisionState.CANCELLED
    assert flag in decision.message
    assert "Nothing was sent" in decision.message
    assert world.upstream("/expenses")["docs"][0]["status"] == "PENDING"


def test_what_was_overridden_is_sent(world: World) -> None:
    world.sandbox("expenses", count=1, receipts=False)
    world.sync("spend_policies", "hot")
    row = Expense.objects.get(business=world.business, status="PENDING")
    assert blocks_of(world.business, [row]) == {row.remote_id: [RECEIPT_MISSING]}
    decision = submit_decision(
        world.actor("Apollo"), APPROVE, row, fingerprint=fingerprint_of(row), key="overridden", override=True, reason="Lost"
    )  # fmt: skip
    Decision.objects.filter(pk=decision.pk).update(due_at=decision.created_at)
    send_due(world.business)
    decision.refresh_from_db()
    assert decision.state == DecisionState.DONE
    assert world.upstream("/expenses")["docs"][0]["status"] == "APPROVED"


def test_the_desk_blocks_before_the_click_and_offers_the_override_to_its_roles(world: World) -> None:
    world.sandbox("expenses", count=1, receipts=False)
    world.sync("spend_policies", "hot")
    row = Expense.objects.get(business=world.business, status="PENDING")
    address = world.address(f"approvals/expense/{row.remote_id}/")
    shown = world.client("Apollo").get(address).content.decode()
    assert "Approval is blocked" in shown
    assert "Override and approve" in shown
    assert f'action="{address}reject/"' in shown
    reviewer = world.client("Ada").get(address).content.decode()
    assert "The role Approver can override it." in reviewer
    assert "Override and approve" not in reviewer
    assert f'action="{address}approve/"' not in reviewer


def test_a_form_without_a_reason_comes_back_and_nothing_is_submitted(world: World) -> None:
    world.sandbox("expenses", count=1, receipts=False)
    world.sync("spend_policies", "hot")
    row = Expense.objects.get(business=world.business, status="PENDING")
    address = world.address(f"approvals/expense/{row.remote_id}/approve/")
    form = {"key": "k", "fingerprint": fingerprint_of(row), "override": "on", "reason": " "}
    answer = world.client("Apollo").post(address, form)
    assert answer.status_code == 422
    assert "overriding a policy needs one" in answer.content.decode()
    assert not Decision.objects.filter(business=world.business).exists()
    plain = world.client("Apollo").post(address, form | {"override": "", "key": "l"})
    assert plain.status_code == 409
    assert RECEIPT_MISSING in plain.content.decode()


def test_approvals_and_expenses_alone_have_red_flags() -> None:
    from dashboard.decisions.preconditions import RED_FLAGS

    assert set(RED_FLAGS) == {Expense, Approval}
