"""The ledger against a dict: any sequence of operations gives the same balances and the same refusals."""

from typing import Any

from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from service.errors import ServiceError
from service.ledger.balances import balances
from service.ledger.chart import system_account
from service.ledger.models import LedgerEntry, LedgerHold
from service.ledger.post import Leg, capture, hold, post, release, reverse
from tests.service.ledger.conftest import fresh_business, funded

NAMES = st.sampled_from(["a", "b", "c"])
AMOUNTS = st.integers(1, 120)


class Ledger(RuleBasedStateMachine):
    """Three wallets and a bank; the model keeps what each has and what is held."""

    @initialize()
    def open(self) -> None:
        self.business = fresh_business()
        self.accounts = {name: funded(self.business, name, 100) for name in ("a", "b", "c")}
        self.bank = system_account(self.business, "BANK_FLOAT", "KES")
        self.posted = dict.fromkeys(self.accounts, 100)
        self.holds: dict[int, tuple[LedgerHold, str, int]] = {}
        self.transfers: list[tuple[str, str, str, int, int]] = []
        self.reversed: set[int] = set()
        self.count = 0

    def ref(self) -> str:
        self.count += 1
        return f"r{self.count}"

    def available(self, name: str) -> int:
        return self.posted[name] - sum(left for _, owner, left in self.holds.values() if owner == name)

    def attempt(self, expected: bool, work: Any) -> Any:
        """Does it; it must be refused exactly where the model says so, and then nothing has changed."""
        result, code = None, ""
        try:
            with transaction.atomic():
                result = work()
        except ServiceError as error:
            code = error.code
        assert expected is (code == ""), code
        assert code in {"", "insufficient_funds", "limit_exceeded"}
        return result

    @rule(source=NAMES, receiver=NAMES, amount=AMOUNTS)
    def transfer(self, source: str, receiver: str, amount: int) -> None:
        if source == receiver:
            return
        ref = self.ref()
        legs = [Leg(self.accounts[source].pk, -amount), Leg(self.accounts[receiver].pk, amount)]
        done = self.attempt(self.available(source) >= amount, lambda: post(self.business, ref, "TRANSFER", legs))
        if done:
            self.posted[source] -= amount
            self.posted[receiver] += amount
            self.transfers.append((ref, source, receiver, amount, done.id))

    @rule(place=st.integers(0, 50))
    def transfer_again(self, place: int) -> None:
        if self.transfers:
            ref, source, target, amount, created = self.transfers[place % len(self.transfers)]
            legs = [Leg(self.accounts[source].pk, -amount), Leg(self.accounts[target].pk, amount)]
            again = post(self.business, ref, "TRANSFER", legs)
            assert (again.id, again.already) == (created, True)

    @rule(place=st.integers(0, 50))
    def take_back(self, place: int) -> None:
        if not self.transfers:
            return
        _, source, target, amount, created = self.transfers[place % len(self.transfers)]
        if created in self.reversed:
            return
        ref = self.ref()
        if self.attempt(self.available(target) >= amount, lambda: reverse(self.business, created, ref)):
            self.reversed.add(created)
            self.posted[source] += amount
            self.posted[target] -= amount

    @rule(name=NAMES, amount=AMOUNTS)
    def reserve(self, name: str, amount: int) -> None:
        ref = self.ref()
        held = self.attempt(
            self.available(name) >= amount, lambda: hold(self.business, self.accounts[name], amount, ref)
        )
        if held:
            self.holds[held.pk] = (held, name, amount)

    @rule(place=st.integers(0, 50), amount=AMOUNTS)
    def capture_some(self, place: int, amount: int) -> None:
        if not self.holds:
            return
        held, name, left = list(self.holds.values())[place % len(self.holds)]
        ref = self.ref()
        if self.attempt(amount <= left, lambda: capture(held, amount, ref, self.bank)):
            self.posted[name] -= amount
            self.holds[held.pk] = (held, name, left - amount)
            if left == amount:
                del self.holds[held.pk]

    @rule(place=st.integers(0, 50))
    def give_back(self, place: int) -> None:
        if self.holds:
            held, _, _ = list(self.holds.values())[place % len(self.holds)]
            assert release(held, self.ref())
            del self.holds[held.pk]

    @invariant()
    def balances_are_the_models(self) -> None:
        if not hasattr(self, "accounts"):
            return
        found = balances(account.pk for account in self.accounts.values())
        for name, account in self.accounts.items():
            assert found[account.pk].posted == self.posted[name]
            assert found[account.pk].available == self.available(name)
            entries = list(LedgerEntry.objects.filter(account=account).order_by("seq"))
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            assert entries[-1].balance_after == self.posted[name]


def test_any_sequence_of_operations_agrees_with_the_model(db: None) -> None:
    run_state_machine_as_test(
        Ledger,
        settings=settings(max_examples=25, stateful_step_count=25),
    )
