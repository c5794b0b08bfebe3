"""What is done when a month is closed and reconciled."""

from __future__ import annotations

import re
import uuid
from typing import Any, ClassVar

from dashboard.mirror.models import Wallet
from tests.dashboard.accounting.test_periods import month_before, now
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.dashboard.reconciliation.test_desk import bring, camt, entries, upload


class ClosePeriod(Changed):
    path, operation, verb, status = "/accounting/periods/", "close_period", "close", "CLOSED"

    def make(self) -> str:
        period = month_before(now(self.world))
        if self.of(period) != "OPEN":
            self.world.send("POST", f"/accounting/periods/{period}/reopen", {"reason": "Again"}, self.acting("Abel"))
        return period

    def acting(self, name: str) -> dict[str, str]:
        return {"X-Acting-Employee": self.world.employee(name)["employee_id"]}

    def of(self, period: str) -> str:
        return str(self.world.upstream(f"/accounting/periods/{period}")["status"])

    def open(self) -> None:
        self.address = f"accounting/{self.thing}/{self.verb}/"
        self.form = {"reason": "A late invoice"}
        # As a browser sends it: what the page shows as open, and a tick where there is one to set.
        shown = self.stage.browser(self.person).get(self.world.address(f"accounting/{self.thing}/")).content.decode()
        if seen := re.search(r'name="seen" value="([^"]*)"', shown):
            self.form["seen"] = seen.group(1)
        if 'name="accept_open_items"' in shown:
            self.form["accept_open_items"] = "on"

    def is_done(self) -> int:
        return int(self.of(self.thing) == self.status)


class ReopenPeriod(ClosePeriod):
    person, operation, verb = "Abel", "reopen_period", "reopen"

    def make(self) -> str:
        period = super().make()
        body = {"accept_open_items": True}
        self.world.send("POST", f"/accounting/periods/{period}/close", body, self.acting("Ada"))
        return period

    def is_done(self) -> int:
        return int(self.of(self.thing) != "CLOSED")


class CreateBankRule(Made):
    path, operation = "/accounting/bank-rules", "create_bank_rule"

    def filled(self) -> dict[str, Any]:
        wallet = Wallet.objects.get(business=self.world.business, org_wallet_ref="1")
        self.address = f"reconciliation/wallets/{wallet.remote_id}/rules/"
        return {"name": self.name, "text": "fee", "type": "expense"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/accounting/bank-rules", limit=1000)["docs"])


class DeleteBankRule(CreateBankRule):
    path, operation = "/accounting/bank-rules/", "delete_bank_rule"

    def begin(self) -> None:
        super().begin()
        made = self.world.send("POST", "/accounting/bank-rules", {"name": self.name, "text": "fee", "type": "EXPENSE"})
        self.address, self.form = f"{self.address}{made['_id']}/delete/", {}

    def carried_out(self) -> dict[str, int]:
        return {"": 1 - super().carried_out()[""]}


class ImportStatement(Sent):
    path, operation = "/accounting/bank-statements/lines", "import_bank_lines"
    day: ClassVar[int] = 0

    def begin(self) -> None:
        self.had = self.lines()
        answer = upload(self.world, camt(self.world, [-(1000 + self.had)]))
        self.address, self.form = answer.url.removeprefix(self.world.address()) + "import/", {}

    def lines(self) -> int:
        return int(self.world.upstream("/accounting/bank-lines")["total"])

    def carried_out(self) -> dict[str, int]:
        return {"": self.lines() - self.had}


class OfMatch(Changed):
    """A line of a statement that one entry fits; `verb` is the rest of the address."""

    path, verb = "/accounting/bank-matches", ""

    def make(self) -> int:
        entry = entries(self.world)[0]
        known = self.lines()
        # Where the act before it matched nothing, the same line with the same reference would be one that is there already.
        statement = camt(self.world, [entry["amount_minor"]]).replace(
            "<AcctSvcrRef>L1", f"<AcctSvcrRef>{uuid.uuid4().hex}"
        )
        assert bring(self.world, statement).status_code == 302
        [self.line] = self.lines() - known
        self.seq = entry["seq"]
        return self.matches()

    def lines(self) -> set[str]:
        return {row["_id"] for row in self.world.upstream("/accounting/bank-lines", limit=1000)["docs"]}

    def matches(self) -> int:
        return int(self.world.upstream("/accounting/bank-matches")["total"])

    def open(self) -> None:
        wallet = Wallet.objects.get(business=self.world.business, org_wallet_ref="1")
        self.address = f"reconciliation/wallets/{wallet.remote_id}/{self.verb}/"
        self.form = {"do": "match", "line": [self.line], "entry": [str(self.seq)]}

    def is_done(self) -> int:
        return self.matches() - int(self.thing)


class CreateMatch(OfMatch):
    operation, verb = "create_bank_match", "match"


class UndoMatch(OfMatch):
    path, operation, verb = "/accounting/bank-matches/", "undo_bank_match", "match"

    def open(self) -> None:
        super().open()
        known = self.ids()
        address, form = self.world.address(self.address), self.form | {"key": uuid.uuid4().hex}
        assert self.stage.browser(self.person).post(address, form).status_code == 302
        [self.match] = self.ids() - known
        self.address, self.form = self.address.replace("/match/", f"/matches/{self.match}/undo/"), {}

    def ids(self) -> set[str]:
        return {row["_id"] for row in self.world.upstream("/accounting/bank-matches", limit=1000)["docs"]}

    def is_done(self) -> int:
        return int(self.match not in self.ids())


BOOKS: tuple[type[Sent], ...] = (
    ClosePeriod,
    ReopenPeriod,
    CreateBankRule,
    DeleteBankRule,
    ImportStatement,
    CreateMatch,
    UndoMatch,
)
