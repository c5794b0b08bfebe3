"""docs/how-to-change-something.md names what there is: every file of it exists, every name of it is used in a file that the
same part names. What docs/how-to-add-an-area.md says beside its blocks names what there is in the programs; the blocks are
carried out by tests/dashboard/lists/test_toy_area.py."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.sources import ROOT, nodes_of, python_files, tree_of

PAGE = ROOT / "docs" / "how-to-change-something.md"
NEW_AREA = ROOT / "docs" / "how-to-add-an-area.md"
# Between three of them stands what the page adds.
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w/<>.-]+\.(?:py|toml|html|json|csv|md)")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")


def parts(page: str) -> list[str]:
    """The parts of the page, each a change that is described."""
    return page.split("\n## ")[1:]


def files_of(part: str) -> Iterator[tuple[str, list[Path]]]:
    """Each file that a part names, with what it stands for: `<area>` is any, and a bare name lies beside the file before it."""
    folder = ""
    for name in QUOTED.findall(part):
        if FILE.fullmatch(name):
            path = name if "/" in name else f"{folder}/{name}"
            folder = path.rpartition("/")[0]
            yield name, sorted(ROOT.glob(path.replace("<area>", "*")))


def names_in(file: Path) -> Iterator[str]:
    """What a module defines, reads, declares and passes by name."""
    for node in nodes_of(tree_of(file)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                yield name


def missing(page: str) -> set[str]:
    """The files of a page that there are not, and its names that no module of their part has."""
    found = set()
    for part in parts(page):
        files = dict(files_of(part))
        known = {name for paths in files.values() for path in paths if path.suffix == ".py" for name in names_in(path)}
        found |= {name for name, paths in files.items() if not paths}
        for name in QUOTED.findall(part):
            if not FILE.fullmatch(name) and NAME.fullmatch(name) and name.rpartition(".")[2] not in known:
                found.add(name)
    return found


def test_the_page_names_files_and_names_that_there_are() -> None:
    page = PAGE.read_text()
    assert len(parts(page)) == 3
    assert missing(page) == set()


def test_a_name_that_was_changed_is_found() -> None:
    page = PAGE.read_text()
    assert missing(page.replace("`render`", "`says`")) == {"says"}
    assert missing(page.replace("access/rules.py", "access/rule.py")) >= {"dashboard/access/rule.py", "HOLDS", "RULES"}


@cache
def names_of_the_programs() -> frozenset[str]:
    return frozenset(name for file in python_files("dashboard", "service", "config") for name in names_in(file))


def unknown_names(page: str) -> set[str]:
    """The names that a page says beside its blocks and no module of the programs has."""
    names = [name for name in QUOTED.findall(BLOCK.sub("", page)) if NAME.fullmatch(name) and not FILE.fullmatch(name)]
    assert len(names) > 20
    return {name for name in names if name.rpartition(".")[2] not in names_of_the_programs()}


def test_the_page_on_areas_names_what_there_is() -> None:
    assert unknown_names(NEW_AREA.read_text()) == set()


def test_a_class_that_was_renamed_is_found() -> None:
    assert unknown_names(NEW_AREA.read_text().replace("`ApprovalKind`", "`RequestKind`")) == {"RequestKind"}
