"""Who can move money: the query of the page, the people whom it leaves, and what their authority comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from django.http import QueryDict
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.access.standing import Standing
from dashboard.errors import NotAllowed
from dashboard.impact.authority_sources import Sources
from dashboard.impact.mandate_reads import Snapshot, mandates_of
from dashboard.impact.payment_authority import CHOICES, MANAGE_CODE, Authority, Holder
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import Employee, Wallet
from dashboard.mirror.standing import grants_by_employee
from dashboard.pages.wallet_policies.selectors.authority_copy import AuthorityCopy
from dashboard.pages.wallet_policies.selectors.matrix import MatrixQuery
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET
from dashboard.schemas.wallet_policies import Mandate

ANY, ALONE = "any", "alone"
FILTERS = ((ANY, "Can move or approve money"), (ALONE, "Can move money alone"), *CHOICES)
# Mandates change seldom: read anew where they are older than a minute.
MANDATES_FRESH_S = 60
AT_A_TIME = 1_000


@dataclass(frozen=True)
class AuthorityQuery:
    """The query of the page: people and wallets as the matrix reads them, and `can`, one of FILTERS or ""."""

    base: MatrixQuery
    can: str = ""
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: QueryDict) -> Self:
        """The query of an address; what is no choice is left out, with a problem."""
        base, can = MatrixQuery.read(data), data.get("can", "")
        problems = base.problems
        if can and can not in dict(FILTERS):
            problems, can = (*problems, f"“{can[:20]}” is not a valid filter."), ""
        return cls(replace(base, has=""), can, problems)

    def query(self, **changes: object) -> str:
        """This query as the text of an address, without its place, with these changes."""
        return self.base.query(**({"can": self.can} | changes))

    @property
    def narrowed(self) -> bool:
        """Whether it leaves fewer people than all."""
        return self.base.narrowed or bool(self.can)


@dataclass(frozen=True)
class PersonAuthority:
    """Somebody with what they can do with each of the wallets: an employee of the service, a member of this dashboard, or
    both; `allocated` is what their cards have of allocations, in minor units by currency, `place` theirs in the order, None
    for a member without an employee."""

    name: str
    email: str
    employee_id: str
    status: str
    role: Role | str
    service_role: str
    has_access: bool
    cells: dict[str, tuple[Authority, ...]]
    allocated: dict[str, int]
    place: ListCursor | None


@dataclass(frozen=True)
class PeoplePage:
    """Some people and the place after them, "" where nobody follows; how old the mandates are, and why they are not newer."""

    people: list[PersonAuthority]
    next: str
    mandates: Snapshot[list[Mandate]]


def wallets_of(every: list[Wallet], query: AuthorityQuery) -> list[Wallet]:
    """Of all wallets those that the query leaves: of its currency, or those that it names."""
    chosen = [wallet for wallet in every if wallet.remote_id in query.base.wallets]
    return chosen or [wallet for wallet in every if query.base.currency in {"", wallet.currency}]


def people_page(
    actor: Actor, query: AuthorityQuery, wallets: list[Wallet], columns: list[Wallet], rows: int
) -> PeoplePage:
    """So many people after the query's place, with what they can do with the columns; the filter `can` is about all wallets."""
    reader = _Reader(actor, query, wallets, columns)
    people: list[PersonAuthority] = []
    places: list[ListCursor] = []
    for person in reader.people(AT_A_TIME if query.can else rows + 1):
        # Members without an employee stand beside the first people.
        if person.place is not None:
            if len(places) == rows:
                return PeoplePage(people, str(places[-1]), reader.mandates)
            places.append(person.place)
        people.append(person)
    return PeoplePage(people, "", reader.mandates)


def everybody(actor: Actor, query: AuthorityQuery, wallets: list[Wallet]) -> Iterator[PersonAuthority]:
    """All people whom the query leaves, with what they can do with all of the wallets."""
    yield from _Reader(actor, replace(query, base=replace(query.base, after=None)), wallets, wallets).people(AT_A_TIME)


