"""The life of a policy against its table, by random moves through the interface: nothing outside it is reachable."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from service.wallet_policies.audit import chain_breaches
from service.wallet_policies.models import PolicyAudit, WalletPolicy
from service.wallet_policies.tasks import expire_due
from tests.service.house import House
from tests.service.wallet_policies.conftest import body

# As decisions B.11 has it, written down a second time: what each verb leads to from each state.
TABLE = {
    ("ACTIVE", "suspend"): "SUSPENDED",
    ("SUSPENDED", "suspend"): "SUSPENDED",
    ("SUSPENDED", "reactivate"): "ACTIVE",
    ("ACTIVE", "reactivate"): "ACTIVE",
    ("ACTIVE", "revoke"): "REVOKED",
    ("SUSPENDED", "revoke"): "REVOKED",
    ("REVOKED", "revoke"): "REVOKED",
}


class Life(RuleBasedStateMachine):
    """A model of one person's policies on one wallet, beside the real ones."""

    house: House

    @initialize()
    def begin(self) -> None:
        self.states: dict[str, str] = {}
        self.changes = 0
        WalletPolicy.objects.filter(business=self.house.business).delete()
        self.audited = PolicyAudit.objects.filter(business=self.house.business).count()

    def _open(self) -> list[str]:
        return [each for each, state in self.states.items() if state in ("ACTIVE", "SUSPENDED")]

    @rule()
    def grant(self) -> None:
        answer = self.house.post("/wallet-policies", body(self.house))
        if self._open():
            assert answer.status_code == 409
            return
        assert answer.status_code == 201
        # One that was over and not swept yet is written down as expired on the way.
        self.changes += 1 + sum(
            1 for row in WalletPolicy.objects.filter(id__in=self.states, status="EXPIRED") if self._swept(row.id)
        )
        self.states[answer.json()["_id"]] = "ACTIVE"

    def _swept(self, policy_id: str) -> bool:
        fresh = self.states[policy_id] == "EXPIRED unseen"
        if fresh:
            self.states[policy_id] = "EXPIRED"
        return fresh

    @rule(verb=st.sampled_from(["suspend", "reactivate", "revoke"]), pick=st.integers(0, 20))
    def move(self, verb: str, pick: int) -> None:
        if not self.states:
            return
        policy_id = list(self.states)[pick % len(self.states)]
        state = self.states[policy_id]
        path = f"/wallet-policies/{policy_id}"
        answer = self.house.send("DELETE", path) if verb == "revoke" else self.house.post(f"{path}/{verb}")
        target = TABLE.get((state, verb))
        if target is None:
            assert (answer.status_code, answer.json()["code"]) == (409, "invalid_state")
        else:
            assert (answer.status_code, answer.json()["status"]) == (200, target)
            self.changes += target != state
            self.states[policy_id] = target

    @rule(change=st.sampled_from([{"reason": "again"}, {"permissions": ["WALLET_FX"]}, {"limits": {"daily": 5}}]))
    def modify(self, change: dict[str, object]) -> None:
        for policy_id, state in self.states.items():
            answer = self.house.send("PATCH", f"/wallet-policies/{policy_id}", change)
            assert answer.status_code == (200 if state in ("ACTIVE", "SUSPENDED") else 409)
            self.changes += answer.status_code == 200

    @rule()
    def time_passes(self) -> None:
        for policy_id, state in self.states.items():
            if state == "ACTIVE":
                now = timezone.now()
                WalletPolicy.objects.filter(id=policy_id).update(
                    valid_from=now - timedelta(days=2), expires_at=now - timedelta(days=1)
                )
                self.states[policy_id] = "EXPIRED unseen"

    @rule()
    def sweep(self) -> None:
        expire_due()
        for policy_id in self.states:
            self.changes += self._swept(policy_id)

    @invariant()
    def the_service_agrees(self) -> None:
        if not hasattr(self, "states"):
            return
        for policy_id, state in self.states.items():
            shown = self.house.get(f"/wallet-policies/{policy_id}").json()["status"]
            assert shown == state.removesuffix(" unseen")
        assert len(self._open()) <= 1
        lines = PolicyAudit.objects.filter(business=self.house.business).count()
        assert lines - self.audited == self.changes, "every change, and nothing else, leaves a line"


@pytest.mark.django_db
def test_no_transition_outside_the_table_is_reachable(house: House) -> None:
    Life.house = house
    run_state_machine_as_test(
        Life,
        settings=settings(max_examples=15, stateful_step_count=12),
    )
    assert not [breach for breach in chain_breaches() if breach.business_id == house.business.id]
