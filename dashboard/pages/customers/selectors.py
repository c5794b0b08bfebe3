"""Customers that are likely the same as one that is being typed: the same phone, e-mail, tax PIN or name."""

from unicodedata import normalize

from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.mirror.models import Customer
from dashboard.mirror.scopes import visible_customers
from dashboard.phones import same_number

SHOWN = 5


def twins_of(
    actor: Actor, *, phone: str = "", email: str = "", name: str = "", but: str = ""
) -> list[tuple[Customer, str]]:
    """Active customers that share one of these, each with what they share; `but` is the id of the one that is edited."""
    phone, email, name = (value.strip() for value in (phone, email, name))
    spelt = same_number(phone, actor.business.locale)
    same = Q()
    if phone:
        same |= Q(phone__in=spelt)
    if email:
        same |= Q(email__iexact=email)
    if name:
        same |= Q(sort_name=normalize("NFC", name).casefold())
    if not same:
        return []
    found = visible_customers(actor).filter(same, status="ACTIVE").exclude(remote_id=but).exclude(kind="walkIn")
    return [(one, _shared(one, spelt, email)) for one in found.order_by("sort_name", "pk")[:SHOWN]]


def _shared(one: Customer, spelt: frozenset[str], email: str) -> str:
    if one.phone in spelt:
        return "the same phone"
    return "the same e-mail" if email and one.email.casefold() == email.casefold() else "the same name"
