"""What somebody may do with a wallet now, by what, and what is denied to them: deny wins (decisions B.11)."""

from collections.abc import Callable, Iterable
from typing import TypedDict

from django.utils import timezone

from service.accounts.models import Wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.wallet_policies import catalogue, serializers
from service.wallet_policies.catalogue import BY_ROLE
from service.wallet_policies.models import OPEN, PolicyStatus, WalletPolicy
from service.wallet_policies.selectors import get_business_wallet, visible_employee, wallet_policies

VIEWS = frozenset({"WALLET_VIEW", "WALLET_VIEW_BALANCE", "WALLET_VIEW_TRANSACTIONS"})
# The seats that a person has over a wallet's money beside role and policy: for each, whether it may invest it.
Seats = Callable[[Employee, Wallet], Iterable[bool]]
_SEATS: list[Seats] = []
MOVING = frozenset(seed.name for seed in catalogue.PERMISSIONS if seed.moves_money)


def register(seats: Seats) -> None:
    """Called by the area that gives such seats, when it is loaded."""
    _SEATS.append(seats)


class SourceShape(TypedDict):
    """By what a permission is held: ROLE, OPERATOR or POLICY, and of a policy its limits."""

    permission: str
    source: str
    policy_id: str | None
    limit: serializers.LimitsShape | None


class DeniedShape(TypedDict):
    """A permission that is denied, and why."""

    permission: str
    reason: str


class EffectiveShape(TypedDict):
    """What an employee may do with a wallet."""

    employee_id: str
    wallet_id: str
    effective: list[str]
    sources: list[SourceShape]
    denied: list[DeniedShape]


def permissions_of(caller: Caller, employee_id: str, wallet_id: str) -> EffectiveShape:
    """The computed answer: role, policy and fund operation together, less what is denied. 404 for unknown ids or somebody else's."""
    person = visible_employee(caller, employee_id)
    purse = get_business_wallet(caller, wallet_id)
    policy = wallet_policies(caller).filter(wallet=purse, employee=person, status__in=OPEN).first()
    if policy is not None and policy.state() == PolicyStatus.EXPIRED:
        policy = None
    operates = _operates(person, purse)
    denied = _denied(person, purse, policy, operates)
    sources = [source for source in _sources(person, policy, operates) if source["permission"] not in denied]
    given = {source["permission"] for source in sources}
    return {
        "employee_id": person.id,
        "wallet_id": purse.id,
        "effective": [name for name in catalogue.NAMES if name in given],
        "sources": sources,
        "denied": [{"permission": name, "reason": denied[name]} for name in catalogue.NAMES if name in denied],
    }


def _operates(person: Employee, purse: Wallet) -> frozenset[str]:
    """What a treasury operator of a fund account may do with the wallet whose money waits to be invested there."""
    permissions: frozenset[str] = frozenset()
    for seats in _SEATS:
        for can_invest in seats(person, purse):
            permissions |= VIEWS | ({"WALLET_INVEST"} if can_invest else frozenset())
    return permissions


def _sources(person: Employee, wallet_policy: WalletPolicy | None, operates: frozenset[str]) -> list[SourceShape]:
    by_role = BY_ROLE.get(person.role, frozenset())
    sources: list[SourceShape] = [
        {"permission": name, "source": source, "policy_id": None, "limit": None}
        for source, given in (("ROLE", by_role), ("OPERATOR", operates))
        for name in catalogue.NAMES
        if name in given
    ]
    if (
        wallet_policy is not None
        and wallet_policy.status == PolicyStatus.ACTIVE
        and wallet_policy.valid_from <= timezone.now()
    ):
        limit = serializers.limits(wallet_policy)
        sources += [
            {"permission": name, "source": "POLICY", "policy_id": wallet_policy.id, "limit": limit}
            for name in wallet_policy.permissions
        ]
    return sources


def _denied(
    person: Employee, purse: Wallet, wallet_policy: WalletPolicy | None, operates: frozenset[str]
) -> dict[str, str]:
    """The reason by permission, of those that role or policy name; the gravest reason is the one told."""
    by_role = BY_ROLE.get(person.role, frozenset()) | operates
    by_policy = frozenset(wallet_policy.permissions) if wallet_policy else frozenset()
    named = by_role | by_policy
    denied: dict[str, str] = {}
    if (
        wallet_policy is not None
        and wallet_policy.status == PolicyStatus.ACTIVE
        and wallet_policy.valid_from > timezone.now()
    ):
        denied |= dict.fromkeys(by_policy - by_role, "The policy is not valid yet.")
    if purse.status != Wallet.Status.ACTIVE:
        denied |= dict.fromkeys(named & MOVING, f"The wallet is {purse.status}: it takes credits alone.")
    if wallet_policy is not None and wallet_policy.status == PolicyStatus.SUSPENDED:
        denied |= dict.fromkeys(by_policy, "The policy is suspended.")
    denied |= {name: f"No {person.role} ever has it." for name in named if catalogue.is_barred(person.role, name)}
    if person.status != Employee.Status.ACTIVE:
        denied |= dict.fromkeys(named, "The employee is not active.")
    return denied
