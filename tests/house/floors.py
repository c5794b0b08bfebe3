"""The floors as import-linter keeps them (pyproject.toml), and the table of them in docs/architecture.md.

`python -m tests.house.floors` writes the table anew; a test compares it. A program is in it as soon as it has a contract
of layers over all of it.
"""

import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- The floors: written by `python -m tests.house.floors`, compared by tests/house/test_floors.py. -->"
END = "<!-- The end of the floors. -->"
PROGRAMS = ("dashboard", "service")


@dataclass(frozen=True)
class Floors:
    """A program's floors, the top one first, each with its packages and modules."""

    program: str
    floors: tuple[tuple[str, ...], ...]

    def of(self, name: str) -> int | None:
        """The number of a package's floor, 1 on the ground; None for what has none."""
        return next((len(self.floors) - at for at, names in enumerate(self.floors) if name in names), None)


def contracts() -> list[dict[str, Any]]:
    """The contracts of import-linter, as pyproject.toml has them."""
    return list(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"])


def floors_of(program: str) -> Floors | None:
    """The floors of a program, None while it has no contract of layers over all of it."""
    layers = next((one for one in contracts() if one["type"] == "layers" and one.get("containers") == [program]), None)
    if layers is None:
        return None
    names = [tuple(each.strip(" ()") for each in line.replace(":", "|").split("|")) for line in layers["layers"]]
    there = [tuple(name for name in line if _is_there(program, name)) for line in names]
    return Floors(program, tuple(line for line in there if line))


def _is_there(program: str, name: str) -> bool:
    return (ROOT / program / name).is_dir() or (ROOT / program / f"{name}.py").is_file()


@cache
def arrows_of(program: str) -> dict[str, set[str]]:
    """Which other packages each package of a program imports (a module beside the packages is one)."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph(program, cache_dir=None)
    arrows: dict[str, set[str]] = {}
    for module in graph.modules:
        if module == program:
            continue
        here = module.split(".")[1]
        arrows.setdefault(here, set())
        for target in graph.find_modules_directly_imported_by(module):
            there = target.partition(".")[2].split(".")[0]
            if there and there != here:
                arrows[here].add(there)
    return arrows


def table(floors: Floors) -> list[str]:
    """The table of a program, line by line: floor, what stands on it, and what that imports."""
    arrows = arrows_of(floors.program)
    lines = [
        f"`{floors.program}/`, the top floor first:",
        "",
        "| floor | package | imports |",
        "|--:|---|---|",
    ]
    for names in floors.floors:
        for name in names:
            found = sorted(arrows.get(name, ()), key=lambda to: (-(floors.of(to) or 0), to))
            lines.append(f"| {floors.of(name)} | `{name}` | {', '.join(found)} |")
    return lines


def written() -> str:
    """What stands between the marks of docs/architecture.md."""
    tables = [table(floors) for program in PROGRAMS if (floors := floors_of(program)) is not None]
    return "\n".join([BEGIN, *(line for lines in tables for line in ("", *lines)), "", END])


def page_with_floors() -> str:
    """docs/architecture.md with the tables as they are now."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{written()}{after}"


if __name__ == "__main__":
    PAGE.write_text(page_with_floors(), encoding="utf-8")
