"""What the settings change of our own: which roles need a second factor."""

from collections.abc import Iterable

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.models import Business
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
