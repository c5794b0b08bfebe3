"""There is one engine: what waits for decisions and what lists do goes through it, and a new action needs none of its code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.bulk import actions, batches, plans, worker
from dashboard.bulk.actions import BulkAction, ImmediateAction, QueuedAction, action_of
from dashboard.bulk.models import Batch
from dashboard.bulk.results import BatchResult
from dashboard.commands.run import CommandResult
from dashboard.decisions import registry
from dashboard.decisions.bulk import SOURCE, BulkDecision
from dashboard.decisions.models import Decision
from dashboard.errors import Conflict
from dashboard.lists.actions import Action
from dashboard.lists.bulk import list_action
from dashboard.lists.registry import REGISTRY
from tests.dashboard.pages.conftest import House

WRITES = re.compile(
    r"\bBatch(Row)?(\.objects\b[^\n]*)?\.(create|bulk_create|update|bulk_update|save)\(|\bBatch(Row)?\(\s"
)
DASHBOARD = Path(__file__).resolve().parents[3] / "dashboard"
LISTS = {name: listed.declared for name, listed in REGISTRY.items() if listed.declared is not None}


def every_action() -> list[BulkAction]:
    """All that is declared: each action of a list, and each operation that decides."""
    declared: list[BulkAction | None] = [list_action(of, action.name) for of in LISTS.values() for action in of.actions]
    declared += [actions.ACTION_SOURCES[SOURCE].find(name) for name in registry.DECIDED]
    return [action for action in declared if action is not None]


def test_every_source_is_registered_with_the_one_engine() -> None:
    assert set(actions.ACTION_SOURCES) == {SOURCE, *LISTS}
    bases = (QueuedAction, ImmediateAction)
    assert {next(base for base in bases if isinstance(action, base)) for action in every_action()} == set(bases)
    assert len(every_action()) == len(registry.DECIDED) + sum(len(of.actions) for of in LISTS.values())


def test_batches_and_their_rows_are_written_by_the_engine_alone() -> None:
    """No other module makes or changes one: a second engine would have to."""
    files = [file for file in DASHBOARD.rglob("*.py") if "migrations" not in file.parts]
    writers = {file.relative_to(DASHBOARD).parts[0] for file in files if WRITES.search(file.read_text())}
    assert writers == {"bulk"}


def test_both_are_planned_stored_begun_and_shown_by_the_same_functions(house: House, no_queue: list[str]) -> None:
    actor = house.actor("Ada")
    mine, other = house.expense(), house.expense(employee_id=house.employee_id("Ada"))
    of = LISTS["expenses"]
    for action in (BulkDecision(operations.APPROVE_EXPENSE), list_action(of, "file")):
        assert action is not None
        batch = plans.store_plan(plans.plan(actor, action, [mine, other]))
        assert type(action_of(batch)) is type(action)
        assert plans.plan_summary(batch).startswith(
            f"{batch.rows.filter(state='WAITING').count()} will be {action.done}"
        )
        assert batches.begin(actor, batch, "As agreed.")
        assert not batches.begin(actor, batch, "As agreed.")
        assert BatchResult(batch).total == 2
    decided, filed = Batch.objects.filter(business=house.business).order_by("created_at")
    assert [row.standing for row in BatchResult(decided).rows] == ["WAITING", "LEFT_OUT"]
    assert Decision.objects.get(bulk=decided).key == decided.rows.get(number=1).key
    # What was written down at once is nothing for a worker; what a worker does was handed to it.
    assert no_queue == [str(filed.pk)]
    assert not worker.run(decided.pk)


@contextmanager
def declared(of: Any, action: Action) -> Iterator[None]:
    """A list with one more action, as its room would declare it."""
    before = actions.ACTION_SOURCES[of.name]
    more = replace(of, actions=(*of.actions, action))
    actions.ACTION_SOURCES[of.name] = actions.ActionSource(lambda name: list_action(more, name))
    try:
        yield
    finally:
        actions.ACTION_SOURCES[of.name] = before


def test_a_new_action_of_a_list_is_its_declaration_and_nothing_more(house: House) -> None:
    sent: list[tuple[str, str]] = []

    def stamp(actor: Actor, row: Any, /, *, key: str, deadline: float) -> CommandResult:
        sent.append((row.remote_id, key))
        if len(sent) == 2:
            raise Conflict("It is stamped by somebody else.", code="invalid_state")
        return CommandResult({}, "r-1")

    action = Action("stamp", "Stamp", "stamped", operations.CATEGORISE_EXPENSE, "expense", "Sure?", command=stamp)
    actor, of = house.actor("Ada"), LISTS["expenses"]
    rows = [house.expense() for _ in range(3)]
    with declared(of, action):
        found = actions.ACTION_SOURCES[of.name].find("stamp")
        assert found is not None
        batch = plans.store_plan(plans.plan(actor, found, rows))
        assert plans.plan_summary(batch) == "3 will be stamped"
        batches.begin(actor, batch)
        assert not worker.run(batch.pk)
        batch.refresh_from_db()
        result = BatchResult(batch)
        assert (batch.state, result.by_state) == ("DONE", {"DONE": 2, "REFUSED": 1})
        assert sent == list(batch.rows.order_by("number").values_list("remote_id", "key"))
        again = plans.plan_again(actor, batch)
        assert again is not None
        batches.begin(actor, again)
        worker.run(again.pk)
        assert BatchResult(again).by_state == {"DONE": 1}
    assert [remote_id for remote_id, _ in sent] == [*(row.remote_id for row in rows), rows[1].remote_id]


def test_a_new_bulk_decision_is_its_spec_and_nothing_more(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operation that nobody decides by yet: its row in SPECS makes it one that is decided in bulk, with its undo."""
    known = operations.APPROVE_EXPENSE
    operation = Operation(
        "Expenses",
        "POST",
        "/expenses/{expenseId}/stamp",
        known.roles,
        known.rows,
        "stamped {title}",
        rule="not_own",
        undo_s=10,
    )
    object.__setattr__(operation, "name", "approve_by_stamp")
    spec = registry.SPECS[operations.APPROVE_EXPENSE]
    monkeypatch.setitem(registry.SPECS, operation, spec)
    monkeypatch.setitem(registry.DECIDED, operation.name, operation)
    action = actions.ACTION_SOURCES[SOURCE].find(operation.name)
    assert action is not None
    actor, rows = house.actor("Ada"), [house.expense(), house.expense()]
    batch = plans.store_plan(plans.plan(actor, action, rows))
    batches.begin(actor, batch)
    assert [row.standing for row in BatchResult(batch).rows] == ["WAITING", "WAITING"]
    assert set(Decision.objects.filter(bulk=batch).values_list("operation", flat=True)) == {operation.name}
    assert AuditEntry.objects.filter(chain=house.business.pk, operation=operation.name, outcome="TAKEN").count() == 2
