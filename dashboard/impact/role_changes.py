"""What a change of a role or of somebody's rights means: who may then do what, and who is left who still can."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_text import listed, mandate_title, voting
from dashboard.impact.mandates import stranded, waiting
from dashboard.impact.wallet_rights import Rules
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.schemas.permissions import EmployeeRights, Overview, Permission
from dashboard.schemas.wallet_policies import Mandate

MAX_NAMES, MAX_PERMISSIONS = 3, 6
# An approver's alone: the service gives them to no other role (decisions A.3).
APPROVES = "_APPROVE"


def role_words(role: str) -> str:
    """The label of a role; the service's own word for a role that we do not know."""
    return Role(role).label if role in Role.values else role


def may_approve(role: str) -> bool:
    """Whether people of a role can be given a permission to approve."""
    return role in operations.APPROVE_PAYMENT_REQUEST.roles


def offered(overview: Overview, role: str) -> list[Permission]:
    """The permissions that a role can have."""
    return [row for row in overview.docs if may_approve(role) or not row.name.endswith(APPROVES)]


def permissions_text(overview: Overview, names: Iterable[str]) -> str:
    """Permissions after "may": "export receipts and edit vendors"."""
    chosen = set(names)
    titles = [row.title or row.name for row in overview.docs if row.name in chosen]
    unknown = sorted(chosen - {row.name for row in overview.docs})
    spoken = [f"{title[:1].lower()}{title[1:]}" for title in [*titles, *unknown]]
    # A title may have a comma of its own: "open, name and suspend wallets".
    return "; ".join(spoken) if any("," in title for title in spoken) else listed(spoken)


def differences(who: str, overview: Overview, before: Iterable[str], after: Iterable[str]) -> list[str]:
    """What somebody wins and what they lose between two sets of permissions, by their names, in sentences."""
    was, then = set(before), set(after)
    return [
        *_sentences(f"{who} can now", overview, then - was),
        *_sentences(f"{who} can no longer", overview, was - then),
    ]


def _sentences(begin: str, overview: Overview, names: set[str]) -> list[str]:
    """One sentence; where it would be a long one, one for each group."""
    if len(names) <= MAX_PERMISSIONS:
        return [f"{begin} {permissions_text(overview, names)}."] if names else []
    groups: dict[str, set[str]] = {}
    of = {row.name: row.group or "Others" for row in overview.docs}
    for name in [*(name for name in of if name in names), *sorted(names - of.keys())]:
        groups.setdefault(of.get(name, "Others"), set()).add(name)
    return [f"{group}: {begin} {permissions_text(overview, some)}." for group, some in groups.items()]


def held_as(overview: Overview, rights: EmployeeRights, role: str) -> list[str]:
    """What somebody would hold in another role: what was given to them and taken from them goes with them."""
    row = overview.role(role)
    held = (set(row.permissions if row else ()) | rights.by("GRANT")) - rights.by("DENIED")
    return [name for name in held if may_approve(role) or not name.endswith(APPROVES)]


def role_change_sentences(
    who: str, overview: Overview, rights: EmployeeRights, role: str, after: Iterable[str]
) -> list[str]:
    """The new role, and what somebody wins and loses by it; `after` as `held_as` says."""
    change = f"{who}: {role_words(rights.role)} → {role_words(role)}."
    return [change, *differences(who, overview, rights.permissions, after)]


def of_role(
    actor: Actor, overview: Overview, role: str, before: Sequence[str], after: Sequence[str]
) -> list[Consequence]:
    """What follows today where a role's permissions change."""
    people = _active(actor).filter(role=role)
    count = people.count()
    if not count:
        return [Consequence("Nobody active has this role today.")]
    first = ", ".join(people.order_by("name", "pk").values_list("name", flat=True)[:MAX_NAMES])
    more = f" and {count - MAX_NAMES} more" if count > MAX_NAMES else ""
    whom = f"This affects {count} people: {first}{more}." if count > 1 else f"This affects only {first}."
    lost = set(before) - set(after)
    exempt = [Consequence("People who were granted one of these individually keep it.")] if lost else []
    return [Consequence(whom), *_left(actor, overview, lost, without_role=role), *exempt]


