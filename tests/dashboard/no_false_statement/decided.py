"""Decisions of the desk: taken on their page, sent by the outbox, one at a time and several in one call."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, ClassVar

from django.utils import timezone

from dashboard.bulk.models import Batch
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.registry import verbs_on
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Approval, ApprovalRequest, Origin
from dashboard.mirror.sync import run_band
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.test_real_payments import requested, voters
from tests.dashboard.decisions.test_real_service import expenses, upstream
from tests.dashboard.no_false_statement.said import Statement, statements_in, words_of
from tests.dashboard.no_false_statement.stage import Act
from tests.faults import Sent

CLAIMS = {"DONE": True, "REFUSED": False, "LOST": False, "CANCELLED": False, "WAITING": False}
purposes = itertools.count(1)


class Decided(Act):
    """A decision on one thing, from its page at the desk."""

    verb: ClassVar[str] = "approve"
    kind: ClassVar[str] = "expense"
    thing: Any

    def make(self) -> Any:
        """The thing, waiting at the service and in the copy."""
        raise NotImplementedError

    def begin(self) -> None:
        self.thing = self.make()
        self.seen = fingerprint_of(self.thing)

    def press(self) -> Any:
        address = self.world.address(f"approvals/{self.kind}/{self.thing.remote_id}/{self.verb}/")
        form = {"key": self.key, "fingerprint": self.seen, "list": "show=mine", "reason": "As agreed."}
        return self.stage.browser(self.person).post(address, form)

    def decisions(self) -> list[Decision]:
        return list(Decision.objects.filter(business=self.world.business, key=self.key))

    def work(self) -> None:
        ids = [one.pk for one in self.decisions()]
        now = timezone.now()
        Decision.objects.filter(pk__in=ids, state__in=["WAITING", "UNKNOWN"]).update(due_at=now)
        Decision.objects.filter(pk__in=ids, state="SENDING").update(lease_until=now - timedelta(seconds=1))
        send_due(self.world.business)

    def statements(self) -> Iterator[Statement]:
        browser = self.stage.browser(self.person)
        for one in self.decisions():
            yield Statement("decision", f"{one.state}: {one.message}", CLAIMS.get(one.state), item=one.object_id)
            yield from statements_in("decision", one.message, item=one.object_id)
            toast = browser.get(self.world.address(f"decisions/{one.pk}/toast/"))
            yield from statements_in("toast", words_of(toast), item=one.object_id)

    def ended(self, done: dict[str, int]) -> None:
        for one in self.decisions():
            assert one.state != "DONE" or done[one.object_id], f"{one.state}: {one.message}"
            assert one.state == "UNKNOWN" or one.state not in OPEN_DECISION_STATES, f"{one.state}: {one.message}"


class ApproveExpense(Decided):
    person, path, operation = "Rita", "/expenses", "approve_expense"
    becomes: ClassVar[str] = "APPROVED"

    def make(self) -> Any:
        [row] = expenses(self.world)
        return row

    def carried_out(self) -> dict[str, int]:
        there = upstream(self.world, self.thing)
        mine = there.get("reviewed_by") == self.world.employee(self.person)["employee_id"]
        return {self.thing.remote_id: int(mine and there["status"] == self.becomes)}


class RejectExpense(ApproveExpense):
    verb, operation, becomes = "reject", "reject_expense", "REJECTED"


class AskForDetails(ApproveExpense):
    verb, operation, becomes = "ask", "request_expense_details", "DETAILS_REQUESTED"


class Voted(Decided):
    """A vote: the service lists who gave one."""

    kind: ClassVar[str] = "payment"
    person = "Apollo"

    def carried_out(self) -> dict[str, int]:
        [there] = self.world.upstream("/approvals/all", ref=self.thing.ref)["docs"]
        me = self.world.employee(self.voter)["employee_id"]
        votes = [vote for step in there.get("steps") or [] for vote in step.get("votes") or []] + there["votes"]
        mine = {
            str(vote.get("at") or vote.get("voted_at") or vote)
            for vote in votes
            if (vote.get("approver_id") or vote.get("employee_id")) == me
        }
        return {self.thing.remote_id: len(mine)}

    @property
    def voter(self) -> str:
        return self.person


class VoteForPayment(Voted):
    path, operation = "/approvals/", "approve_payment_request"

    def make(self) -> Any:
        row = requested(self.world)
        assert self.person in voters(self.world, row)
        return row


class VoteAgainstPayment(VoteForPayment):
    verb, operation = "reject", "reject_payment_request"


class VoteForBill(Voted):
    path, operation = "/bills/", "approve_bill_payment"

    def make(self) -> Any:
        paid = service_requests.bill_payment(self.world)
        run_band(self.world.business, "approvals")
        run_band(self.world.business, "requests")
        return Approval.objects.get(business=self.world.business, ref=paid["payment_ref"])


class VoteAgainstBill(VoteForBill):
    verb, operation = "reject", "reject_bill_payment"


class VoteAgainstUnknownBill(VoteForBill):
    """The bill is not in the copy: what is rejected is the request alone."""

    verb, path, operation = "reject", "/approvals/bills/reject", "reject_bill_payment_request"

    def make(self) -> Any:
        paid = service_requests.bill_payment(self.world)
        run_band(self.world.business, "approvals")
        row = Approval.objects.get(business=self.world.business, ref=paid["payment_ref"])
        assert verbs_on(row)["reject"].path == self.path
        return row


class OfRequest(Decided):
    """What one person's word decides, asked for by somebody of the cast."""

    noun: ClassVar[str] = ""
    done: ClassVar[frozenset[str]] = frozenset()

    def make(self) -> Any:
        found = getattr(service_requests, self.noun)(self.world)
        upsert(self.noun, self.world.business, [{"_id": found.get("ref"), **found}], Origin.POLL)
        return ApprovalRequest.objects.get(business=self.world.business, kind=self.noun, remote_id=found["_id"])

    def there(self) -> dict[str, Any]:
        raise NotImplementedError

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: int(self.there()["status"] in self.done)}


