"""What is read for the customers: one of them, those that are likely the same as another, one's own imports."""

from contextlib import suppress
from hashlib import sha256
from unicodedata import normalize

from django.db.models import Q
from django.shortcuts import get_object_or_404

from dashboard import cache, operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.lists.models import Import
from dashboard.lists.query import Query
from dashboard.mirror.live_rows import store_rows
from dashboard.mirror.models import Customer
from dashboard.mirror.scopes import visible_customers
from dashboard.phones import same_number

MAX_DUPLICATES = 5
# What a search of the service may take, from how many letters on it is search_key, and how long it is not asked the same again.
SEARCH_S, SHORTEST_SEARCH, SEARCH_AGAIN_S = 1.5, 2, 30


def customer_for(actor: Actor, remote_id: str) -> Customer:
    """The customer of that id; Http404 outside what the actor may see."""
    customer: Customer = get_object_or_404(visible_customers(actor), remote_id=remote_id)
    return customer


def read_missing(actor: Actor, query: Query) -> None:
    """Has the finance service look for the words of a search of which the copy holds nothing, and brings its hits into the
    copy: somebody may have added the customer elsewhere, or the copy is not filled yet. Without an answer all stays."""
    words = query.q.strip()
    if query.refused or query.cursor is not None or len(words) < SHORTEST_SEARCH or query.rows(actor).exists():
        return
    search_key = f"customers-sought:{actor.business.pk}:{sha256(words.casefold().encode()).hexdigest()}"
    if cache.load(search_key):
        return
    cache.store(search_key, True, SEARCH_AGAIN_S)
    with suppress(FinanceError):
        answer = read_live(actor, operations.SEARCH_CUSTOMERS, query={"q": words}, deadline=SEARCH_S)
        store_rows(actor, "customer", read_page(answer.data).rows)


def import_for(actor: Actor, import_id: object) -> Import:
    """One of the actor's own imports; Http404 for any other."""
    job: Import = get_object_or_404(Import, pk=import_id, membership_id=actor.member_id)
    return job


def likely_duplicate_customers(
    actor: Actor, *, phone: str = "", email: str = "", name: str = ""
) -> list[tuple[Customer, str]]:
    """Active customers with the same phone, e-mail or name, each with what is the same; MAX_DUPLICATES at most."""
    phone, email, name = (value.strip() for value in (phone, email, name))
    spellings = same_number(phone, actor.business.locale)
    same = Q()
    if phone:
        same |= Q(phone__in=spellings)
    if email:
        same |= Q(email__iexact=email)
    if name:
        same |= Q(sort_name=normalize("NFC", name).casefold())
    if not same:
        return []
    rows = visible_customers(actor).filter(same, status="ACTIVE").exclude(kind="walkIn")
    ordered = rows.order_by("sort_name", "pk")[:MAX_DUPLICATES]
    return [(customer, _shared(customer, spellings, email)) for customer in ordered]


def _shared(customer: Customer, spellings: frozenset[str], email: str) -> str:
    if customer.phone in spellings:
        return "the same phone"
    return "the same email" if email and customer.email.casefold() == email.casefold() else "the same name"


def names_by_contact(actor: Actor, field: str, values: set[str]) -> dict[str, str]:
    """The names of the active customers that have one of the values as their `field` ("phone" or "email"), by
    `comparable` of the value."""
    spellings = values | {value.lower() for value in values}
    if field == "phone":
        spellings = {spelling for value in values for spelling in same_number(value, actor.business.locale)}
    rows = visible_customers(actor).filter(status="ACTIVE", **{f"{field}__in": spellings})
    return {comparable(value): name for value, name in rows.values_list(field, "name")}


def comparable(value: str) -> str:
    """A phone or an e-mail in the one form in which two that are the same are equal."""
    return value.lstrip("+").casefold()