def _active(actor: Actor) -> QuerySet[Employee]:
    rows: QuerySet[Employee] = visible_employees(actor).filter(status="ACTIVE")
    return rows


def _left(
    actor: Actor, overview: Overview, lost: Iterable[str], *, without_role: str = "", without_id: str = ""
) -> list[Consequence]:
    """For each permission that is lost, how many others have it by their role; what as many have stands together."""
    others = _active(actor).exclude(role=without_role).exclude(remote_id=without_id)
    by_role: dict[str, int] = {}
    for role in others.values_list("role", flat=True):
        by_role[role] = by_role.get(role, 0) + 1
    groups: dict[int, list[str]] = {}
    for name in lost:
        having = [row.id for row in overview.roles if name in row.permissions and row.id != without_role]
        groups.setdefault(sum(by_role.get(role, 0) for role in having), []).append(name)
    consequences = []
    for count, names in sorted(groups.items()):
        what = permissions_text(overview, names)
        others_can = f"{count} other{'s' if count > 1 else ''} still can" if count else "Nobody else can"
        consequences.append(Consequence(f"{others_can} {what}, by their role.", not count))
    return consequences


def of_person(
    actor: Actor, person: Employee, overview: Overview, before: Sequence[str], after: Sequence[str]
) -> list[Consequence]:
    """What follows today where somebody's rights change."""
    lost = set(before) - set(after)
    if not lost:
        return [Consequence("Nobody loses access by this.")]
    return _left(actor, overview, lost, without_id=person.remote_id)


def of_leaving(actor: Actor, person: Employee, role: str, mandates: Iterable[Mandate]) -> list[Consequence]:
    """What follows for the mandates and what waits where somebody stops being an approver."""
    consequences = []
    if may_approve(person.role) and not may_approve(role):
        for mandate in mandates:
            left = [seat for seat in voting(mandate) if seat.approver_id != person.remote_id]
            if len(left) == len(voting(mandate)):
                continue
            title = mandate_title(mandate, actor.business.locale)
            if len(left) < mandate.min_approvers:
                short = f"“{title}” requires {mandate.min_approvers}, and {len(left)} could approve: the finance service refuses that."
                consequences.append(Consequence(short, True))
            else:
                consequences.append(
                    Consequence(f"{person.name} is no longer an approver of “{title}”; {len(left)} still are.")
                )
        consequences += stranded(waiting(actor), [person.remote_id])
    return [*_together(person, consequences), *_role_in_dashboard(actor, person, role)]


def with_wallets(actor: Actor, person: Employee, before: str, after: str) -> list[Consequence]:
    """What somebody wins and loses with wallets where their role changes."""
    rules = Rules.of(actor.business)
    was, then = (rules.by_role.get(role, frozenset()) for role in (before, after))
    sentences = []
    if lost := was - then:
        sentences.append(
            f"On wallets, {person.name} can no longer {rules.listed(lost)}, unless a wallet policy gives it."
        )
    if won := then - was:
        sentences.append(f"On every wallet, {person.name} can then {rules.listed(won)}.")
    return [Consequence(sentence) for sentence in sentences]


def _together(person: Employee, consequences: list[Consequence]) -> list[Consequence]:
    """Votes on many mandates in one sentence."""
    grave, calm = [row for row in consequences if row.grave], [row for row in consequences if not row.grave]
    if len(calm) <= MAX_NAMES:
        return [*grave, *calm]
    return [
        *grave,
        Consequence(
            f"{person.name} is no longer an approver of {len(calm)} mandates; each still has enough approvers."
        ),
    ]


def _role_in_dashboard(actor: Actor, person: Employee, role: str) -> list[Consequence]:
    """Their role in this dashboard is another one, shown where the two would differ."""
    member = Membership.objects.filter(business=actor.business, employee_id=person.remote_id, is_active=True).first()
    if member is None or member.role == role:
        return []
    role_here = role_words(member.role).lower()
    return [Consequence(f"In this dashboard {person.name} stays {role_here}: that is changed under Settings, Members.")]
