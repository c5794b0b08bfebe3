"""What workers carry out: a confirmed proposal, an import of customers, a bulk action on a list."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.bulk import worker
from dashboard.bulk.models import Batch
from dashboard.lists import imports
from dashboard.lists.models import Import
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Customer, Origin
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import Proposal
from tests.dashboard.no_false_statement.said import Statement, statements_in, words_of
from tests.dashboard.no_false_statement.sent import ModifyAccess
from tests.dashboard.no_false_statement.stage import Act
from tests.faults import Sent

LONG_AGO = timedelta(minutes=3)


class ConfirmedChange(ModifyAccess):
    """A change of access that a second admin has confirmed, being applied."""

    asked_by_key = False

    def begin(self) -> None:
        super().begin()
        ada, abel = (self.world.people[name] for name in ("Ada", "Abel"))
        self.row = Proposal.objects.create(
            business=self.world.business, operation="modify_wallet_policy", path={"policyId": self.thing.remote_id},
            body={"permissions": ["WALLET_VIEW"]}, policy_id=self.thing.remote_id,
            seen_version=self.thing.remote_version, title="Carla Kamau", key=self.key, proposed_by=ada,
            wallet_id=self.where, employee_id=self.who, state="CONFIRMED", decided_by=abel, decided_at=timezone.now(),
        )  # fmt: skip

    def press(self) -> Any:
        return None

    def work(self) -> None:
        Proposal.objects.filter(pk=self.row.pk).update(lease_until=None)
        apply_proposal(self.row.pk)
        self.row.refresh_from_db()

    def statements(self) -> Iterator[Statement]:
        claimed = {"APPLIED": True, "STALE": False, "REFUSED": False}.get(self.row.state)
        yield Statement("proposal", f"{self.row.state}: {self.row.outcome}", claimed)
        page = self.stage.browser("Abel").get(self.world.address(f"wallet-policies/proposals/{self.row.pk}/"))
        yield from statements_in("proposal's page", words_of(page))

    def ended(self, done: dict[str, int]) -> None:
        assert self.row.state in {"APPLIED", "REFUSED"}, self.row.state
        assert (self.row.state == "APPLIED") == bool(done[self.thing.remote_id])


class ImportCustomers(Act):
    """Three rows of a file; all of them or none."""

    path, operation, asked_by_key = "/customers", "create_customer", False
    rows = 3

    def begin(self) -> None:
        run = uuid.uuid4().hex[:10]
        self.names = [f"Row {number} {run}" for number in range(1, self.rows + 1)]
        file = SimpleUploadedFile("people.csv", "\n".join(["name", *self.names]).encode())
        browser = self.stage.browser(self.person)
        answer = browser.post(self.world.address("customers/import/"), {"file": file})
        assert answer.status_code == 302, answer.content
        self.job = Import.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])
        browser.post(f"{answer['Location']}begin/")

    def press(self) -> Any:
        return None

    def work(self) -> None:
        for _ in range(2):
            Import.objects.filter(pk=self.job.pk).update(heartbeat_at=timezone.now() - LONG_AGO)
            imports.run(self.job.pk)
        self.job.refresh_from_db()

    def active(self) -> dict[str, int]:
        found = {}
        for name in self.names:
            rows = self.world.upstream("/customers/search", q=name, limit=50)["docs"]
            found[name] = sum(one["name"] == name and one["status"] == "ACTIVE" for one in rows)
        return found

    def carried_out(self) -> dict[str, int]:
        return {name: min(times, 2) for name, times in self.active().items()} if self._kept() else {}

    def _kept(self) -> bool:
        # What was taken back again is not counted by what arrived: `ended` compares it with the service's state.
        return self.job.state not in {"FAILED", "LEFT", "UNDOING"}

    def belongs(self, sent: Sent, item: str) -> bool:
        return sent.method == "POST" and item.encode() in sent.body

    def item_of(self, line: AuditEntry) -> str:
        return next((name for name in self.names if name in line.sentence), "")

    def statements(self) -> Iterator[Statement]:
        if self.job.state == "DONE":
            yield Statement("import", "DONE", True)
        page = self.stage.browser(self.person).get(self.world.address(f"customers/import/{self.job.pk}/"))
        self.page = words_of(page)

    def ended(self, done: dict[str, int]) -> None:
        active = self.active()
        state, trouble = self.job.state, self.job.trouble
        assert max(active.values()) < 2, active
        if state == "DONE":
            assert all(active.values()), (state, active)
        elif state == "FAILED":
            assert not any(active.values()), (state, trouble, active)
        elif state == "LEFT":
            told = {self.names[line - 2] for line, _ in self.job.standing}
            unsure = {name for number, name in enumerate(self.names, 2) if f"Row {number} was sent" in trouble}
            there = {name for name, times in active.items() if times}
            assert told <= there <= told | unsure, (trouble, active)
        else:
            raise AssertionError(f"still {state}: {trouble}")


class DeleteSeveralCustomers(Act):
    """Two ticked rows of a list, each with a key of its own."""

    path, operation, asked_by_key = "/customers/", "delete_customer", False

    def begin(self) -> None:
        run = uuid.uuid4().hex[:10]
        made = [self.world.send("POST", "/customers", {"name": f"Batch {run} {at}"}) for at in range(2)]
        upsert("customer", self.world.business, made, Origin.POLL)
        self.things = list(Customer.objects.filter(business=self.world.business, name__startswith=f"Batch {run}"))
        browser = self.stage.browser(self.person)
        answer = browser.post(
            self.world.address("lists/customers/plan/"), {"verb": "delete", "all": "matching", "list": f"q={run}"}
        )
        self.batch = Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])
        assert self.batch.rows.filter(state="WAITING").count() == 2
        browser.post(self.world.address(f"bulk/{self.batch.pk}/begin/"))

    def press(self) -> Any:
        return None

    def work(self) -> None:
        for _ in range(2):
            Batch.objects.filter(pk=self.batch.pk).update(heartbeat_at=timezone.now() - LONG_AGO)
            while worker.run(self.batch.pk):
                pass
        self.batch.refresh_from_db()

    def carried_out(self) -> dict[str, int]:
        found = {}
        for one in self.things:
            found[one.remote_id] = int(self.world.upstream(f"/customers/{one.remote_id}")["status"] == "DELETED")
        return found

    def belongs(self, sent: Sent, item: str) -> bool:
        return item in sent.path

    def statements(self) -> Iterator[Statement]:
        claims = {"DONE": True, "REFUSED": False, "NOT_DONE": False, "CHANGED": False, "WAITING": False}
        for row in self.batch.rows.all():
            yield Statement("batch", f"{row.state}: {row.sentence}", claims.get(row.state), item=row.remote_id)
            yield from statements_in("batch", row.sentence, item=row.remote_id)

    def ended(self, done: dict[str, int]) -> None:
        for row in self.batch.rows.all():
            assert row.state in {"DONE", "REFUSED", "UNKNOWN"}, f"{row.state}: {row.sentence}"
            assert row.state == "UNKNOWN" or (row.state == "DONE") == bool(done[row.remote_id])


WORKED = (ConfirmedChange, ImportCustomers, DeleteSeveralCustomers)
