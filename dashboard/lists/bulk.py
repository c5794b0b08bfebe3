"""The actions of lists as bulk actions: what a row of a list is, how it is checked, and the command that is sent for it.

The plan, the worker, the result per row and the retry are those of every bulk action (dashboard/bulk/).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.bulk.actions import QueuedAction, RowVerdict, Seen, State
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import all_matching, plan, store
from dashboard.commands.run import CommandResult
from dashboard.errors import Rejected
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List
from dashboard.lists.query import Query
from dashboard.lists.selection import mark_of
from dashboard.money import Money


class ListAction(QueuedAction):
    """An action of a list, which the list's room declares: one command, sent for each row by a worker."""

    def __init__(self, of: List, action: Action) -> None:
        self.of, self.action = of, action
        self.source, self.name, self.operation = of.name, action.name, action.operation
        self.done, self.kind, self.becomes = action.done, action.kind, action.becomes

    def visible(self, actor: Actor, ids: Sequence[str]) -> QuerySet[Any]:
        """The rows of the list with these remote ids that the actor may see now."""
        return self.of.rows(actor).filter(remote_id__in=ids)

    def verdicts(self, actor: Actor, items: Sequence[Any], seen: Mapping[str, Seen]) -> list[RowVerdict]:
        """What the plan says of each row: `seen` is the mark in its box, where it was ticked."""
        return [self._verdict(actor, item, seen.get(item.remote_id)) for item in items]

    def _verdict(self, actor: Actor, item: Any, mark: Seen | None) -> RowVerdict:
        action = self.action
        if not (verdict := can(actor, action.operation, item)):
            return RowVerdict(State.LEFT_OUT, "no permission to change", verdict.reason, denied=True)
        if action.states and item.status not in action.states:
            word = self._state_word(actor, item).lower()
            already = "already " if item.status == action.becomes else ""
            return RowVerdict(State.LEFT_OUT, f"{already}{word}", f"It is {already}{word}.")
        if unfit := action.unfit(item):
            return RowVerdict(State.LEFT_OUT, *unfit)
        if mark and mark != mark_of(self.seen_of(item).values()):
            return RowVerdict(State.LEFT_OUT, "changed since you looked", "It changed after the list was shown to you.")
        return RowVerdict()

    def _state_word(self, actor: Actor, item: Any) -> str:
        column: Column = next(column for column in self.of.columns if column.kind == "state")
        return column.cell({column.field: getattr(item, column.field)}, actor)[-1]

    def seen_of(self, item: Any) -> dict[str, str]:
        """The values of an item that its viewer decides by, by field name."""
        return {name: str(getattr(item, name)) for name in self.of.seen}

    def changes(self, seen: Seen, item: Any) -> str:
        """What differs, as "Name: Mary → John"; "" where nothing does."""
        assert not isinstance(seen, str)
        titles = {column.field: column.title for column in reversed(self.of.columns)}
        now = self.seen_of(item)
        return "; ".join(
            f"{titles.get(name, name)}: {seen[name] or 'nothing'} → {now[name] or 'nothing'}"
            for name in now
            if name in seen and seen[name] != now[name]
        )

    def amount_of(self, item: Any) -> Money | None:
        """Its amount, by the fields that the list names; None where rows are no money, or this one has none."""
        if not self.of.money:
            return None
        currency, minor = (getattr(item, name) for name in self.of.money)
        return Money(minor or 0, currency) if currency else None

    def amount_text(self, actor: Actor, item: Any) -> str:
        """Its amount as the list prints it; "" where it has none."""
        amount = self.amount_of(item)
        known = self.of.money is not None and getattr(item, self.of.money[1]) is not None
        return amount.text(actor.business.locale) if amount is not None and known else ""

    def carry_out(
        self, actor: Actor, item: Any, answer: str, *, key: str, deadline: float, seen: Seen = ""
    ) -> CommandResult:
        """Sends the action's command for one row; raises what `commands.run` raises."""
        return self.action.carry_out(actor, item, answer, key=key, deadline=deadline)


def list_action(of: List, name: str) -> ListAction | None:
    """The action of a list with this name; None where it declares none."""
    action = next((action for action in of.actions if action.name == name), None)
    if action is None:
        return None
    planned: ListAction = (action.planner or ListAction)(of, action)
    return planned


def plan_ticked(actor: Actor, action: ListAction, query: Query, ticks: Mapping[str, str]) -> Batch | None:
    """What the action would do to the rows that were ticked, as the actor sees them now; None where there is none.

    The boxes say which rows, whatever the filters would let through by now.
    """
    name, falling = query.sorted_by
    order = (f"-{name}", "-pk") if falling else (name, "pk")
    items = list(action.visible(actor, list(ticks)).order_by(*order))
    if not items:
        return None
    return store(plan(actor, action, items, ticks), query=query.query(), chosen=len(ticks))


def plan_matching(actor: Actor, action: ListAction, query: Query) -> Batch | None:
    """What it would do to all that match; Rejected where these are too many, or the query is not understood."""
    if query.refused:
        raise Rejected(" ".join(query.problems.values()), code="query")
    items = all_matching([query.ordered(actor)], action.of.noun[1])
    return store(plan(actor, action, items), query=query.query(), whole=True) if items else None
