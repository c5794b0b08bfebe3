"""One person's access to one wallet: why they have it, the policy beside it, and what may be done with that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict
from urllib.parse import urlencode

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can, can_open
from dashboard.access.roles import Role
from dashboard.impact.wallet_policy_terms import LIMITS, Terms
from dashboard.impact.wallet_rights import Rules, ends_soon, last_day, role_of, state_of
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.wallet_policies.presenters.changes import name_of, words_for
from dashboard.pages.wallet_policies.presenters.trace import Trace, trace_of
from dashboard.pages.wallet_policies.selectors.access import usable_wallets_of
from dashboard.proposals import models
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import visible_proposals
from dashboard.times import as_of

MAX_PEOPLE = 20


class PolicyFacts(TypedDict):
    """What wallet_policies/trace.html reads of a policy; a verdict is None where its state has no such action."""

    state: tuple[str, str]
    soon: bool
    permissions: list[str]
    limits: list[tuple[str, str]]
    last_day: str
    modify: Verdict | None
    suspend: Verdict | None
    reactivate: Verdict | None
    revoke: Verdict | None
    seen: str


class AccessContext(TypedDict):
    """What wallet_policies/trace.html reads of what somebody may do with a wallet; `pair` is the two as a query, `whole`
    whether the list of all policies is open."""

    person: Employee
    wallet: Wallet
    name: str
    trace: Trace
    policy: WalletPolicy | None
    grant: Verdict | None
    pair: str
    proposal: Proposal | None
    whole: bool


class AccessWithPolicyContext(AccessContext, PolicyFacts):
    """The same where there is a policy."""


def access_context(
    actor: Actor, person: Employee, wallet: Wallet, policy: WalletPolicy | None
) -> AccessContext | AccessWithPolicyContext:
    """What somebody may do with a wallet, and the facts of the policy where there is one."""
    pair = {"wallet_id": wallet.remote_id, "employee_id": person.remote_id, "state__in": models.OPEN_PROPOSAL_STATES}
    context: AccessContext = {
        "person": person,
        "wallet": wallet,
        "name": name_of(wallet),
        "trace": trace_of(actor, person, wallet, policy),
        "policy": policy,
        "grant": can(actor, operations.GRANT_WALLET_ACCESS, person) if policy is None else None,
        "pair": urlencode({"person": person.remote_id, "wallet": wallet.remote_id}),
        "proposal": visible_proposals(actor).filter(**pair).first(),
        "whole": bool(can_open(actor, operations.LIST_WALLET_POLICIES)),
    }
    return context if policy is None else {**context, **_policy_facts(actor, person, wallet, policy)}


def _policy_facts(actor: Actor, person: Employee, wallet: Wallet, policy: WalletPolicy) -> PolicyFacts:
    words = words_for(actor, person, wallet)
    rules, terms = words.rules, Terms.of(policy)
    state = policy.state()
    is_open = state in {"ACTIVE", "SUSPENDED", "COMING"}
    return {
        "state": state_of(policy),
        "soon": ends_soon(policy),
        "permissions": [rules.titles.get(name, name) for name in rules.in_order(terms.permissions)],
        "limits": [
            (spell, words.money(minor)) for name, spell in LIMITS.items() if (minor := terms.limit(name)) is not None
        ],
        "last_day": last_day(policy, actor.business),
        "modify": can(actor, operations.MODIFY_WALLET_POLICY, policy) if is_open else None,
        "suspend": can(actor, operations.SUSPEND_WALLET_POLICY, policy) if state in {"ACTIVE", "COMING"} else None,
        "reactivate": can(actor, operations.REACTIVATE_WALLET_POLICY, policy) if state == "SUSPENDED" else None,
        "revoke": can(actor, operations.REVOKE_WALLET_POLICY, policy) if is_open else None,
        "seen": as_of(policy.last_seen, actor.business),
    }


class GrantChoiceContext(TypedDict):
    """What wallet_policies/whom.html reads: what was asked for ("person", "wallet" and the words searched for, "q"), the person
    who is chosen already, and whom and which wallet one can choose."""

    query: Mapping[str, str]
    chosen: Employee | None
    people: list[tuple[Employee, str, Verdict]]
    wallets: list[tuple[Wallet, str]]


def grant_choice_context(actor: Actor, query: Mapping[str, str]) -> GrantChoiceContext:
    """The active people whose names have the words, the first of them, and the wallets that can be used."""
    people = visible_employees(actor).filter(status="ACTIVE").order_by("name", "pk")
    for word in query["q"][:100].split():
        people = people.filter(name__icontains=word)
    return {
        "query": query,
        "chosen": people.filter(remote_id=query["person"]).first() if query["person"] else None,
        "people": [
            (person, role_of(person), can(actor, operations.GRANT_WALLET_ACCESS, person))
            for person in people.defer("payload")[:MAX_PEOPLE]
        ],
        "wallets": [(wallet, name_of(wallet)) for wallet in usable_wallets_of(actor)],
    }


def permission_rows(rules: Rules) -> list[tuple[str, str, bool, list[str]]]:
    """Of each permission its name, its title, whether it moves money, and the roles that give it by themselves."""
    return [
        (name, title, name in rules.moving, [role.label for role in Role if name in rules.by_role.get(role, ())])
        for name, title in rules.titles.items()
    ]
