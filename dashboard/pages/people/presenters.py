"""How a person is shown: the words for roles and states, and the facts of their page."""

from dashboard.access.actor import Actor
from dashboard.lists.detail_page import Facts
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_teams

ROLES = {
    "CARD_USER": "Card user",
    "REVIEWER": "Reviewer",
    "APPROVER": "Approver",
    "ADMIN": "Admin",
    "SUPER_ADMIN": "Super admin",
}
STATES = {"ACTIVE": ("Active", "ok"), "SUSPENDED": ("Suspended", "bad")}


def role_of(code: str) -> str:
    """A role's name: "Card user" for CARD_USER; the code in words for a role that we do not know."""
    return ROLES.get(code, code.replace("_", " ").capitalize())


def facts_of(actor: Actor, employee: Employee) -> Facts:
    """Email, role, and the team where the actor sees it, each with its label."""
    team = visible_teams(actor).filter(remote_id=employee.team_id).values_list("name", flat=True).first()
    return [("Email", employee.email), ("Role", role_of(employee.role)), ("Team", team or "")]
