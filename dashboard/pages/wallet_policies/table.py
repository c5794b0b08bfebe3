"""The matrix: people by wallets, each cell in letters and in words; people by key and searched, wallets chosen.

However many there are of either, a page reads fifty people, twelve wallets and the policies between them: three queries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.impact.wallet_rights import (
    ENDS_SOON,
    Held,
    Rules,
    abilities_in,
    ends_soon,
    held,
    last_day,
    open_policies,
    role_of,
)
from dashboard.inputs import is_plain
from dashboard.lists.query import Cursor
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders, visible_wallets

ROWS, COLUMNS = 50, 12
LONGEST = 100
HAS = (("policy", "With a policy"), ("soon", "Ending soon"), ("suspended", "Suspended"))


@dataclass(frozen=True)
class Asked:
    """What an address asks of the matrix, read without trust; `problems` are sentences."""

    q: str = ""
    role: str = ""
    has: str = ""
    currency: str = ""
    wallets: tuple[str, ...] = ()
    after: Cursor | None = None
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: QueryDict) -> Self:
        """From an address's query."""
        problems: list[str] = []

        def one_of(name: str, known: list[str]) -> str:
            text = given.get(name, "").strip()
            if text and text not in known:
                problems.append(f"“{text[:20]}” is no choice for {name}.")
                return ""
            return text

        q = given.get("q", "").strip()
        if len(q) > LONGEST or not is_plain(q):
            problems.append(f"Search with at most {LONGEST} letters and digits.")
            q = ""
        after = None
        if text := given.get("after"):
            try:
                after = Cursor.read(text, str)
            except ValueError:
                problems.append("The page of this address is no longer known; this is the first one.")
        role, has = one_of("role", list(Role.values)), one_of("has", [name for name, _ in HAS])
        chosen = tuple(given.getlist("wallet")[:COLUMNS])
        currency = given.get("currency", "")[:3]
        return cls(q, role, has, currency, chosen, after, tuple(problems))

    def query(self, **changes: Any) -> str:
        """The query of an address like this one with these changes."""
        values = {"q": self.q, "role": self.role, "has": self.has, "currency": self.currency, "wallet": self.wallets}
        return urlencode({name: value for name, value in (values | changes).items() if value}, doseq=True)

    @property
    def narrowed(self) -> bool:
        """Whether fewer people than all are asked for."""
        return bool(self.q or self.role or self.has)


class Cell(NamedTuple):
    """What a person may do in a wallet: the letters that come by the role and by a policy, and the same in words."""

    tone: str
    wallet: str
    href: str
    role: str
    policy: str
    words: str
    flag: str


@dataclass(frozen=True)
class Line:
    """A person with the cells of the wallets."""

    person: Employee
    role: str
    href: str
    cells: list[Cell]


@dataclass(frozen=True)
class Matrix:
    """A page of it: `groups` are the columns as (currency, how many), `others` how many wallets are not among them.

    `before` and `beyond` are the addresses' queries for the wallets on either side of those that are shown.
    """

    wallets: list[Wallet]
    groups: list[tuple[str, int]]
    lines: list[Line]
    choices: list[tuple[Wallet, bool]]
    currencies: list[str]
    others: int
    next: str = ""
    before: str = ""
    beyond: str = ""
    by_role: list[tuple[str, str]] = field(default_factory=list)


def matrix_of(actor: Actor, asked: Asked) -> Matrix:
    """The page that is asked for."""
    every = ordered_wallets(actor)
    wallets = _columns(every, asked)
    people = list(people_of(actor, asked)[: ROWS + 1])
    more, people = len(people) > ROWS, people[:ROWS]
    rules = Rules.of(actor.business)
    ids = [one.remote_id for one in wallets]
    policies = open_policies(actor).filter(employee_id__in=[one.remote_id for one in people], wallet_id__in=ids)
    between = {(each.employee_id, each.wallet_id): each for each in policies.defer("payload")}
    page, beside = _Page(actor, rules, wallets, between), _beside(every, wallets, asked)
    groups: dict[str, int] = {}
    for one in wallets:
        groups[one.currency] = groups.get(one.currency, 0) + 1
    return Matrix(
        wallets=wallets,
        groups=list(groups.items()),
        lines=[page.line(one) for one in people],
        choices=[(one, one in wallets) for one in every],
        currencies=sorted({one.currency for one in every}),
        others=len(every) - len(wallets),
        next=str(Cursor(people[-1].name, people[-1].pk)) if more else "",
        before=beside.get("before", ""),
        beyond=beside.get("beyond", ""),
        by_role=[
            (role.label, ", ".join(one.word for one in abilities_in(rules.by_role.get(role, ()))) or "nothing")
            for role in Role
            if role in rules.by_role
        ],
    )