# An approved order is shipped after some seconds, of which a failure may last more.
ORDERED = frozenset({"ORDERED", "SHIPPED", "DELIVERED"})


class ApproveCardOrder(OfRequest):
    noun, kind, path, operation = "card_order", "card-order", "/cards/physical/orders", "approve_card_orders"
    done = ORDERED

    def there(self) -> dict[str, Any]:
        rows: list[dict[str, Any]] = self.world.upstream("/cards/physical/orders", limit=1000)["docs"]
        return next(one for one in rows if one["_id"] == self.thing.remote_id)


class RejectCardOrder(ApproveCardOrder):
    verb, operation, done = "reject", "reject_card_orders", frozenset({"REJECTED"})


class ApproveCardRequest(OfRequest):
    person, noun, kind, path = "Apollo", "card_request", "card-request", "/cards/single-use/requests"
    operation, done = "approve_card_request", frozenset({"APPROVED"})

    def there(self) -> dict[str, Any]:
        found: dict[str, Any] = self.world.upstream(f"/cards/single-use/requests/{self.thing.remote_id}")
        return found


class RejectCardRequest(ApproveCardRequest):
    verb, operation, done = "reject", "reject_card_request", frozenset({"REJECTED"})


class ApproveTransaction(OfRequest):
    person, noun, kind, path = "Apollo", "hand_transaction", "hand-transaction", "/transactions"
    operation, done = "approve_transaction", frozenset({"APPROVED", "POSTED"})

    def there(self) -> dict[str, Any]:
        found: dict[str, Any] = self.world.upstream(f"/transactions/{self.thing.remote_id}")
        return found


class RejectTransaction(ApproveTransaction):
    verb, operation, done = "reject", "reject_transaction", frozenset({"REJECTED"})


class ApproveSeveralExpenses(Decided):
    """Three in one call."""

    person, path, operation = "Rita", "/expenses", "approve_expense"
    count: ClassVar[int] = 3
    becomes: ClassVar[str] = "APPROVED"
    asked_by_key = False

    def make(self) -> Any:
        return expenses(self.world, self.count)

    def begin(self) -> None:
        self.things = self.make()
        browser = self.stage.browser(self.person)
        ids = [f"{self.kind}/{one.remote_id}" for one in self.things]
        answer = browser.post(self.world.address("approvals/plan/"), {"verb": self.verb, "ids": ids, "list": ""})
        assert answer.status_code == 200, answer.content
        self.plan = Batch.objects.filter(business=self.world.business).latest("created_at")
        assert self.plan.rows.filter(state="WAITING").count() == self.count
        self.key = str(self.plan.key)

    def press(self) -> Any:
        plan_id, _, operation = self.key.partition(":")
        form = {"plan": plan_id, "operation": operation, "reason": "As agreed.", "key": self.key}
        return self.stage.browser(self.person).post(self.world.address("approvals/several/"), form)

    def decisions(self) -> list[Decision]:
        return list(Decision.objects.filter(business=self.world.business, bulk__key=self.key))

    def carried_out(self) -> dict[str, int]:
        me = self.world.employee(self.person)["employee_id"]
        found = {one.remote_id: upstream(self.world, one) for one in self.things}
        return {
            each: int(there["status"] == self.becomes and there.get("reviewed_by") == me)
            for each, there in found.items()
        }

    def belongs(self, sent: Sent, item: str) -> bool:
        return item in sent.path or item.encode() in sent.body


class RejectSeveralExpenses(ApproveSeveralExpenses):
    verb, operation, becomes = "reject", "reject_expense", "REJECTED"


class ApproveSeveralCardOrders(ApproveSeveralExpenses):
    person, kind, path, operation, count = "Ada", "card-order", "/cards/physical/orders", "approve_card_orders", 2

    def make(self) -> Any:
        made = [service_requests.card_order(self.world) for _ in range(self.count)]
        upsert("card_order", self.world.business, made, Origin.POLL)
        ids = [one["_id"] for one in made]
        return list(ApprovalRequest.objects.filter(business=self.world.business, remote_id__in=ids))

    def carried_out(self) -> dict[str, int]:
        rows = self.world.upstream("/cards/physical/orders", limit=1000)["docs"]
        ids = {one.remote_id for one in self.things}
        return {one["_id"]: int(one["status"] in ORDERED) for one in rows if one["_id"] in ids}


DECIDED = (
    ApproveExpense, RejectExpense, AskForDetails, VoteForPayment, VoteAgainstPayment, VoteForBill, VoteAgainstBill, VoteAgainstUnknownBill,
    ApproveCardOrder, RejectCardOrder, ApproveCardRequest, RejectCardRequest, ApproveTransaction, RejectTransaction,
    ApproveSeveralExpenses, RejectSeveralExpenses, ApproveSeveralCardOrders,
)  # fmt: skip
