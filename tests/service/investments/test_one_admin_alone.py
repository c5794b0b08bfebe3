"""One admin alone moves no money of the business through a fund, whatever they do and in whatever order.

A state machine over every operation of funds, called over the interface by Ada alone, with time passing in between;
before that others have opened an account, put money into it and named operators. Whatever she does: no wallet of the
business has another balance, and nothing is held on one.
"""

import os
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from service.investments import accrual, catalogue, opt_ins, settlement
from service.investments.models import OPEN_MOVEMENTS, FundAccount, Movement, Operator
from service.ledger.models import LedgerBalance
from tests.service.house import House
from tests.service.investments.conftest import confirm, invested, move, name_operators, opened, request_opt_in, seat

ALONE = "Ada"
PEOPLE = st.sampled_from(["Ada", "Abel", "Carla", "Rita", "Sam", "Apollo"])
AMOUNTS = st.sampled_from([1, 150, 1_000, 2_000, 60_000, 49_000_000])
REFS = st.sampled_from(["1", "2", None])
# Operations of funds: what is not called here was forgotten.
CALLED = {
    "opt_in", "approve_opt_in", "reject_opt_in", "invest", "top_up", "withdraw", "replace_operators",
    "confirm_operator",
}  # fmt: skip


class OneAdminAlone(RuleBasedStateMachine):
    """What Ada may try; each answer may be what it will."""

    house: House

    @initialize(colleagues=st.booleans(), waits=st.booleans())
    def others_were_there_before(self, colleagues: bool, waits: bool) -> None:
        self.house = House()
        self.account = opened(self.house)
        invested(self.house, self.account, 100_000)
        move(self.house, self.account, "top-up", amount=5_000, org_wallet_ref="1")
        self.other = request_opt_in(self.house, "BAO-BAL-KES", by="Abel")["ref"] if waits else ""
        if colleagues:
            # Operators who count, named by somebody else; and one whom somebody else named and nobody confirmed.
            people = [seat(self.house, "Carla"), seat(self.house, "Abel")]
            name_operators(self.house, self.account, *people, by="Sam")
            for name in ("Carla", "Abel"):
                assert confirm(self.house, self.account, name, by="Selma").status_code == 200
            people.append(seat(self.house, "Rita"))
            name_operators(self.house, self.account, *people, match="2", by="Selma")
        self.before = self.wallets()

    def wallets(self) -> list[tuple[int, int, int, int]]:
        """What each wallet of the business has, and what is held on it or expected there."""
        rows = LedgerBalance.objects.filter(
            business=self.house.business, account__wallet__holder_id="", account__wallet__isnull=False
        )
        return list(rows.order_by("pk").values_list("pk", "posted", "pending_out", "pending_in"))

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        answer = self.house.send(method, f"/investments{path}", body, by=ALONE, **options)
        assert answer.status_code < 500, answer.content
        return answer

    @rule(code=st.sampled_from(["BAO-MMF-KES", "BAO-BAL-KES", "BAO-FIX-KES", "BAO-MMF-USD"]))
    def asks_for_a_fund(self, code: str) -> None:
        fund = next((each for each in catalogue.list_funds() if each.code == code), None)
        if fund is not None:
            self.call("POST", "/opt-in", {"fund_id": fund.id})

    @rule(verb=st.sampled_from(["approve", "reject"]))
    @precondition(lambda self: bool(self.other))
    def decides_on_a_fund(self, verb: str) -> None:
        self.call("POST", f"/opt-in/{self.other}/{verb}", {"reason": "x"} if verb == "reject" else None)

    @rule(
        people=st.lists(st.tuples(PEOPLE, st.booleans(), st.booleans()), max_size=4, unique_by=lambda each: each[0]),
        keeps=st.booleans(),
    )
    def names_operators(self, people: list[tuple[str, bool, bool]], keeps: bool) -> None:
        named = {
            self.house.person(name).id: seat(self.house, name, can_invest=invest, can_withdraw=withdraw)
            for name, invest, withdraw in people
        }
        if keeps:
            rows = Operator.objects.filter(account_id=self.account)
            named |= {
                row.employee_id: {
                    "employee_id": row.employee_id, "can_invest": row.can_invest, "can_withdraw": row.can_withdraw,
                }
                for row in rows
            }  # fmt: skip
        body = {"operators": list(named.values())}
        path = f"/accounts/{self.account}/permissions"
        self.call("PUT", path, body, headers={"If-Match": self.version()})

    @rule(name=PEOPLE)
    def confirms(self, name: str) -> None:
        path = f"/accounts/{self.account}/permissions/{self.house.person(name).id}/confirm"
        self.call("POST", path, headers={"If-Match": self.version()})

    def version(self) -> str:
        return str(FundAccount.objects.get(id=self.account).operators_version)

    @rule(verb=st.sampled_from(["top-up", "invest"]), amount=AMOUNTS, ref=REFS)
    def puts_money_in(self, verb: str, amount: int, ref: str | None) -> None:
        self.call("POST", f"/accounts/{self.account}/{verb}", {"amount": amount, "org_wallet_ref": ref})

    @rule(amount=AMOUNTS | st.none(), ref=REFS)
    def takes_money_out(self, amount: int | None, ref: str | None) -> None:
        how = {"all": True} if amount is None else {"amount": amount}
        self.call("POST", f"/accounts/{self.account}/withdraw", {**how, "org_wallet_ref": ref})

    @rule()
    def time_passes(self) -> None:
        settlement.settle_due()
        accrual.accrue_all()
        opt_ins.expire_due()

    @invariant()
    def no_wallet_of_the_business_has_changed(self) -> None:
        if hasattr(self, "before"):
            assert self.wallets() == self.before
            moved = Movement.objects.filter(account__business=self.house.business)
            assert not moved.filter(requested_by=self.house.person(ALONE).id).exists()
            assert not moved.filter(status__in=OPEN_MOVEMENTS).exists()

    @invariant()
    def she_operates_nothing(self) -> None:
        if hasattr(self, "before"):
            seats, alone = Operator.objects.filter(account__business=self.house.business), self.house.person(ALONE).id
            assert not seats.filter(employee_id=alone).exists()
            assert not seats.filter(confirmed_by=alone, named_by=alone).exists()


@pytest.mark.usefixtures("db")
def test_no_sequence_of_one_admin_moves_money_of_the_business() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        OneAdminAlone,
        settings=settings(
            max_examples=200 if os.environ.get("FULL") else 12,
            stateful_step_count=25,
        ),
    )


def test_every_operation_of_funds_that_changes_something_is_among_what_is_tried() -> None:
    from service.api import v2

    paths = v2.get_openapi_schema(path_prefix="")["paths"]
    found = {
        each["operationId"] for path, verbs in paths.items() if path.startswith("/investments/")
        for verb, each in verbs.items() if verb != "get"
    }  # fmt: skip
    assert found == CALLED
