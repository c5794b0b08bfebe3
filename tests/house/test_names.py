"""The names in the code: what a function, a class, an argument, a variable or an attribute is called says what it is.

A word such as `found`, `one` or `told` says nothing of what it names: that is a decision, a row, a sentence.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.sources import ROOT, name_of, nodes_of, python_files, tree_of

EMPTY_WORDS = frozenset(
    {
        "found", "one", "ones", "each", "kept", "keeps", "said", "says", "saying", "asked", "asks", "asking", "told",
        "tells", "telling", "thing", "things", "made", "looked", "looks", "looking", "wanted", "wants", "taken", "takes",
        "shown",
    }
)  # fmt: skip
# The field's own terms that hold such a word: HTTP's 404.
STANDARD_TERMS = frozenset({"NotFound", "not_found"})
# Schemas that the published interface (docs/openapi) names so: a client generated from it has classes of these names.
PUBLISHED_SCHEMAS = frozenset({"WantedOrder"})
# What a line of a class body assigns and something else names: a table's column, a form's field.
DECLARED = re.compile(r"models\.\w+|(?:forms\.)?\w*Field")


def parts_of(name: str) -> set[str]:
    """The words of an identifier, in small letters: `_found_by` has found and by, `KeptPlan` kept and plan."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def is_declaration(owner: ast.ClassDef, line: ast.stmt) -> bool:
    """Whether a line of a class declares a column, a field of a form, a code or a key of JSON: these keep their names."""
    if not isinstance(line, ast.Assign | ast.AnnAssign):
        return False
    # The keys of a TypedDict, and the fields of a body or an answer of the interface, are those of the JSON.
    codes_or_keys = {"TextChoices", "StrEnum", "TypedDict", "Schema"}
    bases = {ast.unparse(base).rpartition(".")[2] for base in owner.bases}
    # And those of the columns that a mapper fills are the table's.
    is_code = bool(bases & codes_or_keys) or ("NamedTuple" in bases and owner.name.endswith("Columns"))
    return is_code or (
        isinstance(line.value, ast.Call) and DECLARED.fullmatch(ast.unparse(line.value.func)) is not None
    )


def declared_names(tree: ast.Module) -> set[ast.Name]:
    """The targets of all declarations of a module's classes."""
    return {
        target
        for owner in nodes_of(tree)
        if isinstance(owner, ast.ClassDef)
        for line in owner.body
        if is_declaration(owner, line)
        for target in ast.walk(line)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    }


def defined_names(tree: ast.Module, columns: frozenset[str] = frozenset()) -> Iterator[tuple[int, str]]:
    """Line and name of all that a module names: its functions, classes, arguments, variables and attributes.

    Declarations are left out, and so are the attributes that `columns`, those of the whole program, declare.
    """
    declared = declared_names(tree)
    columns |= {target.id for target in declared}
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in declared:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr not in columns:
            yield node.lineno, node.attr
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.lineno, node.name
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname


def empty_names(program: str) -> list[str]:
    """Each "file:line: name" of a program whose name says nothing."""
    trees = {file: tree_of(file) for file in python_files(program)}
    columns = frozenset(target.id for tree in trees.values() for target in declared_names(tree))
    return [
        f"{name_of(file)}:{line}: {name}"
        for file, tree in trees.items()
        for line, name in defined_names(tree, columns)
        if parts_of(name) & EMPTY_WORDS and name not in STANDARD_TERMS | PUBLISHED_SCHEMAS
    ]


@pytest.mark.parametrize("program", ["dashboard", "service", "config", "telemetry"])
def test_every_name_says_what_it_names(program: str) -> None:
    assert empty_names(program) == []


@pytest.mark.parametrize(
    "source",
    [
        "def found_by(x): ...",
        "class KeptPlan: ...",
        "def f(asked): ...",
        "def f(*, told=None): ...",
        "x = [one.pk for one in rows]",
        "made: int = 1",
        "if (wanted := f()): ...",
        "for each in rows: ...",
        "with f() as thing: ...",
        "self.shown = 1",
        "f = lambda said: 1",
        "try: ...\nexcept ValueError as one: ...",
        "match x:\n    case [found]: ...",
        "import a as kept",
    ],
)
def test_an_empty_name_is_seen_wherever_it_is_given(source: str) -> None:
    assert [name for _, name in defined_names(ast.parse(source)) if parts_of(name) & EMPTY_WORDS]


@pytest.mark.parametrize(
    "source",
    [
        "f(found=1)",
        "x = row.asked",
        "phone = founded = seldom = 1",
        "class Export(models.Model):\n    asked = models.JSONField()\ne.asked = 1",
        "class ControlsForm(Form):\n    one_purchase = AmountField()",
        "class StepOut(Schema):\n    says: str",
        "class Outcome(models.TextChoices):\n    TAKEN = 'TAKEN', 'Taken'",
    ],
)
def test_what_is_named_elsewhere_and_what_says_something_is_let_through(source: str) -> None:
    assert not [name for _, name in defined_names(ast.parse(source)) if parts_of(name) & EMPTY_WORDS]


# What a script declares: variables, also taken out of an object or a list, functions with their parameters, and caught errors.
DECLARED_IN_SCRIPTS = re.compile(
    r"\b(?:const|let|var)\s+([\w$]+|\{[^}]*\}|\[[^\]]*\])|\bfunction\s*\*?\s*([\w$]*\s*\([^)]*\))|\(([^()]*)\)\s*=>"
    r"|([\w$]+)\s*=>|\bcatch\s*\((\w+)\)"
)


def names_in_script(source: str) -> set[str]:
    """The names that a script gives."""
    declarations = (part for match in DECLARED_IN_SCRIPTS.findall(source) for part in match)
    return {name for part in declarations for name in re.findall(r"[A-Za-z_$][\w$]*", part)}


def test_every_name_in_a_script_says_what_it_names() -> None:
    scripts = sorted((ROOT / "static/js").glob("*.js"))
    assert len(scripts) > 20
    named = {(script.name, name) for script in scripts for name in names_in_script(script.read_text())}
    assert {(script, name) for script, name in named if parts_of(name) & EMPTY_WORDS} == set()


@pytest.mark.parametrize(
    "source",
    [
        "const found = 1;",
        "const { path, asked } = entry;",
        "rows.filter((one) => one.open)",
        "rows.map(one => one.open)",
        "function f(told) {}",
        "async function askedOnce() {}",
        "try {} catch (thing) {}",
        "for (const each of rows) {}",
    ],
)
def test_an_empty_name_in_a_script_is_seen(source: str) -> None:
    assert any(parts_of(name) & EMPTY_WORDS for name in names_in_script(source))
