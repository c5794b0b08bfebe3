"""The page of any list: what its view hands to `templates/lists/list.html`, and the totals as a fragment of their own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, TypedDict

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from dashboard.access.actor import Actor, ActorRequest
from dashboard.inputs import Choices
from dashboard.lists.columns import Column, List
from dashboard.lists.filters import Filter
from dashboard.lists.pages import NO_TICKS, RenderedPage, rendered_page
from dashboard.lists.query import Query
from dashboard.lists.registry import Listed
from dashboard.lists.saved import OfferedView, default_query, may_share, views_of
from dashboard.lists.selection import Selection, selection_of
from dashboard.lists.stored_ticks import stored_ticks
from dashboard.lists.totals import totals_of
from dashboard.replica import PRIMARY
from dashboard.web.addresses import address_of
from dashboard.web.freshness import Freshness, freshness_of
from dashboard.web.last_write import read_own
from dashboard.web.respond import is_fragment_request, page

TEMPLATE = "lists/list.html"
ERROR_ATTRIBUTES = ' aria-invalid="true" aria-describedby="problem-{}" autofocus'
EVERYTHING = "all"  # ?view=all: the list as it is, whatever it opens with
BARE = "&rows=none"  # a page without rows, past the last one, asks for its totals so: it has no selection


@dataclass(frozen=True)
class Field:
    """A filter as the bar prints it."""

    filter: Filter
    value: str
    choices: Choices
    # What is wrong with what was typed, which `value` is then.
    problem: str = ""

    @property
    def widget(self) -> str:
        """The name of its control: text, choice, day, code or flag."""
        return self.filter.control(self.choices)

    @property
    def error_attributes(self) -> str:
        """The HTML attributes that tie its control to its error; "" where it has none."""
        return format_html(ERROR_ATTRIBUTES, self.filter.name) if self.problem else ""


@dataclass(frozen=True)
class Days:
    """The filters by day together, as one thing to open: `summary` is what they let through."""

    fields: tuple[Field, ...]

    @property
    def on(self) -> bool:
        """Whether any of them is set."""
        return any(field.value for field in self.fields)

    @property
    def wrong(self) -> bool:
        """Whether any of them was not understood."""
        return any(field.problem for field in self.fields)

    @property
    def summary(self) -> str:
        """ "Any day", "From 3 Nov 2026", "From 3 Nov 2026 to 9 Nov 2026"."""
        days = [
            f"{'to' if getattr(field.filter, 'until', False) else 'from'} {_day(field.value)}"
            for field in self.fields
            if field.value
        ]
        text = " ".join(days)
        return text[:1].upper() + text[1:] if text else "Any day"


def _day(text: str) -> str:
    parsed = date.fromisoformat(text)
    return f"{parsed.day} {parsed:%b %Y}"


@dataclass(frozen=True)
class Heading:
    """A column's head: how it is sorted now ("ascending", "descending", ""), and the sort that a click asks for."""

    column: Column
    sorted: str
    href: str

    @property
    def arrow(self) -> str:
        """The arrow of the direction, "" where the column is not sorted by."""
        return {"ascending": " ↑", "descending": " ↓"}.get(self.sorted, "")


class PlaceContext(TypedDict):
    """Which list it is, as what address asked for, and where it stands: as asked and with `everything` in it."""

    of: List | Listed
    query: str
    address: str
    everything: str


class SavedViewsContext(PlaceContext):
    """What `templates/lists/keep.html` reads; `views` are the saved views, each with whether it is the one that is seen."""

    views: list[tuple[OfferedView, bool]]
    may_share: bool


class ListContext(PlaceContext):
    """What the template of a list reads; `sheet` is None where the query is refused, `selection` where nothing can be chosen,
    `views` and `totals` as long as they are not asked for."""

    filters: Query
    sheet: RenderedPage | None
    bare: str
    selection: Selection | None
    bar: SafeString
    head: SafeString
    totals_address: str
    views: None
    fresh: Freshness | None
    totals: None


def list_page(
    request: ActorRequest,
    of: List,
    *,
    template: str = TEMPLATE,
    area_context: Mapping[str, object] | None = None,
    **extra: Any,
) -> HttpResponseBase:
    """The list as its address asks for it; opened without a query, the way its person has chosen.

    `area_context` is what an area's own template needs beside the list.
    """
    if not request.GET and not extra and (saved_query := default_query(request.actor, of.name)):
        return redirect(f"{request.path}?{saved_query}")
    query = Query.read(of, request.GET)
    ticks = stored_ticks(request, of)
    of_list = read_own(request, lambda alias: context_of(request.actor, query, alias=alias, ticks=ticks))
    context = {**of_list, **(area_context or {}), **extra}
    status = 400 if query.refused else 200
    if is_fragment_request(request) and of.line is None and of.row is None:
        # What is typed into the search swaps the rows, and has the totals made anew.
        answer = page(request, TEMPLATE, context, fragments=("rows", "totals"), status=status)
        answer["HX-Push-Url"] = f"{context['address']}?{query.query() or f'view={EVERYTHING}'}"
        return answer
    return page(request, template, context, status=status)


