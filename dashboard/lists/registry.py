"""The lists by their names: what saved views and exports need to know of one, whether an area declares it or builds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.pages import SitePage
from dashboard.bulk.actions import ActionSource, register_action_source
from dashboard.lists.bulk import list_action
from dashboard.lists.columns import List
from dashboard.lists.query import Query


class ListQuery(Protocol):
    """The query of one list: its filters, search and order, as its address has them."""

    @property
    def problems(self) -> dict[str, str]:
        """What could not be understood, by name."""

    @property
    def refused(self) -> bool:
        """Whether it asks for something that is not there."""

    def query(self) -> str:
        """The query as it stands in the address of the list, without "?"."""

    def file(self, actor: Actor) -> tuple[list[str], QuerySet[Any, Any]]:
        """The headings of its file, and the rows as tuples in the order of the screen."""

    def sums(self, actor: Actor) -> QuerySet[Any, Any]:
        """Each row as (currency, minor units); (None, None) for rows that are no money."""


@dataclass(frozen=True, eq=False)
class Listed:
    """A list that can be saved as a view and exported: `noun` is one and many, `parse` reads a stored query."""

    name: str
    title: str
    noun: tuple[str, str]
    opens: Operation | SitePage
    address: str
    parse: Callable[[str], ListQuery]
    # Where it is declared as a List: what can be found in it by name, reference or amount.
    declared: List | None = None


REGISTRY: dict[str, Listed] = {}


def find(name: str) -> Listed | None:
    """The list of a name, None where there is none. The rooms of pages/ declare theirs at start-up."""
    return REGISTRY.get(name)


def add(listed: Listed) -> Listed:
    """Registers a list under its name; TypeError where another one has it."""
    if REGISTRY.setdefault(listed.name, listed) is not listed:
        raise TypeError(f"there are two lists named {listed.name}")
    return listed


def register(declared_list: List) -> List:
    """Registers a declared list, with its actions as bulk actions, and returns it."""
    add(
        Listed(
            declared_list.name,
            declared_list.title,
            declared_list.noun,
            declared_list.opens,
            declared_list.address,
            lambda text: Query.parse(declared_list, text),
            declared_list,
        )
    )
    register_action_source(declared_list.name, ActionSource(partial(list_action, declared_list)))
    return declared_list
