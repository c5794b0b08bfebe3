"""What the demo businesses are: their names, people, teams, merchants and shares of the expenses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from service.auth import Caller, system_caller
from service.businesses.models import Business, Employee, Role
from service.sandbox import merchants, people
from service.sandbox.cast import Person
from service.sandbox.merchants import Merchant, Regular

MONTHS = 12
DAYS = 365


@dataclass(frozen=True, slots=True)
class Plan:
    """What a demo business is like: its people, teams and merchants, and what it pays regularly."""

    name: str
    country: str
    teams: dict[str, str]
    staff: Sequence[Person]
    domain: str
    merchants: Sequence[Merchant]
    regulars: Sequence[Regular]
    share: float


PLANS = (
    Plan(
        "Kifaru Logistics", "KE", people.KIFARU_TEAMS, people.KIFARU, "kifaru.example",
        merchants.KENYA, merchants.REGULARS_KE, 0.6,
    ),
    Plan(
        "Tulp Robotics", "NL", people.TULP_TEAMS, people.TULP, "tulp.example",
        merchants.NETHERLANDS, merchants.REGULARS_NL, 0.4,
    ),
)  # fmt: skip


def persons(business: Business, *roles: str) -> list[Employee]:
    """Those in these roles (all where none is named), in the order in which they joined."""
    rows = Employee.objects.filter(business=business).order_by("id")
    return list(rows.filter(role__in=roles) if roles else rows)


def acting(business: Business, person: Employee) -> Caller:
    """The person as the caller of an operation, with their own role."""
    return replace(system_caller(business), employee=person, role=person.role)


def caller_of_role(business: Business, role: Role) -> Caller:
    """The first person of the role as a caller."""
    return acting(business, persons(business, role)[0])


def ago(now: datetime, days: float) -> datetime:
    """The moment that lies so many days before `now`."""
    return now - timedelta(days=days)
