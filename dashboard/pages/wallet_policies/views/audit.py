"""What happened to wallet policies as the service keeps it: of the business, of one wallet, of one policy; live."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.impact.policy_terms import Terms, Words
from dashboard.impact.wallet_rights import Rules
from dashboard.mirror.models import Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_employees, visible_policies, visible_wallets
from dashboard.pages.wallet_policies.change_preview import name_of
from dashboard.pages.wallet_policies.forms import ACTIONS, AuditForm
from dashboard.pages.wallet_policies.table import ordered_wallets
from dashboard.pages.wallet_policies.views.matrix import template
from dashboard.schemas.wallet_policies import AuditLine
from dashboard.times import as_of, day_and_time
from dashboard.web.respond import page

READ_S = 2.0
ROWS = 50
MOVES = {"SUSPEND", "REACTIVATE", "REVOKE", "EXPIRE"}


@dataclass(frozen=True)
class Line:
    """A change as it is printed."""

    when: str
    by: str
    did: str
    person: str
    wallet: str
    policy_id: str
    sentences: list[str]
    request_id: str


@dataclass(frozen=True)
class Log:
    """A page of changes; `failed` says why there is none."""

    lines: list[Line]
    number: int = 1
    pages: int = 1
    total: int | None = None
    seen: str = ""
    failed: str = ""


@require_GET
@needs(operations.QUERY_WALLET_AUDIT)
def audit(request: ActorRequest, business: str) -> HttpResponse:
    """Of the whole business, filtered."""
    actor, wallets = request.actor, ordered_wallets(request.actor)
    form = AuditForm(request.GET, wallets=[(one.remote_id, name_of(one)) for one in wallets])
    context: dict[str, Any] = {"form": form, "title": "Changes of access"}
    if not form.is_valid():
        return page(request, template("audit.html"), context, status=400)
    number = page_number(request)
    body = {**form.query(), "page": number, "limit": ROWS}
    context["log"] = _log(
        actor, number, lambda: read_live(actor, operations.QUERY_WALLET_AUDIT, body=body, deadline=READ_S)
    )
    context["again"] = urlencode({name: value for name, value in request.GET.items() if value and name != "page"})
    context["filtered"] = bool(form.query())
    return page(request, template("audit.html"), context)


@require_GET
@needs(operations.LIST_WALLET_AUDIT)
def wallet_audit(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Of one wallet's policies."""
    actor = request.actor
    found: Wallet = get_object_or_404(visible_wallets(actor), remote_id=wallet_id)
    number = page_number(request)
    query: dict[str, str | int] = {"page": number, "limit": ROWS}
    log = _log(
        actor, number,
        lambda: read_live(
            actor, operations.LIST_WALLET_AUDIT, path={"walletId": wallet_id}, subject=found, query=query,
            deadline=READ_S,
        ),
    )  # fmt: skip
    context = {"log": log, "title": f"Changes of access to {name_of(found)}", "wallet": found}
    return page(request, template("audit.html"), context)


@require_GET
@needs(operations.LIST_WALLET_POLICY_AUDIT)
def policy_audit(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Of one policy."""
    actor = request.actor
    found: WalletPolicy = get_object_or_404(visible_policies(actor), remote_id=policy_id)
    number = page_number(request)
    query: dict[str, str | int] = {"page": number, "limit": ROWS}
    log = _log(
        actor, number,
        lambda: read_live(
            actor, operations.LIST_WALLET_POLICY_AUDIT, path={"policyId": policy_id}, subject=found, query=query,
            deadline=READ_S,
        ),
    )  # fmt: skip
    context = {"log": log, "title": f"Changes of the policy of {found.employee_name}", "policy": found}
    return page(request, template("audit.html"), context)


def changes_since(actor: Actor, policy: WalletPolicy, many: int) -> str:
    """The newest changes of a policy, by whom and when, in a sentence each; empty where the service does not tell."""
    path = {"policyId": policy.remote_id}
    query: dict[str, str | int] = {"page": 1, "limit": many}
    operation = operations.LIST_WALLET_POLICY_AUDIT
    log = _log(actor, 1, lambda: read_live(actor, operation, path=path, subject=policy, query=query, deadline=READ_S))
    return " ".join(
        f"{one.by or 'By itself'}, {one.when}: {' '.join(one.sentences) or f'{one.did}.'}" for one in log.lines
    )


def page_number(request: ActorRequest) -> int:
    """The page that the address names; the first where it names none."""
    asked = request.GET.get("page", "1")
    return max(1, int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1


def _log(actor: Actor, number: int, ask: Any) -> Log:
    try:
        answer = ask()
        listed = read_page(answer.data)
        found = typed(listed.rows, AuditLine)
    except FinanceError as error:
        return Log([], failed=error.user_message)
    seen = as_of(answer.as_of, actor.business)
    return Log(_Printed(actor, found).lines(), number, listed.pages or 1, listed.total, seen)


class _Printed:
    """The lines in words: people and wallets by their names, each change as sentences."""

    def __init__(self, actor: Actor, found: list[AuditLine]) -> None:
        self.actor, self.found, self.rules = actor, found, Rules.of(actor.business)
        people = {one.employee_id for one in found} | {one.acting_employee or one.actor for one in found}
        self.people: Mapping[str, str] = dict(
            visible_employees(actor).filter(remote_id__in=people).values_list("remote_id", "name")
        )
        wallets = visible_wallets(actor).filter(remote_id__in={one.wallet_id for one in found})
        self.wallets: Mapping[str, Wallet] = {one.remote_id: one for one in wallets}

    def lines(self) -> list[Line]:
        """Each."""
        return [self._line(one) for one in self.found]

    def _line(self, one: AuditLine) -> Line:
        wallet, by = self.wallets.get(one.wallet_id), one.acting_employee or one.actor
        return Line(
            day_and_time(one.at, self.actor.business),
            "" if one.action == "EXPIRE" else self.people.get(by, "The service account"),
            dict(ACTIONS).get(one.action, one.action.capitalize()),
            self.people.get(one.employee_id, one.employee_id),
            name_of(wallet) if wallet else one.wallet_id,
            one.policy_id,
            self._sentences(one),
            one.request_id,
        )

    def _sentences(self, one: AuditLine) -> list[str]:
        if one.action in MOVES:
            return []
        before, after = Terms.of_payload(one.before) or Terms(), Terms.of_payload(one.after)
        if after is None:
            return []
        currency = str((one.after or {}).get("currency") or "")
        name = self.people.get(one.employee_id, "They")
        words = Words(name, currency, self.actor.business, self.rules)
        return words.terms(after) if one.before is None else words.differences(before, after)
