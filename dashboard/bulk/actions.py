"""What a bulk action is: which rows, how each is checked, and what is done with it. Whatever has several rows declares one.

A source (a list, or what waits for decisions) is registered once, with the function that gives its action of a name. All
else is the same for every action, and stands in this package: the stored plan, its expiry, beginning, the worker, the
result per row, the retry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from django.db.models import F, QuerySet
from django.db.models.expressions import Combinable

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.bulk.balances import WalletAfter
from dashboard.bulk.models import Batch, BatchRow
from dashboard.commands.run import CommandResult
from dashboard.errors import NotFound
from dashboard.money import Money

RowState = BatchRow.State
RESULTS_LIFETIME = timedelta(days=90)
# Of these nobody knows whether they were done: tried again, they keep the key that they were sent with.
IN_DOUBT = (RowState.UNKNOWN, RowState.SENDING)
# What can be tried again once a batch is over: nothing of it was done, or nobody knows.
FAILED = (*IN_DOUBT, RowState.REFUSED, RowState.CHANGED, RowState.NOT_DONE)
# What was seen of a row, as its action compares it: values by field, a fingerprint, or a list's short digest.
Seen = Mapping[str, str] | str


@dataclass(frozen=True)
class RowVerdict:
    """Whether a row passes: the state that it has in the plan, why not in a few words and in a sentence.

    One that passes may have a remark in `why`, which is counted in the plan's line, too. `denied` where the gate said no.
    """

    state: BatchRow.State = RowState.WAITING
    why: str = ""
    sentence: str = ""
    denied: bool = False

    @property
    def passes(self) -> bool:
        """Whether the row is carried out."""
        return self.state == RowState.WAITING


class BulkAction(ABC):
    """What one action does to several rows of its source; `name` is its verb there, `done` the participle ("deleted")."""

    source: str
    name: str
    operation: Operation
    done: str
    # What the audit calls a row that cannot be seen any more.
    kind: str
    # The words of `why` in the order in which a plan counts them; others follow by the alphabet.
    order: ClassVar[Sequence[str]] = ()
    # The words of the states that `standing` may have.
    labels: ClassVar[Mapping[str, str]] = dict(BatchRow.State.choices)
    # What was given before the plan was made, as its batch stores it; "" where nothing is to be given.
    given: str = ""

    @property
    def given_text(self) -> str:
        """What was given, as the plan and the history print it; "" where nothing is to be given."""
        return ""

    def with_given(self, given: str) -> BulkAction:
        """The action as it is once this was given, which its batch has stored."""
        return self

    @property
    def outcome(self) -> str:
        """What happens to the rows that pass: "will be deleted"."""
        return f"will be {self.done}"

    @abstractmethod
    def visible(self, actor: Actor, ids: Sequence[str]) -> Iterable[Any]:
        """The items with these remote ids that the actor may see now."""

    @abstractmethod
    def verdicts(self, actor: Actor, items: Sequence[Any], seen: Mapping[str, Seen]) -> list[RowVerdict]:
        """What the plan says of each item, in their order; `seen` by remote id, where anything was seen before."""

    @abstractmethod
    def seen_of(self, item: Any) -> Seen:
        """What is seen of an item now: the plan stores it, and what differs later is not carried out."""

    def amount_of(self, item: Any) -> Money | None:
        """The amount of an item, which is summed over those that pass; None where it has none."""
        return None

    def amount_text(self, actor: Actor, item: Any) -> str:
        """The amount as a row prints it; "" where it has none."""
        return ""

    def person_of(self, item: Any) -> str:
        """Whose item it is, where a row says so."""
        return ""

    def balances(self, actor: Actor, items: Sequence[Any]) -> list[WalletAfter]:
        """What wallets hold once these items are carried out; empty where no money moves."""
        return []

    def remark(self, why: str, count: int) -> str:
        """What the plan's line says of so many passing rows that have this remark."""
        return f"{count:,} of them {why}"

    def rule_of(self, row: BatchRow) -> str:
        """The code of the rule that left a row out, for the audit; "" where it has none."""
        return ""

    @property
    def standing(self) -> Combinable:
        """The expression of where a row stands once it was carried out: the row's own state, or that of what it led to."""
        return F("state")

    @property
    def message(self) -> Combinable:
        """The expression of the sentence beside it."""
        return F("sentence")

    def failed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Of rows with their `standing`, those that can be tried again."""
        return rows.filter(standing__in=FAILED)

    def is_open(self, batch: Batch, standings: Iterable[str]) -> bool:
        """Whether a batch whose rows stand so may still change by itself."""
        return batch.open


class QueuedAction(BulkAction):
    """An action that a worker carries out row by row, each with a call and a key of its own (worker.py)."""

    # The status of an item of which it was done: where a row was sent before, that it has it says that it was.
    becomes: str = ""

    @abstractmethod
    def changes(self, seen: Seen, item: Any) -> str:
        """What differs between what was seen and what is there now, in words; "" where nothing does."""

    @abstractmethod
    def carry_out(
        self, actor: Actor, item: Any, given: str, *, key: str, deadline: float, seen: Seen = ""
    ) -> CommandResult:
        """Sends it for one item, with what was given; `seen` is what the plan has stored of it. Raises what
        `commands.run` raises."""


class ImmediateAction(BulkAction):
    """An action that writes all its rows down in the transaction that begins it: what comes after is no bulk action's."""

    @abstractmethod
    def submit(self, actor: Actor, batch: Batch, rows: Sequence[tuple[BatchRow, Any]]) -> dict[str, RowVerdict]:
        """Writes down what follows from each row and its item; the verdicts on those that somebody was faster with, by
        remote id."""


@dataclass(frozen=True)
class ActionSource:
    """Where rows come from: `find` gives its action of a name, None without one. Results are deleted after
    `results_last`; None: never, since something else stands on them."""

    find: Callable[[str], BulkAction | None]
    results_last: timedelta | None = RESULTS_LIFETIME


ACTION_SOURCES: dict[str, ActionSource] = {}


def register_action_source(name: str, action_source: ActionSource) -> None:
    """Registers where the rows of a name come from, at start-up; TypeError where another has the name."""
    if ACTION_SOURCES.setdefault(name, action_source) is not action_source:
        raise TypeError(f"there are two sources of bulk actions named {name}")


def action_of(batch: Batch) -> BulkAction:
    """The action of a batch; NotFound where it is declared no more."""
    source = ACTION_SOURCES.get(batch.list_name)
    action = source.find(batch.verb) if source is not None else None
    if action is None:
        raise NotFound("This action is no longer available.")
    return action.with_given(batch.given)