def totals_part(
    request: ActorRequest, of: List, *, template: str = TEMPLATE, area_context: Mapping[str, object] | None = None
) -> HttpResponseBase:
    """The count and the sums; `whole=1` has them made however many rows there are."""
    query = Query.read(of, request.GET)
    whole = request.GET.get("whole") == "1"
    totals = None
    if not query.refused:
        totals = read_own(
            request,
            lambda alias: totals_of(request.actor, query, of.noun, title=of.sums_title, whole=whole, alias=alias),
        )
    if not is_fragment_request(request):
        views_context = saved_views_context(request.actor, of, query.query())
        return list_page(
            request, of, template=template, area_context={**(area_context or {}), **views_context}, totals=totals
        )
    address = reverse(f"{of.address}_totals", args=[request.actor.business.slug])
    bare = BARE if request.GET.get("rows") == "none" else ""
    context = {
        **saved_views_context(request.actor, of, query.query()),
        "totals": totals,
        "totals_address": address,
        "bare": bare,
    }
    fragments = ["totals", "kept"]
    if totals and totals.count and not bare and selection_of(request.actor, query):
        # The choice of all that match stands beside the boxes of the rows, so only where there are rows.
        fragments.append("matching")
    return page(request, TEMPLATE, context, fragments=tuple(fragments))


def context_of(actor: Actor, query: Query, *, alias: str = PRIMARY, ticks: Mapping[str, str] = NO_TICKS) -> ListContext:
    """What the template needs of a list, whose rows, and how fresh they are, are read from the database `alias`; `ticks` are the boxes
    that were ticked before, by the row's id."""
    of, slug = query.of, actor.business.slug
    selection = selection_of(actor, query)
    rows = (
        None if query.refused else rendered_page(actor, query, ticked=selection is not None, alias=alias, ticks=ticks)
    )
    return {
        **place_of(actor, of, query.query()),
        "filters": query,
        "sheet": rows,
        "bare": "" if rows and rows.count else BARE,
        "selection": selection,
        "bar": bar_of(actor, query),
        "head": head_of(replace(query, cursor=None), ticked=selection is not None),
        "totals_address": address_of(f"{of.address}_totals", slug),
        # Saved views come with the totals, as a part of their own: a list does not wait for them.
        "views": None,
        "fresh": freshness_of(actor.business, alias=alias) if of.mirrored else None,
        "totals": None,
    }


def place_of(actor: Actor, of: List | Listed, query: str) -> PlaceContext:
    """Which list it is, as what address asked for, and where it stands."""
    address = address_of(of.address, actor.business.slug)
    return {"of": of, "query": query, "address": address, "everything": f"{address}?view={EVERYTHING}"}


def saved_views_context(actor: Actor, of: List | Listed, query: str) -> SavedViewsContext:
    """What `templates/lists/keep.html` needs: the saved views of a list, and where it stands."""
    views = [(view, view.query == query) for view in views_of(actor, of.name)]
    return {**place_of(actor, of, query), "views": views, "may_share": may_share(actor)}


def bar_of(actor: Actor, query: Query) -> SafeString:
    """Search, filters and columns: the same for everyone who may choose from the same things."""
    choices = tuple(
        tuple(filter_.choices_beside(actor, query.chosen.get(filter_.name, ""))) for filter_ in query.of.filters
    )
    problems = tuple((name, problem, query.typed.get(name, "")) for name, problem in query.problems.items())
    return _bar(replace(query, cursor=None), choices, problems, actor.business.slug)


@lru_cache(maxsize=1024)
def _bar(
    query: Query, choices: tuple[Choices, ...], problems: tuple[tuple[str, str, str], ...], slug: str
) -> SafeString:
    of, address = query.of, reverse(query.of.address, args=[slug])
    wrong = {name: (problem, typed) for name, problem, typed in problems}
    fields = [
        _field(query, filter_, options, *wrong.get(filter_.name, ("", "")))
        for filter_, options in zip(of.filters, choices, strict=True)
    ]
    days = tuple(field for field in fields if field.widget == "day")
    context = {
        "of": of,
        "filters": replace(query, problems={name: problem for name, problem, _ in problems}),
        "query": query.query(),
        "typed": query.q or wrong.get("q", ("", ""))[1],
        "fields": [field for field in fields if field not in days],
        "days": Days(days) if days else None,
        "columns": [(column, column in query.columns) for column in of.choosable],
        "address": address,
        "everything": f"{address}?view={EVERYTHING}",
    }
    return mark_safe(render_to_string("lists/bar.html", context))  # noqa: S308 - our own template, escaped by it


def _field(query: Query, of: Filter, choices: Choices, problem: str, typed: str) -> Field:
    value = query.chosen.get(of.name, "")
    if problem and of.widget != "day":
        value = typed
    elif choices and value and value not in dict(choices):
        # A value that is no choice any more lets no row through: the field must not look as if no filter were set.
        choices = (*choices, (value, "None of these"))
    return Field(of, value, choices, problem)


@lru_cache(maxsize=1024)
def head_of(query: Query, *, ticked: bool = False) -> SafeString:
    """The heads of the columns: the same for everyone who asks the same."""
    context = {"headings": [_heading(query, column) for column in query.columns], "ticked": ticked}
    return mark_safe(render_to_string("lists/head.html", context))  # noqa: S308 - our own template, escaped by it


def _heading(query: Query, column: Column) -> Heading:
    if not column.sort:
        return Heading(column, "", "")
    by, falling = query.sort.lstrip("-"), query.sort.startswith("-")
    if by != column.name:
        # Days and amounts are looked at from the top, names from A.
        first = column.name if column.sorted_as is str else f"-{column.name}"
        return Heading(column, "", query.query(sort=first))
    turned = by if falling else f"-{by}"
    return Heading(column, "descending" if falling else "ascending", query.query(sort=turned))


def redirect_to_list(actor: Actor, of: Listed, query: str) -> HttpResponse:
    """A redirect to the list with its query."""
    return redirect(f"{reverse(of.address, args=[actor.business.slug])}?{query or f'view={EVERYTHING}'}")
