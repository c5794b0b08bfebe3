"""Which roles may approve what a policy blocks: changed at once, or proposed where changes of access need a second admin."""

from collections.abc import Iterable

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_OVERRIDE_ROLES, Proposal
from dashboard.proposals.setting_proposals import labels_of, propose_setting, save_roles
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
        _save(actor, after)
        return None
    return propose_setting(
        actor, CHANGE_OVERRIDE_ROLES, OVERRIDE_ROLES, str(actor.business.pk), body={"roles": after},
        seen={"roles": before}, title="Policy overrides", key=key,
        sentences=[f"Policies can be overridden by: {labels_of(after).lower()}; now {labels_of(before).lower()}."],
    )  # fmt: skip


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; NotAllowed where that person may not any more."""
    check_open(actor, MEMBERS)
    _save(actor, (proposal.body or {})["roles"])


def _save(actor: Actor, roles: Iterable[str]) -> None:
    sentence = "changed which roles can override a policy"
    save_roles(actor, "override_roles", roles, operation=CHANGE_OVERRIDE_ROLES, sentence=sentence)
