"""What is read for mandates, roles and rights: people within what the actor may see, and the subjects of the gate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from django.db.models import Q
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.access.subject import Subject
from dashboard.errors import Unavailable
from dashboard.impact.mandate_reads import Snapshot
from dashboard.impact.role_changes import role_words
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.proposals.targets import ROLE
from dashboard.schemas.permissions import Overview, RoleRights
from dashboard.schemas.wallet_policies import Mandate, Seat
from dashboard.web.person_field import PersonChoices, person_choices

ROWS, MAX_SEARCH = 50, 100


def subjects_of_roles(actor: Actor, roles: Sequence[RoleRights]) -> list[Subject]:
    """The roles as subjects of the gate, in the same order: a role is about everybody who has it, and so could change it."""
    members = Membership.objects.filter(business=actor.business, is_active=True).exclude(employee_id="")
    people = (
        visible_employees(actor).filter(remote_id__in=members.values("employee_id")).values_list("role", "remote_id")
    )
    having: dict[str, set[str]] = {}
    for role_id, person in people:
        having.setdefault(role_id, set()).add(person)
    return [
        Subject(
            business_id=actor.business.pk,
            kind=ROLE,
            id=role.id,
            title=role_words(role.id),
            about=frozenset(having.get(role.id, ())),
        )
        for role in roles
    ]


def subject_of_role(actor: Actor, role_rights: RoleRights) -> Subject:
    """A role as a subject of the gate."""
    return subjects_of_roles(actor, [role_rights])[0]


def role_in(read: Snapshot[Overview], role_id: str) -> RoleRights:
    """A role with its permissions; Http404 where there is none of this id, Unavailable where the roles could not be read."""
    role = read.value.role(role_id)
    if role is None:
        if read.trouble and not read.value.roles:
            raise Unavailable(read.trouble)
        raise Http404("no such role")
    return role


def person_for(actor: Actor, employee_id: str) -> Employee:
    """A person whom the actor may see; else Http404."""
    person: Employee = get_object_or_404(visible_employees(actor), remote_id=employee_id)
    return person


def seat_of(mandate: Mandate, approver_id: str) -> Seat:
    """The seat of an approver; Http404 where they have none on the mandate."""
    for seat in mandate.approvers:
        if seat.approver_id == approver_id:
            return seat
    raise Http404("no approver of this mandate")


def people_who_could_join(actor: Actor, mandate: Mandate) -> PersonChoices:
    """The active people of a role that approves, who are not on the mandate, by name."""
    seated = [seat.approver_id for seat in mandate.approvers]
    rows = visible_employees(actor).filter(status="ACTIVE", role__in=operations.APPROVE_PAYMENT_REQUEST.roles)
    return person_choices(actor, rows.exclude(remote_id__in=seated).order_by("sort_name", "pk"))


def employee_names(actor: Actor, employee_ids: Iterable[str]) -> dict[str, str]:
    """The names of these people by their ids."""
    rows = visible_employees(actor).filter(remote_id__in=list(employee_ids))
    return dict(rows.values_list("remote_id", "name"))


@dataclass(frozen=True, slots=True)
class PeopleQuery:
    """The query of the list of people, read without trust; `problem` is a sentence, "" where it is sound."""

    q: str = ""
    role: str = ""
    after: ListCursor | None = None
    problem: str = ""

    @classmethod
    def read(cls, data: QueryDict) -> Self:
        """The query of an address; what is no choice is left out, with a problem."""
        q, role, problem = data.get("q", "").strip(), data.get("role", ""), ""
        if len(q) > MAX_SEARCH or "\x00" in q:
            q, problem = "", f"Search with at most {MAX_SEARCH} letters and digits."
        if role and role not in Role.values:
            role, problem = "", "There is no such role."
        after = None
        if text := data.get("after"):
            try:
                after = ListCursor.read(text, str)
            except ValueError:
                problem = "This page of the list is no longer available; this is the first page."
        return cls(q, role, after, problem)

    def query(self) -> str:
        """This query as the text of an address, without its place."""
        return urlencode({name: value for name, value in (("q", self.q), ("role", self.role)) if value})


def people_with_roles(actor: Actor, query: PeopleQuery) -> tuple[list[tuple[Employee, str]], str]:
    """A page of the people whom the query leaves, each with the name of their role; and the cursor of the next page, "" on
    the last."""
    rows = visible_employees(actor).order_by("name", "pk")
    for word in query.q.split():
        rows = rows.filter(Q(name__icontains=word) | Q(email__icontains=word))
    rows = rows.filter(role=query.role) if query.role else rows
    if query.after is not None:
        place = query.after
        rows = rows.filter(Q(name__gt=place.value) | Q(name=place.value, pk__gt=place.id))
    fetched = list(rows.defer("payload")[: ROWS + 1])
    people = fetched[:ROWS]
    more = str(ListCursor(people[-1].name, people[-1].pk)) if len(fetched) > ROWS else ""
    return [(person, role_words(person.role)) for person in people], more
