"""The words for roles and states of people and teams."""

ROLES = {
    "CARD_USER": "Card user",
    "REVIEWER": "Reviewer",
    "APPROVER": "Approver",
    "ADMIN": "Admin",
    "SUPER_ADMIN": "Super admin",
}
EMPLOYMENT_STATES = {"ACTIVE": ("Active", "ok"), "SUSPENDED": ("Suspended", "bad"), "DELETED": ("Removed", "")}
NEWCOMER_STATES = {"WAITING": ("Not added yet", "warn"), "ADDED": ("Added", "ok")}
TEAM_STATES = {"ACTIVE": ("Active", "ok"), "INACTIVE": ("Inactive", ""), "DELETED": ("Deleted", "")}


def role_name(code: str) -> str:
    """A role's name: "Card user" for CARD_USER; the code in words for a role that we do not know."""
    return ROLES.get(code, code.replace("_", " ").capitalize())
