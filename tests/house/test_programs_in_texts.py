"""A program that stands in a text, for another process to run, imports what is there: no check of types reads it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
OURS = ("benchmarks", "config", "dashboard", "service", "telemetry", "tests")


def texts_of(tree: ast.AST) -> Iterator[str]:
    """The texts of a module; what an f-string puts in is a nought there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "0" for part in node.values]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def program_in(text: str) -> ast.Module:
    """A text read as a program, as it is or with noughts where `format` will put something in; an empty one where it is none."""
    filled = re.sub(r"(?<!{){\w+(![rs])?}(?!})", "0", text).replace("{{", "{").replace("}}", "}")
    for each in (text, filled):
        try:
            return ast.parse(each)
        except SyntaxError:
            continue
    return ast.Module([], [])


def imports_of(source: str) -> Iterator[tuple[str, str]]:
    """Each module of ours that the programs in a module's texts import, and the name that they take from it; "" is itself."""
    for text in texts_of(ast.parse(source)):
        for node in ast.walk(program_in(text) if "import " in text else ast.Module([], [])):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((node.module, alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)


def bound_names(tree: ast.Module) -> set[str]:
    """The names that a module has once it is loaded, of the statements that stand at its top or under a condition there."""
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return names


def is_there(module: str, name: str, root: Path = ROOT) -> bool:
    """Whether a module of ours is there, and has this name or a module of this name below it."""
    folder = root.joinpath(*module.split("."))
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    if not file.is_file():
        return False
    below = [folder / f"{name}.py", folder / name / "__init__.py"]
    return not name or any(path.is_file() for path in below) or name in bound_names(ast.parse(file.read_text()))


# Not those of tests, which make programs up that are wrong.
FILES = sorted(path for folder in ("benchmarks", "config") for path in (ROOT / folder).rglob("*.py"))


def missing_from(source: str, root: Path = ROOT) -> list[tuple[str, str]]:
    """What the programs in a module's texts import of ours and is not there."""
    found = dict.fromkeys((module, name) for module, name in imports_of(source) if module.partition(".")[0] in OURS)
    return [(module, name) for module, name in found if not is_there(module, name, root)]


def test_what_they_import_is_there() -> None:
    missing = {str(path.relative_to(ROOT)): missing_from(path.read_text()) for path in FILES}
    assert {path: names for path, names in missing.items() if names} == {}


def test_there_are_such_programs() -> None:
    reading = {path.name for path in FILES if any(imports_of(path.read_text()))}
    assert {"posting_over_http.py", "expenses_list.py", "approvals_page.py", "payout_rows.py"} <= reading


@pytest.mark.parametrize(
    ("program", "missing"),
    [
        ("from service.money import gone", [("service.money", "gone")]),
        ("import service.gone", [("service.gone", "")]),
        ("from service import gone, money", [("service", "gone")]),
        ("from service.money import to_minor as minor", []),
        ("name = {name!r}\nfrom service import gone", [("service", "gone")]),
        ("from elsewhere import anything", []),
        ("import a few of them", []),
    ],
)
def test_what_is_missing_is_found(program: str, missing: list[tuple[str, str]]) -> None:
    for text in (repr(program), repr(f"{program}\nprint({{}})"), f"f{program!r}"):
        assert missing_from(f"PROGRAM = {text}") == missing, text
