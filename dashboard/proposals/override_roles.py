"""Which roles may approve what a policy blocks: changed at once, or proposed where changes of access need a second admin."""

from collections.abc import Iterable

from django.db import transaction

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_OVERRIDE_ROLES, Proposal
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import write_down
from dashboard.proposals.targets import OVERRIDE_ROLES


def change_override_roles(actor: Actor, roles: Iterable[str], *, key: str) -> Proposal | None:
    """Names the roles and answers None; or the proposal that waits for a second admin. None too where nothing changes.

    NotAllowed for who may not, Conflict where nobody could confirm it or another such change waits.
    """
    check_open(actor, MEMBERS)
    before, after = sorted(actor.business.override_roles), sorted(roles)
    if before == after:
        return None
    if not requires_second_admin(actor.business):
        _set(actor, after)
        return None
    row = Proposal(
        business=actor.business,
        operation=CHANGE_OVERRIDE_ROLES,
        body={"roles": after},
        target_type=OVERRIDE_ROLES,
        target_id=str(actor.business.pk),
        seen={"roles": before},
        title="Policy overrides",
        sentences=[f"Policies can be overridden by: {labels_of(after).lower()}; now {labels_of(before).lower()}."],
        key=f"{CHANGE_OVERRIDE_ROLES}-{key}",
        proposed_by_id=actor.member_id,
    )
    return write_down(actor, row, target_of(row))


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more."""
    check_open(actor, MEMBERS)
    _set(actor, (proposal.body or {})["roles"])


def _set(actor: Actor, roles: Iterable[str]) -> None:
    before, after = sorted(actor.business.override_roles), sorted(roles)
    with transaction.atomic():
        Business.objects.filter(pk=actor.business.pk).update(override_roles=after)
        record(
            actor, CHANGE_OVERRIDE_ROLES, None, Outcome.DONE, sentence="changed which roles can override a policy",
            before={"roles": labels_of(before)}, after={"roles": labels_of(after)},
        )  # fmt: skip


def labels_of(roles: Iterable[str]) -> str:
    """Roles in words: "Admin, Approver"; "nobody" for none."""
    return ", ".join(sorted(Role(role).label for role in roles)) or "nobody"
