"""A customer against its table and a model of the search: any sequence of operations agrees with both."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from service.customers import services
from service.customers.models import Customer, CustomerTerm
from service.customers.schemas import NewCustomer
from service.customers.search import search
from service.customers.transitions import DELETE, REACTIVATE, TRANSITIONS
from service.errors import ServiceError
from tests.service.house import House

NAMES = st.sampled_from(["Mary Otieno", "Otieno Supplies", "Café Zürich", "Ann Ann"])


class Customers(RuleBasedStateMachine):
    """One regular and one walk-in customer; the model keeps their states and the name of the first."""

    @initialize()
    def open(self) -> None:
        self.caller = House().caller("Ada")
        new = (NewCustomer(name="Mary Otieno"), NewCustomer(type="walkIn"))
        self.ids = [services.create(self.caller, each).id for each in new]
        self.names = ["Mary Otieno", "WalkIn"]
        self.states: list[str] = [Customer.Status.ACTIVE] * 2

    @rule(who=st.integers(0, 1), move=st.sampled_from([DELETE, REACTIVATE]))
    def move(self, who: int, move: str) -> None:
        action = {DELETE: services.delete, REACTIVATE: services.reactivate}[move]
        action(self.caller, self.ids[who])
        self.states[who] = TRANSITIONS[move].get(self.states[who], self.states[who])

    @rule(who=st.integers(0, 1), name=NAMES)
    def rename(self, who: int, name: str) -> None:
        changed, code = name, ""
        try:
            services.update(self.caller, self.ids[who], {"name": name})
        except ServiceError as error:
            changed, code = self.names[who], error.code
        assert (code == "") is (who == 0 and self.states[who] == Customer.Status.ACTIVE)
        self.names[who] = changed

    @invariant()
    def the_rows_and_the_search_agree_with_the_model(self) -> None:
        if not hasattr(self, "ids"):
            return
        rows = {row.id: row for row in Customer.objects.filter(id__in=self.ids)}
        assert [(rows[each].status, rows[each].name) for each in self.ids] == list(
            zip(self.states, self.names, strict=True)
        )
        active = {each for each, state in zip(self.ids, self.states, strict=True) if state == Customer.Status.ACTIVE}
        for each, name in zip(self.ids, self.names, strict=True):
            assert (each in {row.id for row in search(self.caller, name)}) is (each in active)
        terms: Any = CustomerTerm.objects.filter(business=self.caller.business)
        assert set(terms.values_list("customer_id", flat=True)) == active


def test_any_sequence_of_operations_agrees_with_the_table(db: None) -> None:
    run_state_machine_as_test(
        Customers,
        settings=settings(max_examples=15, stateful_step_count=15),
    )
