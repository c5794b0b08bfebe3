"""Which roles enter only with a second factor: added at once; taken off by a second admin where one is asked for."""

from collections.abc import Iterable

from django.db import transaction

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_SECOND_FACTOR, Proposal
from dashboard.proposals.override_roles import labels_of
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import write_down
from dashboard.proposals.targets import SECOND_FACTOR


def change_second_factor_roles(actor: Actor, roles: Iterable[str], *, key: str) -> Proposal | None:
    """Names the roles and answers None; or, where a role is taken off, the proposal that waits for a second admin. None
    too where nothing changes.

    NotAllowed for who may not, Conflict where nobody could confirm it or another such change waits.
    """
    check_open(actor, MEMBERS)
    before, after = sorted(actor.business.second_factor_roles), sorted(roles)
    if before == after:
        return None
    if set(before) <= set(after) or not requires_second_admin(actor.business):
        _set(actor, after)
        return None
    row = Proposal(
        business=actor.business,
        operation=CHANGE_SECOND_FACTOR,
        body={"roles": after},
        target_type=SECOND_FACTOR,
        target_id=str(actor.business.pk),
        seen={"roles": before},
        title="Second factor",
        sentences=[f"A second factor is required of: {labels_of(after).lower()}; now {labels_of(before).lower()}."],
        consequences=[f"{labels_of(set(before) - set(after))}: a password alone opens this business to them."],
        key=f"{CHANGE_SECOND_FACTOR}-{key}",
        proposed_by_id=actor.member_id,
    )
    return write_down(actor, row, target_of(row))


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more."""
    check_open(actor, MEMBERS)
    _set(actor, (proposal.body or {})["roles"])


def _set(actor: Actor, roles: Iterable[str]) -> None:
    before, after = sorted(actor.business.second_factor_roles), sorted(roles)
    with transaction.atomic():
        Business.objects.filter(pk=actor.business.pk).update(second_factor_roles=after)
        record(
            actor, MEMBERS.name, None, Outcome.DONE, sentence="changed which roles need a second factor",
            before={"roles": ", ".join(before)}, after={"roles": ", ".join(after)},
        )  # fmt: skip
