"""The matrix: people by wallets, each cell in letters and in words; people by key and searched, wallets chosen.

However many there are of either, a page reads fifty people, twelve wallets and the policies between them: three queries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict

from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.roles import Role
from dashboard.impact.wallet_rights import (
    ABILITIES,
    Ability,
    Held,
    Rules,
    abilities_in,
    ends_soon,
    held,
    last_day,
    open_policies,
    role_of,
)
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.pages.wallet_policies.selectors import matrix as selectors
from dashboard.pages.wallet_policies.selectors.access import usable_wallets_of
from dashboard.pages.wallet_policies.selectors.matrix import MatrixQuery, people_of
from dashboard.proposals.selectors import confirmable_count
from dashboard.web.freshness import Freshness, freshness_of

ROWS = 50


class Cell(NamedTuple):
    """What a person may do in a wallet: the letters that come by the role and by a policy, and the same in words."""

    tone: str
    wallet: str
    href: str
    role: str
    policy: str
    words: str
    flag: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A person with the cells of the wallets."""

    person: Employee
    role: str
    href: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A page of it: `groups` are the columns as (currency, how many), `others` how many wallets are not among them.

    `before` and `beyond` are the addresses' queries for the wallets on either side of those that are shown.
    """

    wallets: list[Wallet]
    groups: list[tuple[str, int]]
    rows: list[MatrixRow]
    choices: list[tuple[Wallet, bool]]
    currencies: list[str]
    others: int
    next: str = ""
    before: str = ""
    beyond: str = ""
    by_role: list[tuple[str, str]] = field(default_factory=list)


def matrix_of(actor: Actor, query: MatrixQuery) -> Matrix:
    """The page of the matrix that the query names."""
    every = usable_wallets_of(actor)
    wallets = _columns(every, query)
    people = list(people_of(actor, query)[: ROWS + 1])
    more, people = len(people) > ROWS, people[:ROWS]
    rules = Rules.of(actor.business)
    ids = [wallet.remote_id for wallet in wallets]
    policies = open_policies(actor).filter(employee_id__in=[person.remote_id for person in people], wallet_id__in=ids)
    between = {(policy.employee_id, policy.wallet_id): policy for policy in policies.defer("payload")}
    page, sides = _Page(actor, rules, wallets, between), _neighbours(every, wallets, query)
    groups: dict[str, int] = {}
    for wallet in wallets:
        groups[wallet.currency] = groups.get(wallet.currency, 0) + 1
    return Matrix(
        wallets=wallets,
        groups=list(groups.items()),
        rows=[page.row(person) for person in people],
        choices=[(wallet, wallet in wallets) for wallet in every],
        currencies=sorted({wallet.currency for wallet in every}),
        others=len(every) - len(wallets),
        next=str(ListCursor(people[-1].name, people[-1].pk)) if more else "",
        before=sides.get("before", ""),
        beyond=sides.get("beyond", ""),
        by_role=[
            (role.label, ", ".join(ability.word for ability in abilities_in(rules.by_role.get(role, ()))) or "nothing")
            for role in Role
            if role in rules.by_role
        ],
    )


class MatrixContext(TypedDict):
    """What wallet_policies/matrix.html reads; `waiting` is how many proposals wait for the actor."""

    filters: MatrixQuery
    matrix: Matrix
    legend: tuple[Ability, ...]
    roles: list[tuple[str, str]]
    has: tuple[tuple[str, str], ...]
    may_grant: bool
    waiting: int
    fresh: Freshness
    query: str


def matrix_context(actor: Actor, query: MatrixQuery) -> MatrixContext:
    """The matrix of a query, with what it is filtered by."""
    return {
        "filters": query,
        "matrix": matrix_of(actor, query),
        "legend": ABILITIES,
        "roles": Role.choices,
        "has": selectors.HAS,
        "may_grant": bool(can_open(actor, operations.GRANT_WALLET_ACCESS)),
        "waiting": confirmable_count(actor),
        "fresh": freshness_of(actor.business),
        "query": query.query(),
    }


def _columns(every: list[Wallet], query: MatrixQuery) -> list[Wallet]:
    chosen = [wallet for wallet in every if wallet.remote_id in query.wallets]
    of_currency = [wallet for wallet in every if query.currency in {"", wallet.currency}]
    return (chosen or of_currency)[: selectors.MAX_WALLETS]


def _neighbours(every: list[Wallet], columns: list[Wallet], query: MatrixQuery) -> dict[str, str]:
    """Where the columns before and after lie, people and filters as they are."""
    wallets = [wallet for wallet in every if query.currency in {"", wallet.currency}]
    places = [place for place, wallet in enumerate(wallets) if wallet in columns]
    if not places:
        return {}
    sides = {
        "before": wallets[max(0, places[0] - selectors.MAX_WALLETS) : places[0]],
        "beyond": wallets[places[-1] + 1 : places[-1] + 1 + selectors.MAX_WALLETS],
    }
    after = {"after": str(query.after)} if query.after else {}
    return {
        name: query.query(wallet=[wallet.remote_id for wallet in side], **after) for name, side in sides.items() if side
    }


class _Page:
    """The cells of one page: made of strings, because there are hundreds of them."""

    def __init__(
        self, actor: Actor, rules: Rules, wallets: list[Wallet], between: dict[tuple[str, str], WalletPolicy]
    ) -> None:
        self.actor, self.rules, self.wallets, self.between, self.now = actor, rules, wallets, between, timezone.now()
        self.slug = actor.business.slug

    def row(self, person: Employee) -> MatrixRow:
        """The row of a person, with a cell for each wallet."""
        cells = [self._cell(person, wallet) for wallet in self.wallets]
        href = reverse("wallet-policies_person", args=[self.slug, person.remote_id])
        return MatrixRow(person, role_of(person), href, cells)

    def _cell(self, person: Employee, wallet: Wallet) -> Cell:
        policy = self.between.get((person.remote_id, wallet.remote_id))
        has = held(self.rules, person, wallet, policy, self.now)
        href = reverse("wallet-policies_trace", args=[self.slug, person.remote_id, wallet.remote_id])
        by_role, by_policy = abilities_in(has.by_role), abilities_in(has.by_policy - has.by_role)
        flag = self._flag(policy, has)
        parts = [f"by role {', '.join(ability.word for ability in by_role)}"] if by_role else []
        parts += [f"by policy {', '.join(ability.word for ability in by_policy)}"] if by_policy else []
        parts += [flag] if flag else []
        name = wallet.name or wallet.org_wallet_ref
        tone = "none" if not parts else "given" if policy else ""
        words = f"{person.name}, {name}: {'; '.join(parts) or 'nothing'}"
        return Cell(
            tone, name, href, " ".join(ability.letter for ability in by_role), " ".join(ability.letter for ability in by_policy),
            words, flag,
        )  # fmt: skip

    def _flag(self, policy: WalletPolicy | None, has: Held) -> str:
        if policy is None:
            return ""
        if has.state == "SUSPENDED":
            return "suspended"
        if has.state == "COMING":
            return "scheduled"
        if ends_soon(policy, self.now):
            return f"ends {last_day(policy, self.actor.business)}"
        return ""
