"""The walk of "approve an expense" in docs/architecture.md, file by file: short, there, and connected."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from tests.house.test_rules import ROOT, imports_of

PAGE = ROOT / "docs" / "architecture.md"
STEP = re.compile(r"^\| (\d+) \| `(dashboard/[^`]+)` \| ([^|]+) \|$", re.MULTILINE)
LONGEST = 20
# A job begins where the queue does, not where an import leads.
BEGINS_ANEW = "dashboard/decisions/dispatcher.py"


@dataclass(frozen=True)
class Step:
    """A line of the walk: its number, the file, and what is named of it."""

    number: int
    file: Path
    names: tuple[str, ...]


def walk() -> list[Step]:
    """The lines of the table, in their order."""
    return [
        Step(int(number), ROOT / file, tuple(re.findall(r"`(\w+)`", text)))
        for number, file, text in STEP.findall(PAGE.read_text())
    ]


def module_of(file: Path) -> str:
    return str(file.relative_to(ROOT).with_suffix("")).replace("/", ".")


def test_it_is_twenty_files_at_most() -> None:
    steps = walk()
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert 10 < len({step.file for step in steps}) == len(steps) <= LONGEST


def test_each_file_has_what_is_named_of_it() -> None:
    for step in walk():
        text = step.file.read_text()
        defined = {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        addresses = set(re.findall(r'name="(\w+)"', text))
        assert step.names, step.file
        assert set(step.names) <= defined | addresses, (step.file.name, set(step.names) - defined - addresses)


def test_each_file_is_imported_by_one_before_it() -> None:
    known: set[str] = set()
    for step in walk():
        module = module_of(step.file)
        if step.number > 1 and str(step.file.relative_to(ROOT)) != BEGINS_ANEW:
            assert module in known, f"nothing before it imports {module}"
        known |= imports_of(step.file)
