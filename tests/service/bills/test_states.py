"""The bill payment against its table: whatever is done, in whatever order, no other transition is reachable."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from service.approvals.models import Approval
from service.bills import execution
from service.bills.models import BillPayment
from service.bills.transitions import CLAIMS, MOVES
from service.business_policies.models import BusinessPolicy
from service.rails.mobile_money import rail
from service.rails.outcomes import Outcome, RailTimeoutError, State
from tests.service.bills.conftest import add, bill, later, request_votes, say
from tests.service.business_policies.conftest import create_policy
from tests.service.house import House

TOTAL = 1000_00
# From a state, all that one action may lead to: a worker may make several moves in one go.
NEXT: dict[str, set[str]] = {}
for _move in MOVES.values():
    for _start in _move.starts:
        NEXT.setdefault(_start, set()).update(_move.targets)


def reachable(start: str) -> set[str]:
    found, left = {start}, [start]
    while left:
        for each in NEXT.get(left.pop(), set()) - found:
            found.add(each)
            left.append(each)
    return found


# What a person's action may do in one step, by the state it meets; everything else leaves the state as it is.
BY_PERSON = {
    "ask": {"DRAFT", "WITHDRAWN", "REJECTED"},
    "approve": {"PENDING_APPROVAL"},
    "reject": {"PENDING_APPROVAL"},
    "withdraw": {"DRAFT", "PENDING_APPROVAL", "APPROVED", "SCHEDULED"},
    "retry": {"FAILED"},
}
LEADS = {
    "ask": {"PENDING_APPROVAL", "APPROVED"},
    "approve": {"APPROVED", "PENDING_APPROVAL"},
    "reject": {"REJECTED"},
    "withdraw": {"WITHDRAWN"},
    "retry": {"PROCESSING"},
}


class Payment(RuleBasedStateMachine):
    """Two payments of one bill, people who do anything at any time, a worker, and a rail that says anything."""

    house: House

    @initialize()
    def begin(self) -> None:
        self.bill = bill(self.house, TOTAL / 100)
        self.rows: list[dict[str, Any]] = []
        self.forbidding = create_policy(self.house, "VENDOR", self.bill["vendor_id"], status="INACTIVE")
        self.forbidden = False

    def state(self, row: dict[str, Any]) -> str:
        return BillPayment.objects.get(pk=row["_id"]).status

    @rule(amount=st.sampled_from([300, 500, 800]))
    def add_one(self, amount: int) -> None:
        answer = add(self.house, self.bill, amount)
        if answer.status_code == 201:
            self.rows.append(answer.json())

    @rule()
    def policy(self) -> None:
        """A policy against the vendor comes into force, or goes out of it."""
        self.forbidden = not self.forbidden
        status = "ACTIVE" if self.forbidden else "INACTIVE"
        BusinessPolicy.objects.filter(pk=self.forbidding["_id"]).update(status=status)

    @rule(place=st.integers(0, 2), name=st.sampled_from(sorted(BY_PERSON)))
    def person(self, place: int, name: str) -> None:
        if not self.rows:
            return
        row = self.rows[place % len(self.rows)]
        before = self.state(row)
        if name == "ask":
            answer = request_votes(self.house, row)
        elif name == "retry":
            answer = self.house.post(f"/bills/payments/{row['payment_ref']}/retry")
        else:
            answer = say(self.house, row, name, by="Ada" if name == "withdraw" else "Apollo")
        after = self.state(row)
        if answer.status_code == 200:
            assert before in BY_PERSON[name], (before, name)
            assert after in LEADS[name], (before, name, after)
            assert not (self.forbidden and name in {"ask", "retry"})
        else:
            assert answer.status_code in (403, 409, 422)
            assert after == before

    @rule(place=st.integers(0, 2), word=st.sampled_from(["SUCCEEDED", "FAILED", "PENDING", "silence"]))
    def worker(self, place: int, word: str) -> None:
        if not self.rows:
            return
        row = self.rows[place % len(self.rows)]
        before = self.state(row)
        later(row)
        said = self._rail(word)
        stored = type(rail).send, type(rail).status
        type(rail).send = type(rail).status = lambda *_: said()  # type: ignore[method-assign]
        try:
            execution.execute(row["_id"])
        finally:
            type(rail).send, type(rail).status = stored  # type: ignore[method-assign]
        after = self.state(row)
        assert after in reachable(before)
        if self.forbidden and before in {"APPROVED", "SCHEDULED"}:
            assert after == before
        if before not in {"APPROVED", "SCHEDULED", "PROCESSING", "UNKNOWN"}:
            assert after == before

    def _rail(self, word: str) -> Any:
        def said() -> Outcome:
            if word == "silence":
                raise RailTimeoutError
            return Outcome(State(word), "R" if word == "SUCCEEDED" else "", "" if word != "FAILED" else "refused")

        return said

    @invariant()
    def the_sum_stays_within_the_balance(self) -> None:
        if not getattr(self, "rows", None):
            return
        rows = list(BillPayment.objects.filter(bill_id=self.bill["_id"]).select_related("bill"))
        paid = sum(row.amount_minor for row in rows if row.status == "SUCCEEDED")
        assert paid == rows[0].bill.paid_minor
        assert paid + sum(row.amount_minor for row in rows if row.status in CLAIMS) <= TOTAL
        waiting = {row.id for row in rows if row.status == "PENDING_APPROVAL"}
        assert {
            each.subject_id
            for each in Approval.objects.filter(status="PENDING", subject_id__in=[row.id for row in rows])
        } == waiting
        for row in rows:
            assert (row.ledger_hold_id is not None) == (row.status in {"SCHEDULED", "PROCESSING", "UNKNOWN"}), (
                row.status
            )
            assert (row.ledger_transaction_id is not None) == (row.status == "SUCCEEDED")


def test_no_transition_outside_the_table_is_reachable(house: House) -> None:
    Payment.house = house
    run_state_machine_as_test(
        Payment,
        settings=settings(
            max_examples=12,
            stateful_step_count=16,
        ),
    )
