"""What happened to wallet policies as the service keeps it, read live: rows with their sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.impact.wallet_policy_terms import Terms, Words
from dashboard.impact.wallet_rights import Rules
from dashboard.mirror.models import Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.pages.wallet_policies import forms
from dashboard.pages.wallet_policies.presenters.changes import name_of
from dashboard.schemas.wallet_policies import AuditLine
from dashboard.times import as_of, day_and_time

READ_S = 2.0
ROWS = 50
MOVES = {"SUSPEND", "REACTIVATE", "REVOKE", "EXPIRE"}


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A change as it is printed."""

    when: str
    by: str
    action: str
    person: str
    wallet: str
    policy_id: str
    sentences: list[str]
    request_id: str


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page of changes; `failed` says why there is none. `total` is None where the service does not count."""

    rows: list[AuditRow]
    number: int = 1
    pages: int = 1
    total: int | None = None
    seen: str = ""
    failed: str = ""


def audit_page(actor: Actor, number: int, operation: Operation, **read: Any) -> AuditPage:
    """The page of that number of the changes that the operation answers with, read live; `read` is what `read_live` takes
    beside the page, which is in the body or the query as `operation` has it."""
    part = "body" if operation is operations.QUERY_WALLET_AUDIT else "query"
    read[part] = {**read.get(part, {}), "page": number, "limit": read.pop("limit", ROWS)}
    try:
        answer = read_live(actor, operation, deadline=READ_S, **read)
        listed = read_page(answer.data)
        lines = typed(listed.rows, AuditLine)
    except FinanceError as error:
        return AuditPage([], failed=error.user_message)
    seen = as_of(answer.as_of, actor.business)
    return AuditPage(_Rows(actor, lines).rows(), number, listed.pages or 1, listed.total, seen)


class _Rows:
    """Lines as rows: people and wallets by their names, each change as sentences."""

    def __init__(self, actor: Actor, lines: list[AuditLine]) -> None:
        self.actor, self.lines, self.rules = actor, lines, Rules.of(actor.business)
        people = {line.employee_id for line in lines} | {line.acting_employee or line.actor for line in lines}
        self.people: Mapping[str, str] = dict(
            visible_employees(actor).filter(remote_id__in=people).values_list("remote_id", "name")
        )
        wallets = visible_wallets(actor).filter(remote_id__in={line.wallet_id for line in lines})
        self.wallets: Mapping[str, Wallet] = {wallet.remote_id: wallet for wallet in wallets}

    def rows(self) -> list[AuditRow]:
        """The lines as rows, in the same order."""
        return [self._row(line) for line in self.lines]

    def _row(self, audit_line: AuditLine) -> AuditRow:
        wallet, by = self.wallets.get(audit_line.wallet_id), audit_line.acting_employee or audit_line.actor
        return AuditRow(
            day_and_time(audit_line.at, self.actor.business),
            "" if audit_line.action == "EXPIRE" else self.people.get(by, "The service account"),
            dict(forms.ACTIONS).get(audit_line.action, audit_line.action.capitalize()),
            self.people.get(audit_line.employee_id, audit_line.employee_id),
            name_of(wallet) if wallet else audit_line.wallet_id,
            audit_line.policy_id,
            self._sentences(audit_line),
            audit_line.request_id,
        )

    def _sentences(self, audit_line: AuditLine) -> list[str]:
        if audit_line.action in MOVES:
            return []
        before, after = Terms.of_payload(audit_line.before) or Terms(), Terms.of_payload(audit_line.after)
        if after is None:
            return []
        currency = str((audit_line.after or {}).get("currency") or "")
        name = self.people.get(audit_line.employee_id, "They")
        words = Words(name, currency, self.actor.business, self.rules)
        return words.terms(after) if audit_line.before is None else words.differences(before, after)


def changes_since(actor: Actor, policy: WalletPolicy, count: int) -> str:
    """The newest `count` changes of a policy, by whom and when, in a sentence each; "" where the service does not answer."""
    log = audit_page(
        actor, 1, operations.LIST_WALLET_POLICY_AUDIT, path={"policyId": policy.remote_id}, subject=policy, limit=count
    )
    return " ".join(
        f"{row.by or 'By itself'}, {row.when}: {' '.join(row.sentences) or f'{row.action}.'}" for row in log.rows
    )
