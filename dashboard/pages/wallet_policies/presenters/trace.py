"""Why somebody may do something with a wallet: what the service computed, link by link from role to mandate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.errors import FinanceError
from dashboard.impact.wallet_mandates import mandates_for, votes_in, wallet_mandates
from dashboard.impact.wallet_policy_terms import LIMITS, Words
from dashboard.impact.wallet_rights import Rules, held, last_day, role_of
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.wallet_policies.selectors.access import computed_permissions, history_of
from dashboard.schemas.wallet_policies import AuditLine, Mandate
from dashboard.times import as_of, day

VERBS = {
    "GRANT": "granted", "MODIFY": "changed", "SUSPEND": "suspended", "REACTIVATE": "reactivated", "REVOKE": "revoked",
    "EXPIRE": "expired",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """Permissions that come in the same way: what they let do, as the middle of a sentence, and the links of the chain."""

    may: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """What a person may do with a wallet and why, what not and why not; `seen` says how fresh, `trouble` what is missing."""

    allowed: list[Reason] = field(default_factory=list)
    denied: list[Reason] = field(default_factory=list)
    seen: str = ""
    live: bool = True
    trouble: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Link:
    """By what a permission is there: ROLE, POLICY or OPERATOR."""

    permission: str
    source: str


def trace_of(actor: Actor, person: Employee, wallet: Wallet, policy: WalletPolicy | None) -> Trace:
    """The trace, live; by the copy, and saying so, where the service does not answer."""
    rules = Rules.of(actor.business)
    try:
        computed, as_of_computed = computed_permissions(actor, person, wallet)
    except FinanceError as error:
        return _from_copy(actor, rules, person, wallet, policy, error)
    trouble: list[str] = []
    history, mandates = _context_of(actor, wallet, policy, trouble)
    chains = _Chains(actor, rules, person, policy, history, mandates)
    links = [Link(source.permission, source.source) for source in computed.sources]
    denied = {denial.permission: denial.reason.rstrip(".") for denial in computed.denied}
    seen = as_of(as_of_computed, actor.business)
    return Trace(chains.allowed(links), chains.denied(denied), seen, live=True, trouble=trouble)


def _from_copy(
    actor: Actor, rules: Rules, person: Employee, wallet: Wallet, policy: WalletPolicy | None, error: FinanceError
) -> Trace:
    has = held(rules, person, wallet, policy)
    links = [Link(name, "ROLE") for name in has.by_role] + [Link(name, "POLICY") for name in has.by_policy]
    chains = _Chains(actor, rules, person, policy, [], None)
    seen = as_of(policy.last_seen if policy else person.last_seen, actor.business)
    return Trace(chains.allowed(links), chains.denied(has.denied), seen, live=False, trouble=[error.user_message])


def _context_of(
    actor: Actor, wallet: Wallet, policy: WalletPolicy | None, trouble: list[str]
) -> tuple[list[AuditLine], list[Mandate] | None]:
    """The policy's history and the mandates, for those who may read them; each fails by itself."""
    history: list[AuditLine] = []
    mandates: list[Mandate] | None = None
    if policy and can(actor, operations.LIST_WALLET_POLICY_AUDIT, policy):
        try:
            history = history_of(actor, policy)
        except FinanceError as error:
            trouble.append(f"Who granted it could not be read: {error.detail}")
    if can_open(actor, operations.LIST_MANDATES):
        try:
            mandates = wallet_mandates(actor, wallet)
        except FinanceError as error:
            trouble.append(f"The mandates could not be read: {error.detail}")
    return history, mandates


class _Chains:
    """The links of each permission; those that come in the same way stand together."""

    def __init__(
        self, actor: Actor, rules: Rules, person: Employee, policy: WalletPolicy | None, history: list[AuditLine],
        mandates: list[Mandate] | None,
    ) -> None:  # fmt: skip
        self.actor, self.rules, self.person, self.policy = actor, rules, person, policy
        self.mandates, self.locale = mandates, actor.business.locale
        self.by_policy = self._policy(history) if policy else ()

    def allowed(self, links: Iterable[Link]) -> list[Reason]:
        """What they may do, each group with its chain."""
        sources: dict[str, list[str]] = {}
        for link in links:
            sources.setdefault(link.permission, []).append(link.source)
        chains: dict[tuple[str, ...], list[str]] = {}
        for name in self.rules.in_order(sources):
            chain = [step for source in sources[name] for step in self._source(source)]
            chains.setdefault((*chain, *self._votes(name)), []).append(name)
        return [Reason(self.rules.listed(names), chain) for chain, names in chains.items()]

    def denied(self, reasons: Mapping[str, str]) -> list[Reason]:
        """What they may not do although role or policy names it."""
        groups: dict[str, list[str]] = {}
        for name in self.rules.in_order(reasons):
            groups.setdefault(reasons[name], []).append(name)
        return [Reason(self.rules.listed(names), (reason,)) for reason, names in groups.items()]

    def _source(self, source: str) -> tuple[str, ...]:
        if source == "ROLE":
            return (f"role {role_of(self.person)} grants it on every wallet",)
        if source == "POLICY":
            return self.by_policy or ("a wallet policy grants it",)
        return ("they operate the fund account of this wallet",) if source == "OPERATOR" else (source.lower(),)

    def _policy(self, history: list[AuditLine]) -> tuple[str, ...]:
        assert self.policy is not None
        policy, business = self.policy, self.actor.business
        who = self._names(history)
        steps = [self._step(line, who, day(line.at, business)) for line in history]
        reason = f" (“{policy.reason}”)" if policy.reason else ""
        begun = policy.valid_from or policy.first_seen
        first = f"wallet policy {steps[0]}{reason}" if steps else f"wallet policy since {day(begun, business)}{reason}"
        words = Words(self.person.name, policy.currency, business, self.rules)
        bounds = [
            f"at most {words.money(minor)} {spell}"
            for name, spell in LIMITS.items()
            if (minor := policy.limit(name)) is not None
        ]
        bounds += [f"until {last_day(policy, business)}"] if policy.expires_at else []
        return (first, *steps[1:], *([", ".join(bounds)] if bounds else []))

    def _step(self, audit_line: AuditLine, who: Mapping[str, str], on: str) -> str:
        verb = VERBS.get(audit_line.action, audit_line.action.lower())
        if audit_line.action == "EXPIRE":
            return f"{verb} on {on}"
        return f"{verb} by {who.get(audit_line.acting_employee or audit_line.actor, 'the service account')} on {on}"

    def _names(self, history: list[AuditLine]) -> dict[str, str]:
        ids = {line.acting_employee or line.actor for line in history}
        return dict(visible_employees(self.actor).filter(remote_id__in=ids).values_list("remote_id", "name"))

    def _votes(self, name: str) -> tuple[str, ...]:
        if self.mandates is None or not (mandates := mandates_for(self.mandates, name)):
            return ()
        if votes := votes_in(mandates, self.person.remote_id, self.locale):
            return tuple(votes)
        if name.endswith("_APPROVE"):
            return ("but no mandate names them, so their approval is never required",)
        return ()
