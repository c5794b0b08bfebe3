"""A lost second factor: one super admin asks, another confirms, neither of them the person; then it is taken away."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Membership
from dashboard.access.person import membership_of
from dashboard.access.sessions import end_sessions
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict, NotAllowed
from dashboard.web.models import FactorReset

LASTS = timedelta(days=1)


def open_reset(actor: Actor, member: Membership, reason: str) -> FactorReset:
    """Opens a reset, the first of two steps: who asks for it and why.

    NotAllowed for one's own factor, or one that other businesses need.
    """
    _may_reset(actor, member)
    FactorReset.objects.filter(membership=member, settled_at=None, asked_at__lt=timezone.now() - LASTS).update(
        settled_at=timezone.now()
    )
    try:
        with transaction.atomic():
            reset = FactorReset.objects.create(
                membership=member, asked_by_id=membership_of(actor), reason=reason.strip()
            )
            record(
                actor,
                operations_pages.MEMBERS.name,
                None,
                Outcome.NOTED,
                sentence=f"requested a reset of the second factor of {member.user}",
                reason=reason,
            )
    except IntegrityError:
        raise Conflict("This was already requested: a second super admin must confirm it.") from None
    return reset


def confirm_reset(actor: Actor, reset: FactorReset) -> None:
    """The second of two: takes the person's factors away, signs them out everywhere and tells them by mail."""
    member = reset.membership
    _may_reset(actor, member)
    if reset.asked_by_id == actor.membership_id:
        raise NotAllowed("You requested this yourself: another super admin must confirm it.")
    with transaction.atomic():
        open_resets = FactorReset.objects.filter(pk=reset.pk, settled_at=None, asked_at__gte=timezone.now() - LASTS)
        if not open_resets.update(settled_at=timezone.now(), confirmed_by_id=actor.membership_id):
            raise Conflict("This was already confirmed, or is older than a day: request it again.")
        Authenticator.objects.filter(user_id=member.user_id).delete()
        end_sessions(member.user_id)
        record(
            actor,
            operations_pages.MEMBERS.name,
            None,
            Outcome.DONE,
            sentence=f"confirmed the reset of the second factor of {member.user}",
            reason=reset.reason,
        )
    get_adapter().send_mail(
        "account/email/factor_reset", member.user.email, {"user": member.user, "business": actor.business}
    )


def _may_reset(actor: Actor, member: Membership) -> None:
    check_open(actor, operations_pages.MEMBERS)
    if member.business_id != actor.business.pk or member.pk == actor.membership_id:
        raise NotAllowed("Nobody can reset their own second factor.")
    elsewhere = Membership.objects.filter(user_id=member.user_id, is_active=True).exclude(business=actor.business)
    if any(other.role in other.business.second_factor_roles for other in elsewhere.select_related("business")):
        raise NotAllowed(f"{member.user} needs the same factor for another business, which has its own super admins.")
