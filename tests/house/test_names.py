"""The names in the code: what a function, a class, an argument, a variable or an attribute is called says what it is.

A word such as `found`, `one` or `told` says nothing of what it names: that is a decision, a row, a sentence.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.test_rules import name_of, python_files, tree_of

EMPTY_WORDS = frozenset(
    {
        "found", "one", "ones", "each", "kept", "keeps", "said", "says", "saying", "asked", "asks", "asking", "told",
        "tells", "telling", "thing", "things", "made", "looked", "looks", "looking", "wanted", "wants", "taken", "takes",
        "shown",
    }
)  # fmt: skip
# The field's own terms that hold such a word: HTTP's 404.
STANDARD_TERMS = frozenset({"NotFound", "not_found"})
# How many such names a package may still have that was not renamed with the others: a number is lowered, never raised,
# and a package that has none left is taken off.
NOT_RENAMED_YET: dict[str, int] = {
    "service/accounting": 16, "service/accounts": 25, "service/apikey.py": 2,
    "service/approvals": 27, "service/budgets": 3, "service/business_policies": 37,
    "service/cards": 58, "service/categories": 13, "service/customers": 18, "service/documentation.py": 1,
    "service/documents_formats.py": 1, "service/documents_pdf.py": 2, "service/effects.py": 1,
    "service/employees": 20, "service/events": 4, "service/expenses": 25, "service/fx": 6, "service/grants.py": 1,
    "service/idempotency.py": 4, "service/inputs.py": 2, "service/investments": 27, "service/journal": 3,
    "service/ledger": 9, "service/middleware.py": 1, "service/oauth.py": 2, "service/openapi": 24,
    "service/pagination.py": 3, "service/permissions": 11, "service/problems.py": 2,
    "service/publishing": 1, "service/rails": 4, "service/ratelimit.py": 1, "service/risk": 2, "service/sandbox": 68,
    "service/spreadsheet.py": 1, "service/statements": 6, "service/subscriptions": 34, "service/taxes": 20,
    "service/teams": 17, "service/transactions": 9, "service/ttl_cache.py": 1,
    "service/wallet_policies": 15, "service/webhooks": 5,
}  # fmt: skip
# What a line of a class body assigns and something else names: a table's column, a form's field.
DECLARED = re.compile(r"models\.\w+|(?:forms\.)?\w*Field")


def parts_of(name: str) -> set[str]:
    """The words of an identifier, in small letters: `_found_by` has found and by, `KeptPlan` kept and plan."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def is_declaration(owner: ast.ClassDef, line: ast.stmt) -> bool:
    """Whether a line of a class declares a column, a field of a form, a code or a key of JSON: these keep their names."""
    if not isinstance(line, ast.Assign | ast.AnnAssign):
        return False
    # The keys of a TypedDict are those of the JSON that it describes.
    codes_or_keys = {"TextChoices", "StrEnum", "TypedDict"}
    is_code = any(ast.unparse(base).rpartition(".")[2] in codes_or_keys for base in owner.bases)
    return is_code or (
        isinstance(line.value, ast.Call) and DECLARED.fullmatch(ast.unparse(line.value.func)) is not None
    )


def declared_names(tree: ast.Module) -> set[ast.Name]:
    """The targets of all declarations of a module's classes."""
    return {
        target
        for owner in ast.walk(tree)
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
    for node in ast.walk(tree):
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


def empty_names(program: str) -> dict[str, list[str]]:
    """By package ("dashboard/lists", "dashboard/pages/cards"), each "file:line: name" whose name says nothing."""
    trees = {file: tree_of(file) for file in python_files(program)}
    columns = frozenset(target.id for tree in trees.values() for target in declared_names(tree))
    names: dict[str, list[str]] = {}
    for file, tree in trees.items():
        place = name_of(file).split("/")
        package = "/".join(place[: 3 if place[1] == "pages" else 2])
        for line, name in defined_names(tree, columns):
            if parts_of(name) & EMPTY_WORDS and name not in STANDARD_TERMS:
                names.setdefault(package, []).append(f"{name_of(file)}:{line}: {name}")
    return names


@pytest.mark.parametrize("program", ["dashboard", "service"])
def test_every_name_says_what_it_names(program: str) -> None:
    names = empty_names(program)
    allowed = {package: count for package, count in NOT_RENAMED_YET.items() if package.split("/")[0] == program}
    assert not {package: lines for package, lines in names.items() if len(lines) > allowed.get(package, 0)}
    assert not {package for package in allowed if package not in names}, "renamed by now: take them off the list"


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
        "class Outcome(models.TextChoices):\n    TAKEN = 'TAKEN', 'Taken'",
    ],
)
def test_what_is_named_elsewhere_and_what_says_something_is_let_through(source: str) -> None:
    assert not [name for _, name in defined_names(ast.parse(source)) if parts_of(name) & EMPTY_WORDS]
