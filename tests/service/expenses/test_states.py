"""The life of an expense against its table, through the interface, the network and the old interface."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.auth import system_caller
from service.cards import clearing
from service.cards.authorizations import Swipe
from service.cards.models import Authorization
from service.expenses.models import Expense
from service.expenses.transitions import TRANSITIONS
from service.sandbox import simulation
from tests.service.house import House

# Decisions B.15 and B.20, written down again: what each state may go to, and when. Once posted nothing is deleted, and
# only what is posted is refunded.
REVIEWED = {"PENDING": {"approve": "APPROVED", "reject": "REJECTED", "request_details": "DETAILS_REQUESTED"}}
ALLOWED: dict[str, dict[str, str]] = {
    "PENDING": {**REVIEWED["PENDING"], "delete": "DELETED", "refund": "REFUNDED"},
    "APPROVED": {"reject": "REJECTED", "delete": "DELETED", "refund": "REFUNDED"},
    "REJECTED": {"approve": "APPROVED", "delete": "DELETED", "refund": "REFUNDED"},
    "DETAILS_REQUESTED": {"give_details": "PENDING", "delete": "DELETED"},
    "REFUNDED": {},
    "DELETED": {},
}
MOVES = ("approve", "reject", "request_details", "give_details", "delete", "refund", "settle", "tag")


def test_the_table_is_that_of_the_decisions() -> None:
    table = {
        state: {verb: str(ends[state]) for verb, ends in TRANSITIONS.items() if state in ends} for state in ALLOWED
    }
    assert table == ALLOWED


def attempt(house: House, expense_id: str, verb: str) -> int:
    """Does it as it is done in real life; the status of the answer."""
    no = {"reason": "Why?"}
    if verb == "approve":
        answer = house.post(f"/expenses/approve/{expense_id}")
    elif verb == "reject":
        answer = house.post(f"/expenses/reject/{expense_id}", no)
    elif verb == "request_details":
        answer = house.post(f"/expenses/requestDetails/{expense_id}", no)
    elif verb == "give_details":
        answer = house.post(f"/expenses/notes/{expense_id}", {"notes": "Fuel"}, by="Carla")
    elif verb == "tag":
        answer = house.send("PUT", f"/expenses/{expense_id}/tags", {"tags": []})
    elif verb == "delete":
        answer = house.v1("DELETE", f"/expenses/{expense_id}")
    elif verb == "refund":
        answer = house.post(f"/sandbox/businesses/{house.business.id}/refund", {"expense_id": expense_id})
    else:
        use = Authorization.objects.get(expense_id=expense_id)
        if use.captured_minor == 0:
            clearing.capture(system_caller(house.business), use.id, None, final=True)
        return 200
    status: int = answer.status_code
    return status


@settings(max_examples=25)
@given(moves=st.lists(st.sampled_from(MOVES), max_size=7))
def test_no_transition_outside_the_table_is_reachable(house: House, moves: list[str]) -> None:
    person = house.person("Carla")
    held = simulation.swipe(house.business, None, person, "1", Swipe(100, "Java"), settle_now=False)
    assert held.expense_id is not None
    state, posted = "PENDING", False
    for verb in moves:
        status = attempt(house, held.expense_id, verb)
        target = ALLOWED[state].get(verb)
        if (verb == "delete" and posted) or (verb == "refund" and not posted):
            target = None
        if verb == "settle":
            # Money that is taken after all makes an expense of its own where this one was deleted.
            posted = posted or state != "DELETED"
        elif target is not None:
            assert status in (200, 204)
            state = target
        elif verb not in ("give_details", "tag"):
            assert status in (404, 409), "what is deleted is found no more"
        row = Expense.objects.get(pk=held.expense_id)
        assert (row.status, row.ledger_transaction_id is not None) == (state, posted)
