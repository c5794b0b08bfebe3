"""Adding newcomers: written down together, and added one by one, each by the commands of one new person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.commands import cards, employees
from dashboard.commands.run import CommandResult
from dashboard.errors import Conflict, FinanceError, Unknown
from dashboard.mirror.scopes import visible_employees
from dashboard.onboarding.models import Newcomer
from dashboard.proposals.invitations import InvitationNotSentError, invite_member
from dashboard.schemas.card_bodies import CreateCardBody
from dashboard.schemas.employees import NewPersonBody

# Who was typed in and never added is nobody's business after a month.
FORGOTTEN_AFTER = timedelta(days=30)
CARD_NAME = "Monthly card"


@dataclass(frozen=True, slots=True)
class NewcomerRow:
    """What was typed of somebody new, checked: phone in E.164, the card's monthly limit in minor units or None."""

    name: str
    email: str
    phone: str
    role: str
    team_code: str
    access: bool = False
    card_limit_minor: int | None = None
    org_wallet_ref: str = ""
    currency: str = ""


def write_down(actor: Actor, rows: Iterable[NewcomerRow]) -> list[Newcomer]:
    """Stores all of them or none; nothing is sent. What the actor typed in long ago and never added is forgotten."""
    mine = {"business": actor.business, "membership_id": actor.member_id}
    with transaction.atomic():
        old = Newcomer.objects.filter(**mine, status="WAITING", created_at__lt=timezone.now() - FORGOTTEN_AFTER)
        old.delete()
        return Newcomer.objects.bulk_create(
            Newcomer(
                **mine, name=row.name, email=row.email, phone=row.phone, role=row.role, team_code=row.team_code,
                access=row.access, card_limit_minor=row.card_limit_minor, org_wallet_ref=row.org_wallet_ref,
                currency=row.currency,
            )
            for row in rows
        )  # fmt: skip


def names_by_contact(actor: Actor, emails: Iterable[str]) -> Mapping[str, str]:
    """The names of those whom the finance service knows by one of these addresses already, by the address in small letters."""
    addresses = {email.lower() for email in emails}
    rows = visible_employees(actor).exclude(status="DELETED").values_list("email", "name")
    return {email.lower(): name for email, name in rows.iterator() if email.lower() in addresses}


def add_newcomer(actor: Actor, newcomer: Newcomer, *, key: str, deadline: float) -> CommandResult:
    """Adds somebody at the finance service, issues their card, and invites them to this dashboard.

    Done again under the same key, nothing is done twice; under another one, what was done stays: the employee, and the card
    once it is known to be issued. Raises what `run` raises, with a sentence that says what stands already.
    """
    result = _employee(actor, newcomer, key)
    outcome = [newcomer.outcome] if newcomer.outcome else []
    try:
        if newcomer.card_limit_minor is not None:
            outcome.append(_card(actor, newcomer, key))
            # Issued: tried again, it asks for no second one.
            _update(newcomer, card_limit_minor=None, outcome=" ".join(outcome)[:400])
        if newcomer.access:
            outcome.append(_access(actor, newcomer, key))
    except Unknown:
        raise
    except FinanceError as refusal:
        refusal.detail = f"{newcomer.name} was added. What follows was not done: {refusal.detail}"
        raise
    _update(newcomer, status=Newcomer.Status.ADDED, outcome=" ".join(outcome)[:400])
    return result


def _employee(actor: Actor, newcomer: Newcomer, key: str) -> CommandResult:
    if newcomer.employee_id:
        return CommandResult({"_id": newcomer.employee_id}, "")
    body: NewPersonBody = {
        "name": newcomer.name, "organization_email": newcomer.email, "phone_number": newcomer.phone,
        "role": newcomer.role, "team_code": newcomer.team_code,
    }  # fmt: skip
    result = employees.create(actor, body, key=key)
    _update(newcomer, employee_id=result.id)
    return result


def _card(actor: Actor, newcomer: Newcomer, key: str) -> str:
    """A virtual card that spends what is allocated to its holder, so much a month."""
    body: CreateCardBody = {
        "employee_id": newcomer.employee_id, "name": CARD_NAME, "org_wallet_ref": newcomer.org_wallet_ref,
        "type": "VIRTUAL", "funding": None,
        "controls": {"limits": [{"interval": "PER_MONTH", "amount": newcomer.card_limit_minor or 0}]},
    }  # fmt: skip
    cards.create_card(actor, body, holder_name=newcomer.name, key=f"{key}-card")
    return "Card issued."


def _access(actor: Actor, newcomer: Newcomer, key: str) -> str:
    try:
        proposal = invite_member(
            actor, email=newcomer.email, name=newcomer.name, role=Role(newcomer.role),
            employee_id=newcomer.employee_id, key=key,
        )  # fmt: skip
    except ValueError as refusal:
        raise Conflict(str(refusal), code="member") from None
    except InvitationNotSentError as unsent:
        return f"{unsent.happened} {unsent.advice}"
    return "The invitation is waiting for a second super admin." if proposal else "Invited by email."


def _update(newcomer: Newcomer, **changes: str | None) -> None:
    Newcomer.objects.filter(pk=newcomer.pk).update(**changes)
    for name, value in changes.items():
        setattr(newcomer, name, value)
