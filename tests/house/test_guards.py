"""What starts houses waits on progress and only then on a generous time: no guard there is on the clock alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, settings

from config import ROOT
from tests.house.sources import nodes_of, tree_of

FOLDER = ROOT / "tests" / "lifecycle"
# Where time itself is what is looked at: how soon it must have ended, how long a soak lasts, when somebody was answered.
ON_THE_CLOCK = {
    "processes.py: monotonic": "Is `until`, which all others wait by.",
    "test_interrupted.py: wait": "Within so many seconds it must have ended.",
    "test_failover.py: monotonic": "A soak lasts so many minutes, with pauses.",
}


def guards_in(file: Path) -> Iterator[str]:
    """What in a file ends by the clock: `process.wait(60)`, `thread.join(GUARD_S)`, `timeout=` of a run, a loop until a time."""
    for node in nodes_of(tree_of(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, given = node.func.attr, [ast.unparse(one) for one in node.args]
            if name in {"wait", "join"} and len(given) == 1 and lasts(given[0]):
                yield f"{file.name}: {name}"
            if name in {"run", "check_output", "communicate"} and any(one.arg == "timeout" for one in node.keywords):
                yield f"{file.name}: {name}"
        if isinstance(node, ast.While | ast.Assert) and "monotonic() <" in ast.unparse(node.test):
            yield f"{file.name}: monotonic"
        if isinstance(node, ast.Assert | ast.While) and isinstance(node.test, ast.Compare):
            left = ast.unparse(node.test)
            if left.startswith("now - began <") or left.startswith("now - last <"):
                yield f"{file.name}: monotonic"


def lasts(given: str) -> bool:
    """Whether an argument is seconds of a guard: a constant's name, or a second and more; less is a pause."""
    try:
        return float(given) >= 1
    except ValueError:
        return "_S" in given


def test_no_guard_is_on_the_clock_alone() -> None:
    found = {one for file in sorted(FOLDER.glob("*.py")) for one in guards_in(file)}
    assert found - set(ON_THE_CLOCK) == set()
    assert set(ON_THE_CLOCK) - found == set()


def test_until_cannot_be_called_without_progress() -> None:
    # Of what is named `until` in the folder, or is its method: four things are said, or its own wrapper says the fourth.
    for file in sorted(FOLDER.glob("*.py")):
        for node in nodes_of(tree_of(file)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"until", "joined"}:
                named = {one.arg for one in node.keywords} & {"progress"}
                assert len(node.args) + len(named) >= 4, f"{file.name}:{node.lineno}"
                given = node.args[3] if named == set() else next(w.value for w in node.keywords if w.arg == "progress")
                assert ast.unparse(given) != "lambda: None", f"{file.name}:{node.lineno}"


def test_the_rule_finds_what_it_is_for(tmp_path: Path) -> None:
    file = tmp_path / "guards.py"
    file.write_text(
        "thread.join(60)\nprocess.wait(GUARD_S)\nsubprocess.run(c, timeout=60)\nwhile time.monotonic() < ends: ...\n"
        "assert time.monotonic() < ends\nover.wait(0.2)\n', '.join(names)\n"
    )
    names = ["join", "monotonic", "monotonic", "run", "wait"]
    assert sorted(guards_in(file)) == [f"guards.py: {one}" for one in names]


def test_no_example_is_on_the_clock() -> None:
    # By one profile for all tests (tests/conftest.py), which a test's own settings would take back.
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check
    own = {
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for node in nodes_of(tree_of(file))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "settings"
        if {one.arg for one in node.keywords} & {"deadline", "suppress_health_check"}
    }
    assert own == set()
