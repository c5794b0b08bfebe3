"""What a change would do, shown before it is confirmed: who loses what, who is left, which chains could not be closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.subject import people
from dashboard.errors import FinanceError
from dashboard.impact.wallet_mandates import mandates_for, wallet_mandates
from dashboard.impact.wallet_rights import Rules, held, open_policies
from dashboard.mirror.models import Approval, Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_approvals, visible_holders

APPROVES = "WALLET_PAYOUT_APPROVE"
MAX_NAMES = 3
MAX_REQUESTS = 500


@dataclass(frozen=True)
class PolicyChangeImpact:
    """A policy as it would be: None where it is there no more (revoked), or was not (granted)."""

    person: Employee
    before: WalletPolicy | None
    after: WalletPolicy | None


@dataclass(frozen=True)
class Consequence:
    """What follows from a change, in a sentence; `grave` where that is a reason to stop."""

    text: str
    grave: bool = False


def consequences_of(actor: Actor, wallet: Wallet, changes: Sequence[PolicyChangeImpact]) -> list[Consequence]:
    """What the changes on one wallet would do together, by the copy and the mandates as they are now."""
    rules = Rules.of(actor.business)
    lost: dict[str, list[Employee]] = {}
    won: dict[str, list[Employee]] = {}
    for change in changes:
        before = held(rules, change.person, wallet, change.before).effective
        after = held(rules, change.person, wallet, change.after).effective
        for name in before - after:
            lost.setdefault(name, []).append(change.person)
        for name in after - before:
            won.setdefault(name, []).append(change.person)
    others = _Others(actor, wallet, rules, {change.person.remote_id for change in changes})
    consequences = [
        Consequence(f"{_who(some)} can then {rules.listed(names)}.")
        for some, names in _together(rules, won, lambda _: 0)
    ]
    left = {name: len(others.who(name)) for name in lost}
    for some, names in _together(rules, lost, lambda name: left[name]):
        consequences.append(_loss(rules, some, names, left[names[0]]))
    if not lost and not won:
        consequences.append(Consequence("Nobody gains or loses access today."))
    if APPROVES in lost:
        consequences += _chains(actor, wallet, others, lost[APPROVES])
        consequences += _waiting(actor, wallet, others, lost[APPROVES])
    return consequences


def _who(some: Sequence[Employee]) -> str:
    if len(some) == 1:
        return some[0].name
    names = ", ".join(person.name for person in some[:MAX_NAMES])
    more = f" and {len(some) - MAX_NAMES} more" if len(some) > MAX_NAMES else ""
    return f"{len(some)} people ({names}{more})"


class _Others:
    """Who may do something with the wallet beside those the change is about."""

    def __init__(self, actor: Actor, wallet: Wallet, rules: Rules, changed: set[str]) -> None:
        self.rules, self.wallet = rules, wallet
        policies = {policy.employee_id: policy for policy in open_policies(actor).filter(wallet_id=wallet.remote_id)}
        roles = [role for role, names in rules.by_role.items() if names]
        everyone = visible_holders(actor).filter(status="ACTIVE").exclude(remote_id__in=changed).defer("payload")
        some = [*everyone.filter(role__in=roles), *everyone.exclude(role__in=roles).filter(remote_id__in=policies)]
        self.may = {
            person.remote_id: held(rules, person, wallet, policies.get(person.remote_id)).effective for person in some
        }

    def who(self, name: str) -> set[str]:
        """The ids of those who have the permission of this name."""
        return {employee_id for employee_id, names in self.may.items() if name in names}


def _together(
    rules: Rules, by_name: Mapping[str, list[Employee]], left: Callable[[str], int]
) -> list[tuple[list[Employee], list[str]]]:
    """The permissions that the same people lose or win and that as many others have, in the service's order."""
    groups: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for name in rules.in_order(by_name):
        same = (tuple(person.remote_id for person in by_name[name]), left(name))
        groups.setdefault(same, []).append(name)
    return [(by_name[names[0]], names) for names in groups.values()]


def _loss(rules: Rules, losers: Sequence[Employee], names: Sequence[str], left: int) -> Consequence:
    rest = "nobody else can" if not left else f"{left} other{'s' if left > 1 else ''} still can"
    grave = not left and not rules.moving.isdisjoint(names)
    return Consequence(f"{_who(losers)} can no longer {rules.listed(names)}; {rest}.", grave)


def _chains(actor: Actor, wallet: Wallet, others: _Others, losers: Iterable[Employee]) -> list[Consequence]:
    if not can_open(actor, operations.LIST_MANDATES):
        return []
    try:
        mandates = mandates_for(wallet_mandates(actor, wallet), APPROVES)
    except FinanceError as error:
        return [Consequence(f"Whether an approval chain would break could not be read: {error.detail}", grave=True)]
    losing, able = {person.remote_id for person in losers}, others.who(APPROVES)
    only: list[str] = []
    short: list[str] = []
    for mandate in mandates:
        seats = {seat.approver_id for seat in mandate.approvers if seat.active}
        left = seats & able
        if seats & losing and len(left) < mandate.min_approvers <= len(seats & (able | losing)):
            (only if not left else short).append(f"“{mandate.name or mandate.id}”")
    consequences = []
    if only:
        consequences.append(Consequence(f"{_count(only, 'chain')} their only approver: {', '.join(only)}.", grave=True))
    if short:
        consequences.append(
            Consequence(f"{_count(short, 'chain')} too many approvers to close: {', '.join(short)}.", True)
        )
    return consequences


def _count(names: Sequence[str], noun: str) -> str:
    return f"1 {noun} loses" if len(names) == 1 else f"{len(names)} {noun}s lose"


def _waiting(actor: Actor, wallet: Wallet, others: _Others, losers: Iterable[Employee]) -> list[Consequence]:
    """Payment requests on the wallet that wait and could then no longer be approved by enough people."""
    losing, able = {person.remote_id for person in losers}, others.who(APPROVES)
    open_requests = visible_approvals(actor).filter(status="PENDING", org_wallet_ref=wallet.org_wallet_ref)
    stuck = [row for row in open_requests.order_by("pk")[:MAX_REQUESTS] if _stuck(row, able, losing)]
    if not stuck:
        return []
    first = f"{stuck[0].title}, {stuck[0].amount_text}" + (" and others" if len(stuck) > 1 else "")
    plural = "requests" if len(stuck) > 1 else "request"
    return [Consequence(f"{len(stuck)} waiting payment {plural} could no longer be approved: {first}.", grave=True)]


def _stuck(approval: Approval, able: set[str], losing: set[str]) -> bool:
    free = people(*approval.eligible) - people(*approval.voters)
    needed = approval.approvals_required - approval.approvals_given
    return bool(free & losing) and len(free & able) < needed <= len(free & (able | losing))
