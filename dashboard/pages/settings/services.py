"""What the settings change of our own: which roles need a second factor, and the end of a membership."""

from collections.abc import Iterable

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.access.sessions import end_sessions
from dashboard.audit.models import Outcome
from dashboard.audit.record import record


def set_second_factor_roles(actor: Actor, roles: Iterable[str]) -> None:
    """From now on these roles, and no others, enter the business only with a second factor; audited."""
    business, now = actor.business, sorted(roles)
    before = business.second_factor_roles
    Business.objects.filter(pk=business.pk).update(second_factor_roles=now)
    record(
        actor,
        operations_pages.MEMBERS.name,
        None,
        Outcome.DONE,
        sentence="changed which roles need a second factor",
        before={"roles": ", ".join(before)},
        after={"roles": ", ".join(now)},
    )


def end_membership(actor: Actor, member: Membership) -> None:
    """Takes a member out of the business and signs them out everywhere; audited."""
    Membership.objects.filter(pk=member.pk).update(is_active=False)
    end_sessions(member.user_id)
    sentence = f"ended the membership of {member.user}"
    record(actor, operations_pages.MEMBERS.name, None, Outcome.DONE, sentence=sentence)
