"""What is read of subscriptions: within the business of the caller, and as far as they may see."""

from django.db.models import Q, QuerySet

from service import errors
from service.auth import Caller
from service.businesses.models import Role
from service.subscriptions.models import Subscription
from service.subscriptions.schemas import SubscriptionQuery
from service.teams.selectors import reviewed_teams


def visible(caller: Caller) -> QuerySet[Subscription]:
    """Those that the caller may see: of the teams they review and their own for a reviewer, else all."""
    rows = Subscription.objects.filter(business_id=caller.business.id)
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(team_id__in=reviewed_teams(caller)) | Q(employee_id=caller.employee_id))
    return rows


def filter_subscriptions(caller: Caller, query: SubscriptionQuery) -> QuerySet[Subscription]:
    """Those that the filters let through."""
    rows = visible(caller)
    if query.status:
        rows = rows.filter(status=query.status)
    term = (query.search or "").strip()
    return rows.filter(Q(name__icontains=term) | Q(vendor__icontains=term)) if term else rows


def get_subscription(caller: Caller, subscription_id: str) -> Subscription:
    """One subscription; 404 when it is none of the caller's to see."""
    subscription = visible(caller).filter(id=subscription_id).first()
    if subscription is None:
        raise errors.not_found("subscription")
    return subscription
