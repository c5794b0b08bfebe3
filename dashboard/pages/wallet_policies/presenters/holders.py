"""A row and a column of the matrix of access: each wallet with what one person may do with it, and one wallet with the
people who may do something with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from django.db.models import Q
from django.http import QueryDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.errors import FinanceError
from dashboard.impact.wallet_mandates import ACTION_TYPES, mandates_for, votes_in, wallet_mandates
from dashboard.impact.wallet_policy_terms import LIMITS, Words
from dashboard.impact.wallet_rights import (
    Held,
    Rules,
    abilities_in,
    ends_soon,
    held,
    last_day,
    open_policies,
    role_of,
    state_of,
)
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders, visible_policies
from dashboard.pages.wallet_policies.presenters.changes import name_of
from dashboard.pages.wallet_policies.selectors.access import usable_wallets_of, wallet_of_policy
from dashboard.schemas.wallet_policies import Mandate
from dashboard.times import as_of
from dashboard.web.freshness import Freshness, freshness_of
from dashboard.web.submission import new_key

ROWS = 50
VIEW = "WALLET_VIEW"


@dataclass(frozen=True, slots=True)
class Holding:
    """What a person may do with a wallet: in words by role and by policy, and how their policy stands."""

    wallet: Wallet
    name: str
    by_role: str
    by_policy: str
    denied: str
    policy: WalletPolicy | None
    state: tuple[str, str] | None
    until: str
    soon: bool


class PersonWalletsContext(TypedDict):
    """What wallet_policies/person.html reads: what one person may do with which wallet."""

    person: Employee
    role: str
    own: bool
    holdings: list[Holding]
    may_grant: bool
    fresh: Freshness
    seen: str


def person_wallets_context(actor: Actor, person: Employee) -> PersonWalletsContext:
    """The wallets of a person as the actor may see them."""
    return {
        "person": person,
        "role": role_of(person),
        "own": person.remote_id == actor.employee_id,
        "holdings": wallet_rights_of(actor, person),
        "may_grant": bool(can(actor, operations.GRANT_WALLET_ACCESS, person)),
        "fresh": freshness_of(actor.business),
        "seen": as_of(person.last_seen, actor.business),
    }


def wallet_rights_of(actor: Actor, person: Employee) -> list[Holding]:
    """Each wallet that the actor sees with what the person may do there, those with a policy first."""
    rules = Rules.of(actor.business)
    policies = {policy.wallet_id: policy for policy in _newest_last(actor, person)}
    wallets = {wallet.remote_id: wallet for wallet in usable_wallets_of(actor)}
    for wallet_id, policy in policies.items():
        wallets.setdefault(wallet_id, wallet_of_policy(policy))
    holdings = [_holding(actor, rules, person, wallet, policies.get(wallet.remote_id)) for wallet in wallets.values()]
    return sorted(holdings, key=lambda holding: holding.policy is None)


def _newest_last(actor: Actor, person: Employee) -> list[WalletPolicy]:
    # Of several on a wallet the open one counts, else the last that there was.
    rows = visible_policies(actor).filter(employee_id=person.remote_id).order_by("pk")
    return sorted(rows, key=lambda policy: policy.state() in {"ACTIVE", "SUSPENDED", "COMING"})


def _holding(actor: Actor, rules: Rules, person: Employee, wallet: Wallet, policy: WalletPolicy | None) -> Holding:
    has = held(rules, person, wallet, policy)
    return Holding(
        wallet,
        name_of(wallet),
        ", ".join(ability.word for ability in abilities_in(has.by_role)),
        ", ".join(ability.word for ability in abilities_in(has.by_policy - has.by_role)),
        "; ".join(dict.fromkeys(has.denied.values())),
        policy,
        state_of(policy) if policy else None,
        last_day(policy, actor.business) if policy else "",
        ends_soon(policy) if policy else False,
    )


@dataclass(frozen=True, slots=True)
class HolderRow:
    """Somebody who may do it, or may not for now: why, within which limits."""

    person: Employee
    may: bool
    why: list[str]
    policy: WalletPolicy | None
    soon: bool
    suspend: Verdict | None = None


@dataclass(frozen=True, slots=True)
class HolderList:
    """The people who may do one thing with a wallet; `choices` are the permissions as (name, title, whether it is chosen)."""

    permission: str
    permission_text: str
    choices: list[tuple[str, str, bool]]
    rows: list[HolderRow] = field(default_factory=list)
    next: str = ""
    problem: str = ""
    trouble: str = ""


class WalletHoldersContext(TypedDict):
    """What wallet_policies/wallet.html reads: everyone who may do something with a wallet, and why."""

    wallet: Wallet
    name: str
    holders: HolderList
    may_suspend: bool
    key: str
    fresh: Freshness


def wallet_holders_context(actor: Actor, wallet: Wallet, query: QueryDict) -> WalletHoldersContext:
    """A page of the people who hold something on a wallet, as the query has it."""
    holders = holders_of(actor, wallet, query)
    return {
        "wallet": wallet,
        "name": name_of(wallet),
        "holders": holders,
        "may_suspend": any(holder.suspend for holder in holders.rows),
        "key": new_key(),
        "fresh": freshness_of(actor.business),
    }


def holders_of(actor: Actor, wallet: Wallet, query: QueryDict) -> HolderList:
    """Everyone whom role or policy gives the permission that the query names, by name, fifty at a time."""
    rules = Rules.of(actor.business)
    chosen = query.get("may", "") or VIEW
    problem = "" if chosen in rules.titles or not rules.titles else f"“{chosen[:40]}” is not a permission."
    name = chosen if chosen in rules.titles else VIEW
    policies = {policy.employee_id: policy for policy in open_policies(actor).filter(wallet_id=wallet.remote_id)}
    roles = [role for role, names in rules.by_role.items() if name in names]
    holders = [employee_id for employee_id, policy in policies.items() if name in policy.permissions]
    people = visible_holders(actor).filter(Q(role__in=roles) | Q(remote_id__in=holders)).order_by("name", "pk")
    if text := query.get("after"):
        try:
            after = ListCursor.read(text, str)
            people = people.filter(Q(name__gt=after.value) | Q(name=after.value, pk__gt=after.id))
        except ValueError:
            problem = "This page of the list is no longer available; this is the first page."
    page = list(people.defer("payload")[: ROWS + 1])
    rows = page[:ROWS]
    reasons = _Reasons(actor, rules, wallet, name, *_mandates(actor, wallet, name))
    return HolderList(
        name,
        rules.permission_text(name),
        [(permission, title, permission == name) for permission, title in rules.titles.items()],
        [reasons.row(person, policies.get(person.remote_id)) for person in rows],
        str(ListCursor(rows[-1].name, rows[-1].pk)) if len(page) > ROWS else "",
        problem,
        reasons.trouble,
    )


def _mandates(actor: Actor, wallet: Wallet, name: str) -> tuple[list[Mandate], str]:
    """Those that ask for votes about it, live; and why they are not known."""
    if name not in ACTION_TYPES:
        return [], ""
    try:
        return mandates_for(wallet_mandates(actor, wallet), name), ""
    except FinanceError as error:
        return [], f"The mandates could not be read: {error.user_message}"


class _Reasons:
    """Why people have a permission on a wallet, or why not for now."""

    def __init__(
        self, actor: Actor, rules: Rules, wallet: Wallet, name: str, mandates: list[Mandate], trouble: str
    ) -> None:
        self.actor, self.rules, self.wallet, self.name = actor, rules, wallet, name
        self.mandates, self.trouble = mandates, trouble

    def row(self, person: Employee, policy: WalletPolicy | None) -> HolderRow:
        """The row of a person, with the verdict whether their policy may be suspended."""
        has = held(self.rules, person, self.wallet, policy)
        may = self.name in has.effective
        verdict = None
        if policy is not None and policy.state() in {"ACTIVE", "COMING"}:
            verdict = can(self.actor, operations.SUSPEND_WALLET_POLICY, policy)
        soon = bool(policy and ends_soon(policy))
        return HolderRow(person, may, self._why(has, person, policy), policy, soon, verdict)

    def _why(self, has: Held, person: Employee, policy: WalletPolicy | None) -> list[str]:
        if self.name not in has.effective:
            return [f"not now: {has.denied.get(self.name, 'it is denied')}"]
        reasons = []
        if self.name in has.by_role:
            reasons.append(f"role {role_of(person)}")
        if policy is not None and self.name in has.by_policy:
            words = Words(person.name, policy.currency, self.actor.business, self.rules)
            bounds = [
                f"at most {words.money(m)} {spell}" for n, spell in LIMITS.items() if (m := policy.limit(n)) is not None
            ]
            until = last_day(policy, self.actor.business)
            bounds += [f"until {until}"] if until else []
            bounds += [f"“{policy.reason}”"] if policy.reason else []
            reasons.append(f"wallet policy{': ' if bounds else ''}{', '.join(bounds)}")
        return reasons + votes_in(self.mandates, person.remote_id, self.actor.business.locale)
