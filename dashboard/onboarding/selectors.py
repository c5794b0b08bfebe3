"""Newcomers as an actor may see them: their own, since nobody else has checked what they typed."""

from __future__ import annotations

from django.db.models import QuerySet

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.roles import Role
from dashboard.access.subject import Subject
from dashboard.onboarding.models import Newcomer


def visible_newcomers(actor: Actor) -> QuerySet[Newcomer]:
    """Those whom the actor typed in, as long as their role lets them add anybody."""
    rows = Newcomer.objects.filter(business=actor.business, membership_id=actor.membership_id or 0)
    return rows if can_open(actor, operations.CREATE_EMPLOYEE) else rows.none()


def newcomer_subject(row: Newcomer) -> Subject:
    """Somebody new as the gate judges them: by the role that they get."""
    role = Role(row.role) if row.role in Role.values else None
    return Subject(business_id=row.business_id, kind="employee", id="", title=row.name, gives_role=role)
