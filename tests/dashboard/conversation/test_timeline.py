"""One timeline per item: deeds, decisions and words together, with role, time, and before and after."""

from __future__ import annotations

import pytest

from dashboard import operations
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.conversation.comments import say
from dashboard.conversation.timeline import timeline_of
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision, undo
from dashboard.mirror.models import Customer
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House


def test_a_decision_is_one_deed_with_what_became_of_it(house: House) -> None:
    expense, apollo = house.expense(), house.actor("Apollo")
    decision = submit_decision(
        apollo, operations.APPROVE_EXPENSE, expense, fingerprint=fingerprint_of(expense), key="k"
    )
    assert [moment.outcome for moment in timeline_of(apollo, "expense", expense.remote_id)] == ["decided"]
    undo(apollo, decision.pk)
    (deed,) = timeline_of(apollo, "expense", expense.remote_id)
    assert (deed.who, deed.role, deed.outcome) == ("Apollo", "approver", "undone")
    assert deed.reason == "You undid it. Nothing was sent."


def test_words_and_deeds_stand_together_the_newest_first(house: House) -> None:
    expense, ada = house.expense(), house.actor("Ada")
    changed = {"before": {"category": "Fuel"}, "after": {"category": "Tyres"}}
    record(ada, operations.CATEGORISE_EXPENSE, expense, Outcome.DONE, **changed)  # type: ignore[arg-type]
    say(ada, "expense", expense, "It was a tyre", key="k")
    say(house.actor("Rita"), "expense", expense, "@Ada thank you", key="l")
    moments = timeline_of(ada, "expense", expense.remote_id)
    assert [moment.who for moment in moments] == ["Rita", "Ada", "Ada"]
    assert moments[0].parts == [("@Ada", True), (" thank you", False)]
    (change,) = moments[2].changes
    assert (change.name, change.before, change.after) == ("Category", "Fuel", "Tyres")


def test_a_denial_is_there_and_its_rule_is_no_change(house: House) -> None:
    own = house.expense(employee_id=house.employee_id("Apollo"))
    house.browser("Apollo").post(
        house.address(f"approvals/expense/{own.remote_id}/approve/"), {"key": "k", "fingerprint": fingerprint_of(own)}
    )
    (deed,) = timeline_of(house.actor("Ada"), "expense", own.remote_id)
    assert (deed.outcome, deed.changes) == ("denied", [])
    assert "your own" in deed.reason


@pytest.mark.parametrize(
    "operation", ["override_policy", "dismiss_flag", "draw_weekly_sample", "check_weekly_sample", "whatever_comes_next"]
)
def test_what_only_the_reviewers_have_is_not_in_the_thread_of_whose_item_it_is(house: House, operation: str) -> None:
    own, payment = (
        house.expense(employee_id=house.employee_id("Carla")),
        house.payment(requested_by_id=house.employee_id("Ada")),
    )
    rita = house.actor("Rita")
    for row in (own, payment):
        record(rita, operation, row, Outcome.NOTED, sentence="did what reviewers do", reason="Looked odd")
        record(rita, operations.APPROVE_EXPENSE, row, Outcome.DENIED, sentence="tried to approve", reason="Read-only")
    record(rita, operations.REQUEST_EXPENSE_DETAILS, own, Outcome.DONE, reason="What was it for?")
    assert [moment.reason for moment in timeline_of(house.actor("Carla"), "expense", own.remote_id)] == [
        "What was it for?"
    ]
    assert timeline_of(house.actor("Ada"), "approval", payment.remote_id) == []
    assert len(timeline_of(house.actor("Apollo"), "expense", own.remote_id)) == 3
    assert len(timeline_of(house.actor("Apollo"), "approval", payment.remote_id)) == 2


def test_another_items_lines_are_not_there(house: House) -> None:
    expense, other, ada = house.expense(), house.expense(), house.actor("Ada")
    say(ada, "expense", expense, "Here", key="k")
    assert timeline_of(ada, "expense", other.remote_id) == []


def test_it_stands_on_the_pages_of_items(house: House) -> None:
    expense, payment = house.expense(), house.payment()
    say(house.actor("Ada"), "expense", expense, "About the expense", key="k")
    say(house.actor("Ada"), "approval", payment, "About the payment", key="l")
    browser = house.browser("Apollo")
    for address in (f"expenses/{expense.remote_id}/", f"approvals/expense/{expense.remote_id}/"):
        assert "About the expense" in browser.get(house.address(address)).content.decode()
    assert "About the payment" in browser.get(house.address(f"approvals/payment/{payment.remote_id}/")).content.decode()


def test_an_edit_says_what_it_changed_from_what_to_what(world: World) -> None:
    browser = world.client("Ada")
    browser.post(world.address("customers/new/"), {"name": "Mary Otieno", "phone": "254700000001"})
    customer = Customer.objects.get(business=world.business)
    form = {"name": "Mary Otieno", "phone": "254700000009", "email": "", "tax_pin": "", "person": "", "address": ""}
    assert browser.post(world.address(f"customers/{customer.remote_id}/edit/"), form).status_code == 302
    deed = timeline_of(world.actor("Ada"), "customer", customer.remote_id)[0]
    assert [(change.name, change.before, change.after) for change in deed.changes] == [
        ("Phone", "254700000001", "254700000009")
    ]
    assert (deed.what, deed.outcome) == ("changed customer Mary Otieno", "")
    page = browser.get(world.address(f"customers/{customer.remote_id}/")).content.decode()
    assert "<s>254700000001</s>" in page
