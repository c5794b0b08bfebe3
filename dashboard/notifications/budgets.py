"""A budget reached a part of its amount: told from the service's event to those who answer for it."""

from dashboard.access.models import Business, Membership
from dashboard.access.roles import FINANCE, Role
from dashboard.mirror.events import EventResource
from dashboard.mirror.models import Team
from dashboard.money import text
from dashboard.notifications.services import notify
from dashboard.notifications.topics import BUDGETS


def notify_of_budget(business: Business, noun: str, event_verb: str, resource: EventResource) -> int:
    """Tells finance, and the reviewers of its team, once for each part of its amount in each period."""
    if (noun, event_verb) != ("budget", "threshold_reached"):
        return 0
    used = int(resource.get("committed_minor") or 0) + int(resource.get("spent_minor") or 0)
    amount, currency = int(resource.get("amount_minor") or 0), str(resource.get("currency") or "")
    reached = [int(percent) for percent in resource.get("alert_percents") or [] if used * 100 >= amount * int(percent)]
    if not reached or amount <= 0 or len(currency) != 3:
        return 0
    budget_id, percent = str(resource.get("_id") or ""), max(reached)
    over = "is used up" if percent >= 100 else f"has reached {percent} %"
    sentence = (
        f"Budget {resource.get('name') or 'without a name'} {over}: {text(used, currency, business.locale)} committed and "
        f"spent of {text(amount, currency, business.locale)}."
    )
    key = f"budget:{budget_id}:{resource.get('period_start')}:{percent}"
    return notify(_recipients(business, str(resource.get("team_id") or "")), BUDGETS, sentence, key=key)


def _recipients(business: Business, team_id: str) -> list[Membership]:
    members = Membership.objects.filter(business=business, is_active=True).select_related("user")
    team = Team.objects.filter(business=business, remote_id=team_id or "-").first()
    reviewers = {str(row.get("employee_id")) for row in team.reviewers} if team else set()
    return [
        member for member in members
        if member.role in FINANCE or (member.role == Role.REVIEWER and member.employee_id in reviewers)
    ]  # fmt: skip
