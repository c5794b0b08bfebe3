"""The roles a person can have in a business, and the named sets the operation table is written in."""

from django.db import models


class Role(models.TextChoices):
    """A person's role in one business, spelt as the published interface spells it."""

    CARD_USER = "CARD_USER", "Card user"
    REVIEWER = "REVIEWER", "Reviewer"
    APPROVER = "APPROVER", "Approver"
    ADMIN = "ADMIN", "Admin"
    SUPER_ADMIN = "SUPER_ADMIN", "Super admin"


# Sets, never an order: a super admin may not approve, an approver may not configure.
EVERYONE = frozenset(Role)
STAFF = frozenset({Role.REVIEWER, Role.APPROVER, Role.ADMIN, Role.SUPER_ADMIN})
FINANCE = frozenset({Role.APPROVER, Role.ADMIN, Role.SUPER_ADMIN})
REVIEWING = frozenset({Role.REVIEWER, Role.APPROVER, Role.ADMIN})
INITIATING = frozenset({Role.APPROVER, Role.ADMIN})
CONFIGURING = frozenset({Role.ADMIN, Role.SUPER_ADMIN})
APPROVING = frozenset({Role.APPROVER})
OWNING = frozenset({Role.SUPER_ADMIN})

# Who moves the business's money, alone or with others, or says who may: raising somebody to one of these takes two
# people where a business asks for a second admin (dashboard/proposals/members.py).
MOVING_MONEY = APPROVING | INITIATING | CONFIGURING

# What is not above a role: an approver and an admin stand beside each other, neither above the other.
NOT_ABOVE = {
    Role.CARD_USER: frozenset({Role.CARD_USER}),
    Role.REVIEWER: frozenset({Role.CARD_USER, Role.REVIEWER}),
    Role.APPROVER: frozenset({Role.CARD_USER, Role.REVIEWER, Role.APPROVER}),
    Role.ADMIN: frozenset({Role.CARD_USER, Role.REVIEWER, Role.ADMIN}),
    Role.SUPER_ADMIN: EVERYONE,
}


def givable_by(role: Role) -> frozenset[Role]:
    """The roles that somebody of this one may give to another: a super admin any, everybody else none above reviewer."""
    return EVERYONE if role in OWNING else NOT_ABOVE[Role.REVIEWER]


def lesser_of(role: Role, other: Role) -> Role:
    """The role that opens no rows that either of the two does not: of an approver and an admin, the reviewer."""
    if other in NOT_ABOVE[role]:
        return other
    return role if role in NOT_ABOVE[other] else Role.REVIEWER


def role_at_service(code: str, *, reviews: bool) -> Role | None:
    """The role that the finance service says somebody has; None where it says none.

    A seat in a team gives a card user a reviewer's rights while it is held (decisions F.7). A role that we do not know
    opens the least.
    """
    if not code:
        return None
    role = Role(code) if code in Role.values else Role.CARD_USER
    return Role.REVIEWER if role is Role.CARD_USER and reviews else role
