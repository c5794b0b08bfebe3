"""Inviting people: there is no sign-up. Whoever is invited gets a link and chooses their own password."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from dashboard.access.models import NOT_SUSPENDED, Business, Membership, User
from dashboard.access.roles import Role


def invite(business: Business, email: str, role: Role, *, employee_id: str = "", name: str = "") -> str:
    """Makes someone a member and returns the link to give them; it works once, for some days.

    Someone who has a password already gets the address of the business, and whoever has left is a member again. A member's
    role is not changed by inviting them again: ValueError.
    """
    with transaction.atomic():
        user = User.objects.filter(email=email.lower()).first() or User.objects.create_user(email, name=name)
        membership, created = Membership.objects.get_or_create(
            user=user, business=business, defaults={"role": role, "employee_id": employee_id}
        )
        if not created and membership.ended_at is not None:
            # Whoever has left comes back with what they are invited to, not with what they had.
            membership.role, membership.is_active, membership.ended_at = role, True, None
            membership.employee_id, membership.kept_out_since = employee_id, None
            for name, value in NOT_SUSPENDED.items():
                setattr(membership, name, value)
            named = ["role", "is_active", "ended_at", "employee_id", "kept_out_since", *NOT_SUSPENDED]
            membership.save(update_fields=named)
        elif not created and membership.role != role:
            raise ValueError(f"{email} is already a member, as {Role(membership.role).label.lower()}.")
    return link_for(user, business)


def link_for(user: User, business: Business) -> str:
    """Where someone who was invited begins: single sign-on where it is required, choosing a password, or the business."""
    if business.requires_sign_on:
        return f"{settings.DASHBOARD_ADDRESS}/-/sign-on/?business={business.slug}"
    if user.has_usable_password():
        return f"{settings.DASHBOARD_ADDRESS}/{business.slug}/"
    key = default_token_generator.make_token(user)
    where = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return f"{settings.DASHBOARD_ADDRESS}{where}"
