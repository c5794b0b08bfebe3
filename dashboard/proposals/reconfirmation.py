"""A change that was confirmed for a later day waits for another confirmation once its confirmer has left.

It is applied as whoever confirmed it: on its day it would be refused.
"""

from django.db import transaction

from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Stale
from dashboard.mirror.apply import notify_open_pages
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.proposals.four_eyes import others_who_could
from dashboard.proposals.models import Proposal, ProposalState
from dashboard.proposals.selectors import target_of


def ask_again(actor: Actor, proposal: Proposal, reason: str) -> None:
    """Lets a confirmed proposal wait for a second admin again, and notifies whoever could be it, for a caller that has
    asked its own gate (an offboarding). Stale where it is applied, ended or on its way meanwhile."""
    with transaction.atomic():
        rows = Proposal.objects.filter(pk=proposal.pk, state=ProposalState.CONFIRMED, may_be_sent=False)
        if not rows.update(state=ProposalState.WAITING, decided_by=None, decided_at=None, lease_until=None):
            raise Stale("It is no longer confirmed, or it is being applied.", code="decided")
        record(
            actor, proposal.operation, target_of(proposal), Outcome.NOTED, reason=reason,
            sentence=f"asked for another confirmation of the proposed {proposal.bare_noun}: {proposal.headline}"[:500],
        )  # fmt: skip
        could = others_who_could(actor, proposal.employee_id, proposal.operation, proposal.target_id)
        others = [member for member in could if member.pk not in {proposal.proposed_by_id, proposal.decided_by_id}]
        message = f"{proposal.noun.capitalize()} needs another confirmation: {proposal.headline}. {reason}"
        notify(others, ACCESS, message[:500], key=f"proposal:{proposal.pk}:again:{proposal.decided_by_id}")
        notify_open_pages(actor.business)
