"""What somebody may do with a wallet by the copy: role and policy together, less what is denied; deny wins.

The service computes the same live for one person and one wallet (trace.py): that one counts, this one is for lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.mirror.models import Employee, Wallet, WalletPermission, WalletPolicy, WalletRole
from dashboard.mirror.models.policies import OPEN_POLICY
from dashboard.mirror.scopes import visible_policies
from dashboard.times import day, local

ENDS_SOON = timedelta(days=14)


@dataclass(frozen=True)
class Ability:
    """A letter of the matrix: the word for it, and the permissions that it stands for."""

    letter: str
    word: str
    permissions: frozenset[str]


def _ability(letter: str, word: str, *names: str) -> Ability:
    return Ability(letter, word, frozenset(f"WALLET_{name}" for name in names))


ABILITIES = (
    _ability("V", "view", "VIEW", "VIEW_BALANCE", "VIEW_TRANSACTIONS", "EXPORT_STATEMENT"),
    _ability("P", "pay", "PAY_VENDOR", "PAYOUT_INITIATE"),
    _ability("A", "approve", "PAYOUT_APPROVE"),
    _ability("T", "transfer and allocate", "TRANSFER_INTERNAL", "ALLOCATE", "DEALLOCATE", "TOPUP"),
    _ability("X", "convert currencies", "FX"),
    _ability("C", "spend by card", "CARD_FUND"),
    _ability("I", "invest", "INVEST"),
    _ability("M", "manage who may", "MANAGE_POLICY"),
)
LETTERED = frozenset[str]().union(*(ability.permissions for ability in ABILITIES))
OTHER = Ability("+", "something else", frozenset())


def abilities_in(names: Iterable[str]) -> list[Ability]:
    """The letters of these permissions, in the order of the legend; "+" for one that we have no letter for."""
    given = frozenset(names)
    abilities = [ability for ability in ABILITIES if ability.permissions & given]
    return [*abilities, OTHER] if given - LETTERED else abilities


@dataclass(frozen=True)
class Rules:
    """The permissions there are with their words, which of them move money, and what each role gives by itself."""

    titles: Mapping[str, str] = field(default_factory=dict)
    moving: frozenset[str] = frozenset()
    by_role: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, business: Business) -> Rules:
        """The rules of a business as they were last read from the service."""
        live = {"business": business, "tombstoned_at": None}
        names = list(
            WalletPermission.objects.filter(**live)
            .order_by("place", "remote_id")
            .values_list("remote_id", "title", "moves_money")
        )
        roles = WalletRole.objects.filter(**live).values_list("remote_id", "permissions")
        return cls(
            {name: title for name, title, _ in names},
            frozenset(name for name, _, moves in names if moves),
            {role: frozenset(permissions) for role, permissions in roles},
        )

    def permission_text(self, name: str) -> str:
        """A permission, by its name, as it reads after "may": "pay vendors from it"."""
        title = self.titles.get(name) or name.removeprefix("WALLET_").replace("_", " ").lower()
        return title[:1].lower() + title[1:]

    def listed(self, names: Iterable[str]) -> str:
        """Several permissions after "may": "see the wallet, see its balance and pay vendors from it"."""
        texts = [self.permission_text(name) for name in self.in_order(names)]
        return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"

    def in_order(self, names: Iterable[str]) -> list[str]:
        """The permissions in the service's order."""
        places = {name: place for place, name in enumerate(self.titles)}
        return sorted(names, key=lambda name: (places.get(name, len(places)), name))


@dataclass(frozen=True)
class Held:
    """What somebody may do with one wallet now, by role and by policy, and what is denied although role or policy names it."""

    by_role: frozenset[str]
    by_policy: frozenset[str]
    denied: Mapping[str, str]
    state: str = ""

    @property
    def effective(self) -> frozenset[str]:
        """The permissions by role and by policy together."""
        return self.by_role | self.by_policy


def held(
    rules: Rules, person: Employee, wallet: Wallet, policy: WalletPolicy | None, now: datetime | None = None
) -> Held:
    """The computed answer for a person, a wallet and their open policy on it, by the copy (decisions B.11)."""
    role = rules.by_role.get(person.role, frozenset())
    state = policy.state(now) if policy else ""
    named = frozenset(policy.permissions) if policy and state in {"ACTIVE", "SUSPENDED", "COMING"} else frozenset()
    denied: dict[str, str] = {}
    if state == "COMING":
        denied |= dict.fromkeys(named - role, "the policy is not valid yet")
    if wallet.status != "ACTIVE":
        denied |= dict.fromkeys((role | named) & rules.moving, f"the wallet is {wallet.status.lower()}")
    if state == "SUSPENDED":
        denied |= dict.fromkeys(named, "the policy is suspended")
    # Who configures never approves: a role that came after the policy takes that part of it away.
    if person.role in operations.GRANT_WALLET_ACCESS.roles:
        denied |= dict.fromkeys((n for n in named if n.endswith("_APPROVE")), "an admin never approves")
    if person.status != "ACTIVE":
        denied |= dict.fromkeys(role | named, f"{person.name} is not active")
    given = named if state == "ACTIVE" else frozenset()
    return Held(role - denied.keys(), given - denied.keys(), denied, state)


def ends_soon(policy: WalletPolicy, now: datetime | None = None) -> bool:
    """Whether a policy is active and its last day comes within two weeks."""
    at = now or timezone.now()
    return policy.state(at) == "ACTIVE" and policy.expires_at is not None and policy.expires_at - at <= ENDS_SOON


def last_day(policy: WalletPolicy, business: Business) -> str:
    """ "27 Nov 2026" where it ends with that day; with the time of day where it ends within one."""
    return ends_at(policy.expires_at, business)


def ends_at(moment: datetime | None, business: Business) -> str:
    """The last day of something that ends at a moment: at midnight, the day before is the last."""
    if moment is None:
        return ""
    end = local(moment, business)
    if (end.hour, end.minute, end.second) == (0, 0, 0):
        return day(moment - timedelta(seconds=1), business)
    return f"{day(moment, business)}, {end:%H:%M}"


def role_of(person: Employee) -> str:
    """The label of somebody's role here; the service's own word for a role that we do not know."""
    return Role(person.role).label if person.role in Role.values else person.role


STATES = {
    "ACTIVE": ("Active", "ok"),
    "COMING": ("Scheduled", "info"),
    "SUSPENDED": ("Suspended", "warn"),
    "EXPIRED": ("Ended", ""),
    "REVOKED": ("Revoked", ""),
}


def state_of(policy: WalletPolicy) -> tuple[str, str]:
    """The state of a policy in a word, and the tone of that word."""
    state = policy.state()
    return STATES.get(state, (state.capitalize(), ""))


def open_policies(actor: Actor, *, at: datetime | None = None) -> QuerySet[WalletPolicy]:
    """The policies that the actor sees and that can still be changed: open, and not past their end, now or at a moment."""
    over = Q(status="ACTIVE", expires_at__lte=at or timezone.now())
    return visible_policies(actor).filter(status__in=OPEN_POLICY).exclude(over)
