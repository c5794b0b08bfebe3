"""Which transactions a caller sees. No query for transactions starts anywhere else."""

from django.db.models import Q, QuerySet

from service import errors
from service.auth import Caller
from service.businesses.models import Role
from service.journal.models import Transaction
from service.teams.services import reviewed_teams


def visible(caller: Caller) -> QuerySet[Transaction]:
    """Own for a card user, those of the teams they review and their own for a reviewer, else all of the business."""
    rows = Transaction.objects.filter(business_id=caller.business.id)
    if caller.role == Role.CARD_USER:
        return rows.filter(employee_id=caller.employee_id) if caller.employee_id else rows.none()
    if caller.role == Role.REVIEWER:
        seen = Q(team_id__in=reviewed_teams(caller))
        return rows.filter(seen | Q(employee_id=caller.employee_id) if caller.employee_id else seen)
    return rows


def locked(caller: Caller, transaction_id: str) -> Transaction:
    """One of them, locked for a change; 404 when it is none of the caller's to see."""
    found = visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=transaction_id).first()
    if found is None:
        raise errors.not_found("transaction")
    return found
