"""The operation table equals the specification, row for row."""

import csv
from pathlib import Path

import pytest

from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.operations import OPERATIONS

HERE = Path(__file__).parent / "data" / "operations.csv"
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "spec" / "operations.csv"


def specified(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["version"] == "v2"]


def as_row(operation: Operation) -> tuple[str, ...]:
    return (
        operation.area,
        operation.method,
        operation.path,
        "private label" if operation.private_label else "",
        " ".join(role for role in Role if role in operation.roles),
        str(operation.rows),
        operation.grant,
        operation.rule,
        "" if operation.undo_s is None else str(operation.undo_s),
    )


COLUMNS = ("area", "method", "path", "entitlement", "roles", "rows", "grant", "rule", "undo_s")


def test_every_row_in_order() -> None:
    ours = [as_row(operation) for operation in OPERATIONS.values()]
    theirs = [tuple(row[column] for column in COLUMNS) for row in specified(HERE)]
    assert len(theirs) == 191
    assert ours == theirs


@pytest.mark.skipif(not BESIDE.exists(), reason="the specification is not beside this repository")
def test_the_copy_in_the_repository_is_the_specification() -> None:
    assert HERE.read_bytes() == BESIDE.read_bytes()


def test_every_operation_has_a_name_and_a_sentence_of_its_own() -> None:
    assert all(operation.name == name for name, operation in OPERATIONS.items())
    sentences = [operation.audit_text for operation in OPERATIONS.values()]
    assert len(set(sentences)) == len(sentences)


def test_what_is_decided_leaves_a_trace_of_undo() -> None:
    decided = {name: operation.undo_s for name, operation in OPERATIONS.items() if operation.is_decision}
    assert decided["approve_expense"] == 10
    assert decided["approve_payment_request"] == 0
    assert decided["reject_payment_request"] == 10
    assert all(undo in (0, 10) for undo in decided.values())
