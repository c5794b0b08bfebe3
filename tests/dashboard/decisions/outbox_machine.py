"""The outbox as a machine of rules: what people do, what fails meanwhile, and what must hold after each step.

Acting and looking fail independently, the worker is killed at every step, the database drops its connections, our own
breaker opens, rights are lost, somebody else is faster, days pass and the service forgets its keys.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import F
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from dashboard import operations
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.client import breaker, gateway
from dashboard.client.gateway import send
from dashboard.client.models import OutboundOperation
from dashboard.decisions.bulk import submit_bulk, undo_bulk
from dashboard.decisions.dispatcher import claim_next, dispatch
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.presenters import undone_sentence
from dashboard.decisions.services import submit_decision, undo
from dashboard.errors import FinanceError, InvalidState
from dashboard.mirror.models import Approval, ApprovalRequest, Expense
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import Proposal
from tests.dashboard.decisions.outbox_checks import VERBS, OutboxChecks
from tests.dashboard.decisions.outbox_weather import WEATHER, Cutter, Killed, Weather, passing

ON_EXPENSES, ON_REQUESTS, ON_BILLS, ON_ORDERS = (list(VERBS)[at:to] for at, to in ((0, 3), (3, 5), (5, 7), (7, 9)))
# What pages send by themselves, one of each kind: who sends it, the address filled in, and the body.
FORMS: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "block_card": ("Ada", {"id": "card-1"}, {"reason": "Lost in a taxi."}),
    "update_customer": ("Ada", {"id": "customer-1"}, {"name": "Amani Traders"}),
    "update_account": ("Ada", {"id": "wallet-1"}, {"name": "Main wallet"}),
    "transfer_fx": (
        "Apollo", {}, {"amount": Decimal("10.50"), "from_org_wallet_ref": "1", "to_org_wallet_ref": "2"},
    ),
    "invest": ("Apollo", {"fundAccountId": "fund-1"}, {"amount": Decimal(250)}),
}  # fmt: skip


class Outbox(OutboxChecks):
    """Some decisions and direct sends of one business; `desk` and `cutter` are set by the test."""

    cutter: Cutter

    @initialize(honours=st.booleans())
    def begin(self, honours: bool) -> None:
        desk = self.desk
        desk.service.honours_keys = honours
        desk.service.effects.clear()
        desk.service.answers.clear()
        desk.service.done.clear()
        desk.proxy.heal()
        desk.proxy.record.clear()
        breaker._breakers.clear()
        self.ids: list[uuid.UUID] = []
        self.bulks: list[tuple[str, uuid.UUID]] = []
        self.forms: dict[str, Any] = {}
        self.others: dict[str, str] = {}
        Decision.objects.filter(business=desk.house.business, state__in=OPEN_DECISION_STATES).delete()
        Proposal.objects.filter(business=desk.house.business).delete()
        OutboundOperation.objects.filter(business=desk.house.business).delete()
        self.expenses = [desk.expense() for _ in range(2)]
        self.requests = [desk.approval() for _ in range(2)]
        self.bills = [desk.bill_payment() for _ in range(2)]
        self.orders = [desk.card_order() for _ in range(2)]
        self.proposal = self._proposed()
        self.read_to = AuditEntry.objects.filter(chain=desk.house.business.pk).order_by("-id").values_list("id")[:1]
        self.line = max((line for (line,) in self.read_to), default=0)
        self._role("REVIEWER")
        self.account = gateway.service_account_of(desk.house.actor("Ada"))

    # What people do.

    @rule(what=st.sampled_from([*VERBS, "all", "all orders"]), at=st.integers(0, 1), apollo=st.booleans())
    def decide(self, what: str, at: int, apollo: bool) -> None:
        if what in ON_EXPENSES:
            self._take("Rita", Expense.objects.get(pk=self.expenses[at].pk), what)
        elif what in ON_REQUESTS:
            row = Approval.objects.get(pk=self.requests[at].pk)
            self._take("Apollo" if apollo else "Zawadi", row, what)
        elif what in ON_BILLS:
            row = Approval.objects.get(pk=self.bills[at].pk)
            self._take("Apollo" if apollo else "Zawadi", row, what)
        elif what in ON_ORDERS:
            self._take("Ada", ApprovalRequest.objects.get(pk=self.orders[at].pk), what)
        elif what == "all":
            self._take_all("Rita", operations.APPROVE_EXPENSE, Expense.objects.filter(pk__in=self._pks(self.expenses)))
        else:
            rows = ApprovalRequest.objects.filter(pk__in=self._pks(self.orders))
            self._take_all("Ada", operations.APPROVE_CARD_ORDERS, rows)

    def _pks(self, rows: list[Any]) -> list[int]:
        return [row.pk for row in rows]

    def _take_all(self, who: str, operation: Operation, chosen: Any) -> None:
        rows = list(chosen)
        seen = {row.remote_id: fingerprint_of(row) for row in rows}
        bulk = submit_bulk(self.desk.house.actor(who), operation, rows, fingerprints=seen, key=str(uuid.uuid4()))
        self.bulks.append((who, bulk.pk))
        self.ids += Decision.objects.filter(bulk=bulk).values_list("pk", flat=True)

    @rule(at=st.integers(0, 1), again=st.booleans(), weather=WEATHER)
    def send_a_form(self, at: int, again: bool, weather: Weather) -> None:
        """A page approves an expense by itself; `again` presses the button of the last form once more."""
        key, row = str(uuid.uuid4()), self.expenses[at]
        if again and self.forms:
            key, row = list(self.forms.items())[-1]
        self.forms[key] = row
        if self._sends(weather, "approve_expense", "Apollo", {"expenseId": row.remote_id}, {}, row, key):
            assert self._done("approve", row.remote_id, "Apollo")

    @rule(what=st.sampled_from(list(FORMS)), again=st.booleans(), weather=WEATHER)
    def send_another_form(self, what: str, again: bool, weather: Weather) -> None:
        """A page of cards, customers, wallets, FX or investments sends; `again` presses its last button once more."""
        who, path, body = FORMS[what]
        key = self.others.setdefault(what, str(uuid.uuid4())) if again else str(uuid.uuid4())
        self.others[what] = key
        if self._sends(weather, what, who, path, body, None, key):
            assert self._done_under(key), f"{what} is said to be done"

    def _sends(
        self, weather: Weather, what: str, who: str, path: dict[str, str], body: dict[str, Any], row: Any, key: str
    ) -> bool:
        """Whether it is said to be done; what is denied must not have been done under its key."""
        refusal: FinanceError | None = None
        with self._in(weather):
            try:
                operation = operations.OPERATIONS[what]
                send(self.desk.house.actor(who), operation, path=path, body=body, subject=row, key=key)
            except FinanceError as error:
                refusal = error
            except (Killed, DatabaseError, InterfaceError):
                return False
        if refusal is not None and refusal.changed is False:
            assert not self._done_under(key), f"{type(refusal).__name__}: {refusal.user_message}"
        return refusal is None or bool(refusal.changed)

    def _proposed(self) -> Proposal:
        """A change of access that a second admin has confirmed."""
        house, policy_id = self.desk.house, f"wp-{uuid.uuid4().hex[:12]}"
        self.desk.service.policies[policy_id] = {
            "_id": policy_id, "wallet_id": "w-1", "employee_id": house.employee("Carla"), "status": "ACTIVE",
            "permissions": ["WALLET_VIEW"], "version": 1,
        }  # fmt: skip
        return Proposal.objects.create(
            business=house.business, operation="modify_wallet_policy", path={"policyId": policy_id},
            body={"permissions": ["WALLET_VIEW", "WALLET_VIEW_BALANCE"]}, policy_id=policy_id, seen_version=1,
            title="Carla", key=f"modify_wallet_policy-{policy_id}", proposed_by=house.people["Abel"], wallet_id="w-1",
            employee_id=house.employee("Carla"), state="CONFIRMED", decided_by=house.people["Ada"],
            decided_at=timezone.now(),
        )  # fmt: skip

    @rule(weather=WEATHER)
    def a_confirmed_proposal_is_applied(self, weather: Weather) -> None:
        Proposal.objects.filter(pk=self.proposal.pk).update(lease_until=None)
        with self._in(weather), contextlib.suppress(Killed, DatabaseError, InterfaceError):
            apply_proposal(self.proposal.pk)

    # What the outbox does; two rules, so that it is done as often as anything else.

    @rule(weather=WEATHER, everything=st.booleans())
    def the_outbox_is_swept(self, weather: Weather, everything: bool) -> None:
        """`everything`: what was put off or is unknown is due again, and what a dead process held is free."""
        with self._in(weather):
            self._sweep(everything)

    @rule(weather=WEATHER)
    def it_is_swept_again(self, weather: Weather) -> None:
        with self._in(weather):
            self._sweep(everything=True)

    # What happens meanwhile.

    @rule(at=st.integers(0, 3))
    def undo(self, at: int) -> None:
        if self.ids:
            decision = Decision.objects.select_related("membership__user").get(pk=self.ids[at % len(self.ids)])
            with contextlib.suppress(InvalidState):
                undo(self.desk.house.actor(decision.membership.user.name), decision.pk)

    @rule()
    def undo_all(self) -> None:
        """Everything of the last bulk that still waits is taken back together, and told in one sentence."""
        if self.bulks:
            who, bulk_id = self.bulks[-1]
            undone = undo_bulk(self.desk.house.actor(who), bulk_id)
            text = undone_sentence(undone) if undone else ""
            if "sent" in text:
                assert not any(self._seen(decision) for decision in undone), text
            assert not any(self._done_by(decision) for decision in undone), text

    @rule(
        what=st.sampled_from(["approve", "reject", "CARD_USER", "REVIEWER", "minutes", "a while", "a day"]),
        at=st.integers(0, 1),
    )
    def meanwhile(self, what: str, at: int) -> None:
        """Somebody else is faster, a right is lost or given, or time passes."""
        if what in {"approve", "reject"}:
            self.desk.service.decide("expense", self.expenses[at].remote_id, what, self.desk.house.employee("Juma"))
        elif what in {"CARD_USER", "REVIEWER"}:
            self._role(what)
        else:
            self._time_passes({"minutes": 2, "a while": 11, "a day": 24 * 60}[what])

    def _role(self, role: str) -> None:
        member = self.desk.house.people["Rita"]
        member.role = role
        member.save(update_fields=["role"])

    def _time_passes(self, minutes: int) -> None:
        ago = timedelta(minutes=minutes)
        rows = Decision.objects.filter(pk__in=self.ids)
        rows.update(created_at=F("created_at") - ago, due_at=F("due_at") - ago)
        rows.filter(unknown_since__isnull=False).update(unknown_since=F("unknown_since") - ago)
        rows.filter(lease_until__isnull=False).update(lease_until=F("lease_until") - ago)
        entries = OutboundOperation.objects.filter(business=self.desk.house.business, sent_at__isnull=False)
        entries.update(sent_at=F("sent_at") - ago)
        if minutes >= 24 * 60:
            self.desk.service.answers.clear()

    # What must hold.

    @invariant()
    def nothing_false_is_said(self) -> None:
        if not hasattr(self, "ids"):
            return
        self._nothing_twice()
        decisions = {decision.pk: decision for decision in self._decisions()}
        for decision in decisions.values():
            self._true(decision)
        for entry in OutboundOperation.objects.filter(business=self.desk.house.business):
            self._entry_true(entry)
        self._proposal_true()
        self._audit_true(decisions)

    def _decisions(self) -> Iterator[Decision]:
        """All there are; whose they are is at hand, and not read again after each step."""
        people = {member.pk: member for member in self.desk.house.people.values()}
        for decision in Decision.objects.filter(pk__in=self.ids):
            decision.membership = people[decision.membership_id]
            yield decision

    def teardown(self) -> None:
        """Once all is well again, everything ends as the service has it."""
        if not hasattr(self, "ids"):
            return
        self._role("REVIEWER")
        for _ in range(4):
            self._time_passes(2)
            with self._in(Weather()):
                self._sweep(everything=True)
            self.nothing_false_is_said()
        self.a_confirmed_proposal_is_applied(Weather())
        self.nothing_false_is_said()
        assert Proposal.objects.get(pk=self.proposal.pk).state in {"APPLIED", "STALE", "REFUSED", "UNKNOWN"}
        left = Decision.objects.filter(pk__in=self.ids, state__in=OPEN_DECISION_STATES)
        assert not left.exists(), [(decision.operation, decision.state, decision.message) for decision in left]

    # How it is told.

    def _take(self, who: str, row: Any, what: str) -> None:
        given = {"fingerprint": fingerprint_of(row), "key": str(uuid.uuid4()), "reason": "As agreed."}
        with contextlib.suppress(FinanceError):
            self.ids.append(submit_decision(self.desk.house.actor(who), operations.OPERATIONS[what], row, **given).pk)

    def _in(self, weather: Weather) -> AbstractContextManager[None]:
        return passing(weather, self.desk, self.account, self.cutter)

    def _sweep(self, everything: bool) -> None:
        states = ["WAITING", "UNKNOWN"] if everything else ["WAITING"]
        rows = Decision.objects.filter(pk__in=self.ids)
        rows.filter(state__in=states).update(due_at=timezone.now())
        if everything:
            rows.filter(state="SENDING").update(lease_until=timezone.now() - timedelta(seconds=1))
        for _ in range(8):
            try:
                claim = claim_next(self.desk.house.business)
                if claim is None:
                    return
                dispatch(claim)
            except (Killed, OperationalError, InterfaceError):
                if not connection.is_usable():
                    connection.close()
