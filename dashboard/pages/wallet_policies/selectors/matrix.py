"""The query of the matrix of access, and the people whom it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.impact.wallet_rights import ENDS_SOON, open_policies
from dashboard.inputs import is_plain
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import COPYING, Employee
from dashboard.mirror.scopes import visible_holders

MAX_WALLETS = 12
MAX_SEARCH = 100
HAS = (("policy", "With a policy"), ("soon", "Ending soon"), ("suspended", "Suspended"))


@dataclass(frozen=True)
class MatrixQuery:
    """The query of the matrix, read without trust; `problems` are sentences, empty where it is sound."""

    q: str = ""
    role: str = ""
    has: str = ""
    currency: str = ""
    wallets: tuple[str, ...] = ()
    after: ListCursor | None = None
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: QueryDict) -> Self:
        """The query of an address; what is no choice is left out, with a problem."""
        problems: list[str] = []

        def choice(name: str, known: list[str]) -> str:
            text = data.get(name, "").strip()
            if text and text not in known:
                problems.append(f"“{text[:20]}” is not a valid {name}.")
                return ""
            return text

        q = data.get("q", "").strip()
        if len(q) > MAX_SEARCH or not is_plain(q):
            problems.append(f"Search with at most {MAX_SEARCH} letters and digits.")
            q = ""
        after = None
        if text := data.get("after"):
            try:
                after = ListCursor.read(text, str)
            except ValueError:
                problems.append("This page of the list is no longer available; this is the first page.")
        role, has = choice("role", list(Role.values)), choice("has", [name for name, _ in HAS])
        chosen = tuple(data.getlist("wallet")[:MAX_WALLETS])
        currency = data.get("currency", "")[:3]
        return cls(q, role, has, currency, chosen, after, tuple(problems))

    def query(self, **changes: Any) -> str:
        """This query as the text of an address, without its place, with these changes."""
        values = {"q": self.q, "role": self.role, "has": self.has, "currency": self.currency, "wallet": self.wallets}
        return urlencode({name: value for name, value in (values | changes).items() if value}, doseq=True)

    @property
    def narrowed(self) -> bool:
        """Whether it leaves fewer people than all."""
        return bool(self.q or self.role or self.has)


def people_of(actor: Actor, query: MatrixQuery) -> QuerySet[Employee]:
    """The people whom the query leaves, by name, after its place."""
    people = visible_holders(actor).exclude(status="DELETED").order_by("name", "pk")
    for word in query.q.split():
        people = people.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if query.role:
        people = people.filter(role=query.role)
    if query.has:
        policies = open_policies(actor).filter(employee_id=OuterRef("remote_id"))
        if query.has == "suspended":
            policies = policies.filter(status="SUSPENDED")
        if query.has == "soon":
            policies = policies.filter(status="ACTIVE", expires_at__lte=timezone.now() + ENDS_SOON)
        people = people.filter(Exists(policies))
    if query.after:
        name, number = query.after.value, query.after.id
        people = people.filter(Q(name__gt=name) | Q(name=name, pk__gt=number))
    return people.defer("payload", *COPYING)