def ordered_wallets(actor: Actor) -> list[Wallet]:
    """The wallets that the actor sees and that can still be used: by currency, then by name."""
    return list(visible_wallets(actor).exclude(status="CLOSED").order_by("currency", "name", "remote_id"))


def _columns(every: list[Wallet], asked: Asked) -> list[Wallet]:
    chosen = [one for one in every if one.remote_id in asked.wallets]
    of_currency = [one for one in every if asked.currency in {"", one.currency}]
    return (chosen or of_currency)[:COLUMNS]


def _beside(every: list[Wallet], shown: list[Wallet], asked: Asked) -> dict[str, str]:
    """Where the columns before and after lie, people and filters as they are."""
    found = [one for one in every if asked.currency in {"", one.currency}]
    places = [place for place, one in enumerate(found) if one in shown]
    if not places:
        return {}
    sides = {
        "before": found[max(0, places[0] - COLUMNS) : places[0]],
        "beyond": found[places[-1] + 1 : places[-1] + 1 + COLUMNS],
    }
    after = {"after": str(asked.after)} if asked.after else {}
    return {name: asked.query(wallet=[one.remote_id for one in some], **after) for name, some in sides.items() if some}


def people_of(actor: Actor, asked: Asked) -> QuerySet[Employee]:
    """The people that are asked for, by name, after the place that the address names."""
    found = visible_holders(actor).exclude(status="DELETED").order_by("name", "pk")
    for word in asked.q.split():
        found = found.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if asked.role:
        found = found.filter(role=asked.role)
    if asked.has:
        theirs = open_policies(actor).filter(employee_id=OuterRef("remote_id"))
        if asked.has == "suspended":
            theirs = theirs.filter(status="SUSPENDED")
        if asked.has == "soon":
            theirs = theirs.filter(status="ACTIVE", expires_at__lte=timezone.now() + ENDS_SOON)
        found = found.filter(Exists(theirs))
    if asked.after:
        name, number = asked.after.value, asked.after.id
        found = found.filter(Q(name__gt=name) | Q(name=name, pk__gt=number))
    return found.defer("payload")


class _Page:
    """The cells of one page: made of strings, because there are hundreds of them."""

    def __init__(
        self, actor: Actor, rules: Rules, wallets: list[Wallet], between: dict[tuple[str, str], WalletPolicy]
    ) -> None:
        self.actor, self.rules, self.wallets, self.between, self.now = actor, rules, wallets, between, timezone.now()
        self.slug = actor.business.slug

    def line(self, person: Employee) -> Line:
        """A person's row."""
        cells = [self._cell(person, one) for one in self.wallets]
        href = reverse("wallet-policies_person", args=[self.slug, person.remote_id])
        return Line(person, role_of(person), href, cells)

    def _cell(self, person: Employee, wallet: Wallet) -> Cell:
        policy = self.between.get((person.remote_id, wallet.remote_id))
        has = held(self.rules, person, wallet, policy, self.now)
        href = reverse("wallet-policies_trace", args=[self.slug, person.remote_id, wallet.remote_id])
        by_role, by_policy = abilities_in(has.by_role), abilities_in(has.by_policy - has.by_role)
        flag = self._flag(policy, has)
        said = [f"by role {', '.join(one.word for one in by_role)}"] if by_role else []
        said += [f"by policy {', '.join(one.word for one in by_policy)}"] if by_policy else []
        said += [flag] if flag else []
        name = wallet.name or wallet.org_wallet_ref
        tone = "none" if not said else "given" if policy else ""
        words = f"{person.name}, {name}: {'; '.join(said) or 'nothing'}"
        return Cell(
            tone, name, href, " ".join(one.letter for one in by_role), " ".join(one.letter for one in by_policy),
            words, flag,
        )  # fmt: skip

    def _flag(self, policy: WalletPolicy | None, has: Held) -> str:
        if policy is None:
            return ""
        if has.state == "SUSPENDED":
            return "suspended"
        if has.state == "COMING":
            return "not begun"
        if ends_soon(policy, self.now):
            return f"ends {last_day(policy, self.actor.business)}"
        return ""
