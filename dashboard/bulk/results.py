"""How a batch stands once it was begun: its rows, each with what became of it, and those that can be tried again."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Case, Count, QuerySet, Value, When

from dashboard.access.actor import Actor
from dashboard.bulk.actions import BulkAction, action_of
from dashboard.bulk.models import Batch, BatchRow
from dashboard.errors import NotFound

# A state's name, its label, and how many rows are in it.
Counts = list[tuple[str, str, int]]


@dataclass(frozen=True)
class BatchResult:
    """A batch with its rows; each has `standing`, the state that it is in by now, `label`, the words of that, and `message`,
    the sentence beside it."""

    batch: Batch

    @cached_property
    def action(self) -> BulkAction:
        """What is done with its rows."""
        return action_of(self.batch)

    @property
    def rows(self) -> QuerySet[Any]:
        """Its rows in the order of the plan: BatchRow, with what the type of one does not know."""
        labels = Case(*(When(standing=state, then=Value(label)) for state, label in self.action.labels.items()))
        rows = self.batch.rows.annotate(standing=self.action.standing, message=self.action.message)
        return rows.annotate(label=labels).order_by("number")

    @cached_property
    def failed(self) -> list[BatchRow]:
        """The rows that "retry failed only" is about."""
        return list(self.action.failed(self.rows))

    @cached_property
    def by_state(self) -> Mapping[str, int]:
        """How many rows there are in each state that they stand in."""
        return dict(self.rows.order_by().values_list("standing").annotate(Count("pk")))

    @property
    def counts(self) -> Counts:
        """The same with the words of the states, in the order in which these come."""
        return [
            (state, label, self.by_state[state])
            for state, label in self.action.labels.items()
            if state in self.by_state
        ]

    @property
    def total(self) -> int:
        """How many rows the batch has, those that were left out among them."""
        return sum(self.by_state.values())

    @property
    def is_open(self) -> bool:
        """Whether any of its rows may still change by itself."""
        return self.action.is_open(self.batch, self.by_state)


def own_batch(actor: Actor, batch_id: uuid.UUID | str) -> Batch:
    """One of the actor's own batches, whatever its source; NotFound for anybody else's, and where it is no id."""
    try:
        number = batch_id if isinstance(batch_id, uuid.UUID) else uuid.UUID(batch_id)
    except ValueError:
        raise NotFound from None
    batch = Batch.objects.filter(pk=number, business=actor.business, membership_id=actor.member_id).first()
    if batch is None:
        raise NotFound
    return batch
