"""No transaction leaves the table of transitions: random moves by random people, against a model of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from service.errors import ServiceError
from service.journal.models import Transaction, TransactionStatus
from service.journal.services import record_movement
from service.ledger.post import today
from service.transactions import manual_entries
from service.transactions.schemas import NewTransaction
from service.transactions.transitions import TRANSITIONS
from tests.service.house import House

AHEAD = timedelta(days=9)
MOVES = {"approve": manual_entries.approve, "reject": manual_entries.reject, "reverse": manual_entries.reverse}


class Book(RuleBasedStateMachine):
    """The model: the state of each transaction, and what all of them have put onto the wallet."""

    house: House

    def __init__(self) -> None:
        super().__init__()
        self.save = transaction.savepoint()
        self.states: dict[str, str] = {}
        self.later: set[str] = set()
        self.seen: dict[str, str] = {}

    @rule(later=st.booleans(), amount=st.integers(1, 500))
    def write(self, later: bool, amount: int) -> None:
        day = today(self.house.business) + AHEAD if later else None
        new = NewTransaction(type="TOPUP", org_wallet_ref="1", amount=amount, counterparty="A", value_date=day)
        row = manual_entries.create(self.house.caller("Ada"), new)
        self.states[row.id] = "PENDING"
        if later:
            self.later.add(row.id)

    @rule(move=st.sampled_from(sorted(MOVES)), who=st.sampled_from(["Apollo", "Zawadi"]), pick=st.integers(0, 50))
    def decide(self, move: str, who: str, pick: int) -> None:
        if not self.states:
            return
        row_id = sorted(self.states)[pick % len(self.states)]
        state = self.states[row_id]
        allowed = state in TRANSITIONS[move]
        more: tuple[Any, ...] = () if move == "approve" else ("because",)
        if not allowed:
            with pytest.raises(ServiceError, match="invalid_state"):
                MOVES[move](self.house.caller(who), row_id, *more)
            return
        MOVES[move](self.house.caller(who), row_id, *more)
        target = {"approve": "APPROVED" if row_id in self.later else "POSTED", "reject": "REJECTED"}
        self.states[row_id] = target.get(move, "REVERSED")

    @rule()
    def the_day_comes(self) -> None:
        Transaction.objects.filter(id__in=self.later).update(value_date=today(self.house.business))
        manual_entries.post_due()
        for row_id in self.later:
            if self.states[row_id] == "APPROVED":
                self.states[row_id] = "POSTED"
        self.later.clear()

    @invariant()
    def as_the_model_says(self) -> None:
        rows = Transaction.objects.filter(id__in=self.states)
        assert dict(rows.values_list("id", "status")) == self.states
        assert all((row.ledger_transaction_id is not None) == (row.status in ("POSTED", "REVERSED")) for row in rows)

    def teardown(self) -> None:
        transaction.savepoint_rollback(self.save)


def test_no_transition_outside_the_table_is_reachable(house: House) -> None:
    Book.house = house
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Book,
        settings=settings(
            max_examples=15, stateful_step_count=20,
        ),
    )  # fmt: skip


def test_every_state_and_move_of_the_table_is_a_known_one() -> None:
    assert {state for moves in TRANSITIONS.values() for state in (*moves, *moves.values())} == set(TransactionStatus)


def test_a_reference_is_written_once_and_needs_its_posting(house: House) -> None:
    opening = Transaction.objects.get(business=house.business, org_wallet_ref="1")
    what: dict[str, Any] = {
        "type": "EXPENSE", "org_wallet_ref": "1", "currency": "KES", "amount_minor": 5, "direction": "OUT", "ref": "R",
    }  # fmt: skip
    first = record_movement(house.caller(), **what, ledger_transaction_id=opening.ledger_transaction_id or 0)
    again = record_movement(house.business, **what, ledger_transaction_id=opening.ledger_transaction_id or 0)
    assert (first.id, first.effective_on) == (again.id, opening.effective_on)
    with pytest.raises(LookupError):
        record_movement(house.business, **{**what, "ref": "S"}, ledger_transaction_id=0)