class _Reader:
    """Reads people in batches, each in the same few queries, however many there are."""

    def __init__(self, actor: Actor, query: AuthorityQuery, wallets: list[Wallet], columns: list[Wallet]) -> None:
        self.actor, self.query = actor, query
        # A filter asks of all wallets what somebody can do, a page without one of those alone that it shows.
        self.wallets = wallets if query.can else columns
        self.mandates = mandates_of(actor, fresh_s=MANDATES_FRESH_S)
        self.copy = AuthorityCopy(actor, self.wallets, timezone.now())
        self.accounts = self.copy.fund_accounts()
        # What mandates and accounts say of somebody is the same for all batches.
        self.sources = Sources(self.accounts, self.mandates.value, self.copy.now)

    def people(self, batch: int) -> Iterator[PersonAuthority]:
        query = self.query.base
        first = query.after is None
        while True:
            employees = self.copy.people(query, batch)
            yield from self._batch(employees, with_others=first)
            if len(employees) < batch:
                return
            first, query = False, replace(query, after=ListCursor(employees[-1].name, employees[-1].pk))

    def _batch(self, employees: list[Employee], *, with_others: bool) -> Iterator[PersonAuthority]:
        ids = [row.remote_id for row in employees]
        members = self.copy.members(ids, self.query.base if with_others else None)
        ids += [member.employee_id for member in members.get("", ()) if member.employee_id]
        policies = self.copy.policies(ids)
        cards = self.copy.cards(ids)
        allocations: dict[str, dict[str, int]] = defaultdict(dict)
        for card in cards:
            # All cards of somebody in a currency spend the one allocation.
            if card.funding == ALLOCATION and card.allocation_minor is not None:
                allocations[card.employee_id][card.currency] = card.allocation_minor
        self.sources.take(policies, [card for card in cards if card.funding == BUSINESS_WALLET])
        grants = grants_by_employee(policies, self.accounts, self.copy.now)
        for member in members.get("", ()):
            given, allocated = grants.get(member.employee_id, frozenset()), allocations.get(member.employee_id, {})
            if (person := self._person(None, member, given, allocated)) is not None:
                yield person
        for row in employees:
            # An employee is one member at most.
            linked = next(iter(members.get(row.remote_id, ())), None)
            given, allocated = grants.get(row.remote_id, frozenset()), allocations.get(row.remote_id, {})
            if (person := self._person(row, linked, given, allocated)) is not None:
                yield person

    def _person(
        self, employee: Employee | None, member: Membership | None, grants: frozenset[tuple[str, str]],
        allocated: dict[str, int],
    ) -> PersonAuthority | None:  # fmt: skip
        status = employee.status if employee else "ACTIVE"
        service_role = employee.role if employee else ""
        acting: Actor | None = None
        if member is not None:
            standing = Standing(suspended=status == "SUSPENDED", service_role=service_role, grants=grants)
            try:
                acting = Actor.standing_as(member, standing)
            except NotAllowed:
                acting = None
        employee_id = employee.remote_id if employee else member.employee_id if member else ""
        cells = self.sources.cells(Holder(employee_id, acting, spends=status == "ACTIVE"), self.wallets)
        if self.query.can and not any(
            _fits(self.query.can, authority) for cell in cells.values() for authority in cell
        ):
            return None
        return PersonAuthority(
            name=employee.name if employee else member.user.get_full_name() if member else "",
            email=(employee.email if employee else "") or (member.user.email if member else ""),
            employee_id=employee_id,
            status=status,
            role=Role(member.role) if member else "",
            service_role=service_role,
            has_access=acting is not None,
            cells=cells,
            allocated=allocated if status == "ACTIVE" else {},
            place=ListCursor(employee.name, employee.pk) if employee else None,
        )


def _fits(can: str, authority: Authority) -> bool:
    if can == ANY:
        return authority.code != MANAGE_CODE and not authority.blocked
    if can == ALONE:
        return authority.is_alone
    return authority.code == can and not authority.blocked
