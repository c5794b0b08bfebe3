"""Which roles enter only with a second factor: added at once; taken off by a second admin where one is asked for."""

from collections.abc import Iterable

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_SECOND_FACTOR, Proposal
from dashboard.proposals.setting_proposals import labels_of, propose_setting, save_roles
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
        _save(actor, after)
        return None
    return propose_setting(
        actor, CHANGE_SECOND_FACTOR, SECOND_FACTOR, str(actor.business.pk), body={"roles": after},
        seen={"roles": before}, title="Second factor", key=key,
        sentences=[f"A second factor is required of: {labels_of(after).lower()}; now {labels_of(before).lower()}."],
        consequences=[f"{labels_of(set(before) - set(after))}: a password alone opens this business to them."],
    )  # fmt: skip


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more."""
    check_open(actor, MEMBERS)
    _save(actor, (proposal.body or {})["roles"])


def _save(actor: Actor, roles: Iterable[str]) -> None:
    sentence = "changed which roles need a second factor"
    save_roles(actor, "second_factor_roles", roles, operation=MEMBERS.name, sentence=sentence)
