"""The actions of lists as bulk actions: what a row of a list is, how it is checked, and the command that is sent for it.

The plan, the worker, the result per row and the retry are those of every bulk action (dashboard/bulk/).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.bulk.actions import QueuedAction, RowState, RowVerdict, Seen
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import all_matching, plan, store_plan
from dashboard.commands.run import CommandResult
from dashboard.errors import NotFound, Rejected
from dashboard.lists.actions import Action, Undo
from dashboard.lists.columns import Column, List
from dashboard.lists.first_rows import ordering
from dashboard.lists.query import Query
from dashboard.lists.selection import seen_digest
from dashboard.money import Money

UNDO = "undo:"


class ListAction(QueuedAction):
    """An action of a list, which the list's room declares: one command, sent for each row by a worker."""

    def __init__(self, of: List, action: Action) -> None:
        self.of, self.action = of, action
        self.source, self.name, self.operation = of.name, action.name, action.operation
        self.done, self.kind, self.becomes = action.done, action.kind, action.becomes

    def visible(self, actor: Actor, ids: Sequence[str]) -> QuerySet[Any]:
        """The rows of the list with these remote ids that the actor may see now."""
        return self.of.with_computed(self.of.rows(actor), actor).filter(remote_id__in=ids)

    def verdicts(self, actor: Actor, items: Sequence[Any], seen: Mapping[str, Seen]) -> list[RowVerdict]:
        """What the plan says of each row: `seen` is the digest in its box, where it was ticked."""
        return [self._verdict(actor, item, seen.get(item.remote_id)) for item in items]

    def _verdict(self, actor: Actor, item: Any, digest: Seen | None) -> RowVerdict:
        action = self.action
        if not (verdict := can(actor, action.operation, item)):
            return RowVerdict(RowState.LEFT_OUT, "no permission to change", verdict.reason, denied=True)
        if action.states and item.status not in action.states:
            word = self._state_word(actor, item).lower()
            already = "already " if item.status == action.becomes else ""
            return RowVerdict(RowState.LEFT_OUT, f"{already}{word}", f"It is {already}{word}.")
        if unfit := action.unfit(item):
            return RowVerdict(RowState.LEFT_OUT, *unfit)
        if digest and digest != seen_digest(self._compared(item).values()):
            return RowVerdict(
                RowState.LEFT_OUT, "changed since you looked", "It changed after the list was shown to you."
            )
        return RowVerdict()

    def _state_word(self, actor: Actor, item: Any) -> str:
        column: Column = next(column for column in self.of.columns if column.kind == "state")
        return column.cell({column.field: getattr(item, column.field)}, actor)[-1]

    def seen_of(self, item: Any) -> dict[str, str]:
        """What its viewer decides by, by field name, and what has to be known so that it can be undone."""
        return {**self._before(item), **{name: str(getattr(item, name)) for name in self.of.seen}}

    def _before(self, item: Any) -> Mapping[str, str]:
        return self.action.undo.before(item) if self.action.undo else {}

    def _compared(self, item: Any) -> dict[str, str]:
        """What is seen of an item, without what is only noted so that it can be undone."""
        noted = self._before(item)
        return {name: value for name, value in self.seen_of(item).items() if name not in noted}

    def changes(self, seen: Seen, item: Any) -> str:
        """What differs, as "Name: Mary → John"; "" where nothing does."""
        assert not isinstance(seen, str)
        titles = {column.field: column.title for column in reversed(self.of.columns)}
        now = self._compared(item)
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
        self, actor: Actor, item: Any, given: str, *, key: str, deadline: float, seen: Seen = ""
    ) -> CommandResult:
        """Sends the action's command for one row; raises what `commands.run` raises."""
        return self.action.carry_out(actor, item, given, key=key, deadline=deadline)


