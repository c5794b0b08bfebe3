"""Saved views: a query under a name, one's own or shared, one of them the way a list opens."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import FINANCE
from dashboard.audit.record import record_denial
from dashboard.errors import NotAllowed, Rejected
from dashboard.lists.models import SavedView
from dashboard.lists.registry import ListQuery

MOST_VIEWS = 50


@dataclass(frozen=True)
class OfferedView:
    """A saved view as it is offered: its id, name and query, whose it is, and whether the list opens with it."""

    id: int
    name: str
    query: str
    mine: bool
    shared: bool
    owner: str
    default: bool


def may_share(actor: Actor) -> bool:
    """Whether the actor's views can be everybody's: finance's can."""
    return actor.role in FINANCE


def _offered(actor: Actor, list_name: str) -> QuerySet[SavedView]:
    rows = SavedView.objects.filter(business=actor.business, list_name=list_name)
    return rows.filter(Q(owner_id=actor.member_id) | Q(shared=True, owner__is_active=True))


def views_of(actor: Actor, list_name: str) -> list[OfferedView]:
    """The views that the actor can choose from: own ones first, then the business's, by name."""
    views = [
        OfferedView(
            id=saved_view.pk,
            name=saved_view.name,
            query=saved_view.query,
            mine=saved_view.owner_id == actor.member_id,
            shared=saved_view.shared,
            owner=saved_view.owner.user.get_full_name(),
            default=saved_view.pk == actor.opens_with.get(list_name),
        )
        for saved_view in _offered(actor, list_name).select_related("owner__user")[: 2 * MOST_VIEWS]
    ]
    return sorted(views, key=lambda view: (not view.mine, view.name.casefold()))


def default_query(actor: Actor, list_name: str) -> str:
    """The query that the list opens with for the actor; "" for the list as it is."""
    view_id = actor.opens_with.get(list_name)
    if view_id is None:
        return ""
    return _offered(actor, list_name).filter(pk=view_id).values_list("query", flat=True).first() or ""


def save(actor: Actor, list_name: str, query: ListQuery, name: str, *, shared: bool = False) -> SavedView:
    """Saves the query under a name; the same name again replaces one's own view of that name.

    Rejected for a query that is not understood or too many views; NotAllowed where one may not share.
    """
    if query.refused:
        raise Rejected(" ".join(query.problems.values()), code="query")
    if shared and not may_share(actor):
        sentence = "Only finance can share views with the whole business."
        record_denial(
            actor, "share_view", reason=sentence, rule="role", sentence=f"tried to share the view {name} with everybody"
        )
        raise NotAllowed(sentence, code="role")
    mine = SavedView.objects.filter(owner_id=actor.member_id, list_name=list_name)
    if mine.exclude(name=name).count() >= MOST_VIEWS:
        raise Rejected(f"{MOST_VIEWS} views at most: delete one first.", code="too_many")
    values = {"query": query.query(), "shared": shared, "business": actor.business}
    try:
        with transaction.atomic():
            saved_view, _ = SavedView.objects.update_or_create(
                owner_id=actor.member_id, list_name=list_name, name=name, defaults=values
            )
    except IntegrityError:
        raise Rejected("A view with this name was saved at the same moment.", code="duplicate") from None
    return saved_view


def remove(actor: Actor, list_name: str, view_id: int) -> bool:
    """Removes one of one's own views; False where it is none."""
    deleted, _ = SavedView.objects.filter(owner_id=actor.member_id, list_name=list_name, pk=view_id).delete()
    return bool(deleted)


def open_with(actor: Actor, list_name: str, view_id: int | None) -> bool:
    """Makes a view the one that the list opens with, or none; False where the view is not offered to the actor."""
    if view_id is not None and not _offered(actor, list_name).filter(pk=view_id).exists():
        return False
    with transaction.atomic():
        membership = Membership.objects.select_for_update(no_key=True, of=("self",)).get(pk=actor.member_id)
        membership.opens_with.pop(list_name, None)
        if view_id is not None:
            membership.opens_with[list_name] = view_id
        membership.save(update_fields=["opens_with"])
    return True
