"""Offboardings as an actor may see them, and how their steps stand."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.operations_pages import OFFBOARDING


def visible_offboardings(actor: Actor) -> QuerySet[Offboarding]:
    """All of the business, for those whose role may have to do something about them."""
    rows = Offboarding.objects.filter(business=actor.business).select_related("started_by__user")
    return rows if can_open(actor, OFFBOARDING) else rows.none()


def open_offboardings(actor: Actor) -> QuerySet[Offboarding]:
    """Those of which something is left, the newest first, each with its steps."""
    steps = Prefetch("steps", OffboardingStep.objects.select_related("offboarding").order_by("number"))
    return visible_offboardings(actor).filter(finished_at=None).order_by("-started_at", "pk").prefetch_related(steps)


def newest_of(actor: Actor, employee_id: str) -> Offboarding | None:
    """The newest offboarding of an employee; None without one."""
    return visible_offboardings(actor).filter(employee_id=employee_id).order_by("-started_at").first()


def steps_of(offboarding: Offboarding) -> list[OffboardingStep]:
    """The steps in their order, each with whoever carries it out."""
    rows: QuerySet[OffboardingStep] = offboarding.steps.select_related("by__user", "offboarding").order_by("number")
    return list(rows)