class UndoListAction(ListAction):
    """The undoing of an action of a list: of the rows in which a batch, which is what is given, has done it."""

    def __init__(self, of: List, action: Action, undo: Undo, batch_id: str = "") -> None:
        # The worker asks `carry_out` below: the action itself has no command that knows what was before.
        undone = replace(
            action, name=f"{UNDO}{action.name}", label="Undo for", done="undone", question=None, command=_no_command,
            planner=None, states=(), becomes="", danger=False, undo=None,
            confirm="Each goes back to what it was before; what was changed since stays.",
        )  # fmt: skip
        super().__init__(of, undone)
        self.original, self.undo, self.given = action, undo, batch_id

    def with_given(self, given: str) -> UndoListAction:
        """The undoing of this batch."""
        return UndoListAction(self.of, self.original, self.undo, given)

    @cached_property
    def undone_batch(self) -> Batch:
        """The batch that is undone; NotFound where it is no more."""
        batch = Batch.objects.filter(pk=self.given, list_name=self.of.name, verb=self.original.name).first()
        if batch is None:
            raise NotFound("What was done is no longer stored.")
        return batch

    @cached_property
    def before(self) -> Mapping[str, Mapping[str, str]]:
        """What was noted of each row in which it was done, by remote id."""
        rows = self.undone_batch.rows.filter(state=RowState.DONE)
        return dict(rows.values_list("remote_id", "seen"))

    @property
    def given_text(self) -> str:
        """What was given then, in words."""
        return self.undone_batch.given_said

    def _verdict(self, actor: Actor, item: Any, digest: Seen | None) -> RowVerdict:
        verdict = super()._verdict(actor, item, digest)
        if not verdict.passes:
            return verdict
        unfit = self.undo.unfit(item, self.undone_batch.given, self.before.get(item.remote_id, {}))
        return RowVerdict(RowState.LEFT_OUT, *unfit) if unfit else verdict

    def carry_out(
        self, actor: Actor, item: Any, given: str, *, key: str, deadline: float, seen: Seen = ""
    ) -> CommandResult:
        """Sends what puts one row back; raises what `commands.run` raises."""
        before = self.before.get(item.remote_id, {})
        return self.undo.command(actor, item, self.undone_batch.given, before, key=key, deadline=deadline)


def _no_command(actor: Actor, row: Any, /, *, key: str, deadline: float) -> CommandResult:
    raise TypeError("what undoes knows what was before")


def list_action(of: List, name: str) -> ListAction | None:
    """The action of a list with this name, or what undoes it ("undo:" and the name); None where it declares none."""
    if name.startswith(UNDO):
        undone = next((action for action in of.actions if action.name == name.removeprefix(UNDO)), None)
        return UndoListAction(of, undone, undone.undo) if undone is not None and undone.undo else None
    action = next((action for action in of.actions if action.name == name), None)
    if action is None:
        return None
    planned: ListAction = (action.planner or ListAction)(of, action)
    return planned


def _check_planned_of_rows(list_action: ListAction) -> None:
    # An undo is planned from the batch that it undoes, by `plan_undo` alone: rows do not say which batch that is.
    if isinstance(list_action, UndoListAction):
        raise Rejected(
            "A bulk action is undone from its own page, not from the list. Open it under your bulk actions.",
            code="verb",
        )


def plan_ticked(actor: Actor, list_action: ListAction, query: Query, ticks: Mapping[str, str]) -> Batch | None:
    """What the action would do to the rows that were ticked, as the actor sees them now; None where there is none.

    The boxes say which rows, whatever the filters would let through by now. Rejected for what undoes.
    """
    _check_planned_of_rows(list_action)
    items = list(list_action.visible(actor, list(ticks)).order_by(*ordering(query.sorted_by)))
    if not items:
        return None
    return store_plan(plan(actor, list_action, items, ticks), query=query.query(), chosen=len(ticks))


def plan_matching(actor: Actor, list_action: ListAction, query: Query) -> Batch | None:
    """What it would do to all that match; Rejected where these are too many, the query is not understood, and for what undoes."""
    _check_planned_of_rows(list_action)
    if query.refused:
        raise Rejected(" ".join(query.problems.values()), code="query")
    items = all_matching([list_action.of.with_computed(query.ordered(actor), actor)], list_action.of.noun[1])
    return store_plan(plan(actor, list_action, items), query=query.query(), whole=True) if items else None


def undo_batch_of(batch: Batch) -> Batch | None:
    """The batch in which a batch was undone, as far as that was begun; None where it was not."""
    rows = Batch.objects.filter(membership_id=batch.membership_id, list_name=batch.list_name, given=str(batch.pk))
    return rows.filter(verb=f"{UNDO}{batch.verb}").exclude(state=Batch.State.PLANNED).order_by("-created_at").first()


def can_be_undone(of: List, batch: Batch) -> bool:
    """Whether a batch is over, did something that can be undone, and was not undone before."""
    is_over = batch.state in (Batch.State.DONE, Batch.State.STOPPED)
    if not is_over or list_action(of, f"{UNDO}{batch.verb}") is None or undo_batch_of(batch) is not None:
        return False
    return batch.rows.filter(state=RowState.DONE).exists()


def plan_undo(actor: Actor, of: List, batch: Batch) -> Batch | None:
    """What undoing a batch would do to the rows in which it was done; None where it cannot be undone."""
    undoing = list_action(of, f"{UNDO}{batch.verb}") if can_be_undone(of, batch) else None
    if not isinstance(undoing, UndoListAction):
        return None
    action = undoing.with_given(str(batch.pk))
    items = list(action.visible(actor, list(action.before)))
    return store_plan(plan(actor, action, items), query=batch.query, chosen=len(action.before)) if items else None
