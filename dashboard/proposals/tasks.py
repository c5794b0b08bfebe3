"""The jobs that apply what was confirmed: one at once, and every minute whatever has come due or could not be reached."""

from celery import shared_task

from dashboard.proposals.apply import apply_proposal, due_proposals


@shared_task(name="dashboard.proposals.apply")
def apply(proposal_id: int) -> None:
    """Applies a proposal that has just been confirmed."""
    apply_proposal(proposal_id)


@shared_task(name="dashboard.proposals.apply_due")
def apply_due() -> None:
    """Applies every proposal that is due."""
    for proposal_id in due_proposals():
        apply_proposal(proposal_id)
