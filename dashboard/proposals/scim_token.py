"""Issuing a SCIM token: whoever holds one adds, changes and suspends members, so a second admin lets it be issued first.

The token is shown once, to whoever issues it: so what is confirmed is not the token, but that its proposer may issue one.
"""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.models import ISSUE_SCIM_TOKEN, Proposal, ProposalState
from dashboard.proposals.setting_proposals import propose_setting
from dashboard.proposals.targets import SCIM_TOKEN

# How long after it was confirmed.
VALID_FOR = timedelta(days=1)


def propose_token(actor: Actor, *, key: str) -> Proposal:
    """The proposal that the actor may issue a token. NotAllowed for who may not, Conflict where nobody could confirm it or
    another such proposal waits."""
    check_open(actor, MEMBERS)
    return propose_setting(
        actor,
        ISSUE_SCIM_TOKEN,
        SCIM_TOKEN,
        actor.business.slug,
        body={"is_used": False},
        title="SCIM token",
        sentences=[f"{actor.name} issues a SCIM token, in place of the one that there may be."],
        consequences=[
            "Whoever holds the token adds, changes and suspends members here, up to the role that single sign-on allows.",
            f"Once it is confirmed, {actor.name} has one day to issue it under Single sign-on.",
        ],
        key=key,
    )


def may_issue_token(actor: Actor) -> bool:
    """Whether a second admin has let the actor issue a token, which has not been issued yet."""
    return _confirmed(actor).exists()


def use_confirmation(actor: Actor) -> bool:
    """Takes up the confirmation, in the caller's transaction: it is for one token. False where there is none."""
    row = _confirmed(actor).select_for_update(no_key=True).first()
    if row is None:
        return False
    Proposal.objects.filter(pk=row.pk).update(body={"is_used": True})
    return True


def _confirmed(actor: Actor) -> QuerySet[Proposal]:
    return Proposal.objects.filter(
        business=actor.business, operation=ISSUE_SCIM_TOKEN, state=ProposalState.APPLIED, body__is_used=False,
        proposed_by=actor.member_id, settled_at__gt=timezone.now() - VALID_FOR,
    )  # fmt: skip
