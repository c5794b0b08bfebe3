"""One word, one meaning, for parameters: what a function calls `line` or `person` is of one class in the whole program.

The names of classes, functions and constants are looked at in test_one_meaning.py, words that say nothing in
test_names.py. A parameter's name is what its body reads by, so a reader who knows one function of a program should know
what the same word is in the next.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

from tests.house.sources import nodes_of
from tests.house.test_one_meaning import modules_of

# Words of many things, and the one class that each stands for alone; what is another thing has a qualified name: a line of a
# bill is a `bill_line`. "…State": any class whose name ends so, each the states of one machine; "…Choices": what the fields of
# one form offer.
MEANINGS: dict[str, dict[str, set[str]]] = {
    "dashboard": {
        "change": {"PayeeChange"},
        "choices": {"…Choices"},
        "document": {"Document"},
        "entry": {"AuditEntry"},
        "item": {"Mirrored", "Expense", "Transaction"},
        "kind": {"…Kind"},
        "line": {"PaymentLine"},
        "note": set(),
        "person": {"Employee"},
        "plan": {"Plan"},
        "record": set(),
        "state": {"…State"},
    },
    "service": {
        "change": {"CardChange"},
        "document": {"Document"},
        "entry": {"LedgerEntry"},
        "item": {"Item"},
        "kind": {"…Kind"},
        "line": {"StatementLine"},
        "note": set(),
        "person": {"Employee"},
        "plan": {"Plan"},
        "record": set(),
        "state": {"…State"},
    },
}
# What says which argument of the function it is, and not what: of these each function has its own.
PLACES = frozenset(
    {"after", "before", "body", "changes", "context", "current", "form", "new", "of", "other", "query", "row"}
)
# Other names that stand for several classes: none.
SEVERAL: dict[str, dict[str, int]] = {"dashboard": {}, "service": {}}

Modules = Mapping[str, ast.Module]


def classes_of(modules: Modules) -> set[str]:
    """The names of all classes that a program defines."""
    return {node.name for tree in modules.values() for node in nodes_of(tree) if isinstance(node, ast.ClassDef)}


def named_classes(annotation: ast.expr, classes: set[str]) -> frozenset[str]:
    """The classes of the program that a parameter is of, by their own names; none for a list of them, and other types."""
    if any(isinstance(node, ast.Subscript) for node in ast.walk(annotation)):
        return frozenset()
    names = (
        node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        for node in outermost(annotation)
    )
    return frozenset(name for name in names if name in classes)


def outermost(annotation: ast.expr) -> Iterator[ast.expr]:
    """The types of a union: of `models.Row | None` the attribute and the None."""
    if isinstance(annotation, ast.BinOp):
        yield from outermost(annotation.left)
        yield from outermost(annotation.right)
    else:
        yield annotation


def parameters_of(modules: Modules) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Place, name and classes of each parameter that is of a class of the program."""
    classes = classes_of(modules)
    for module, tree in modules.items():
        for node in nodes_of(tree):
            if isinstance(node, ast.arg) and node.annotation and (named := named_classes(node.annotation, classes)):
                yield f"{module}:{node.lineno}", node.arg, named


def is_meant(name: str, meanings: set[str]) -> bool:
    """Whether a class is one of those that a word stands for."""
    return name in meanings or any(end.startswith("…") and name.endswith(end[1:]) for end in meanings)


def other_meanings(modules: Modules, meanings: Mapping[str, set[str]]) -> set[str]:
    """The parameters that such a word names though they are of another class."""
    return {
        f"{place} {word}: {' | '.join(sorted(classes))}"
        for place, word, classes in parameters_of(modules)
        if word in meanings and not all(is_meant(name, meanings[word]) for name in classes)
    }


def several_meanings(modules: Modules, known: Mapping[str, set[str]]) -> dict[str, int]:
    """The further names that stand for several classes, and for how many."""
    found = defaultdict(set)
    for _, word, classes in parameters_of(modules):
        if word not in known and word not in PLACES and not word.startswith("_"):
            found[word].add(classes)
    return {word: len(classes) for word, classes in sorted(found.items()) if len(classes) > 1}


@pytest.fixture(scope="module", params=["dashboard", "service"])
def program(request: pytest.FixtureRequest) -> tuple[str, Modules]:
    return request.param, modules_of(request.param)


def test_a_word_of_many_things_stands_for_one_of_them(program: tuple[str, Modules]) -> None:
    name, modules = program
    assert other_meanings(modules, MEANINGS[name]) == set()


def test_no_further_name_gets_a_second_meaning(program: tuple[str, Modules]) -> None:
    """A second class gets a qualified name, or a Protocol where both are one thing to whoever takes it."""
    name, modules = program
    assert several_meanings(modules, MEANINGS[name]) == SEVERAL[name]


def toy(**texts: str) -> dict[str, ast.Module]:
    return {name: ast.parse(text) for name, text in texts.items()}


@pytest.mark.parametrize(
    ("annotation", "is_seen"),
    [
        ("BillLine", True),
        ("models.BillLine | None", True),
        ("Line | BillLine", True),
        ("Line", False),
        ("Line | None", False),
        ("str", False),
        ("list[BillLine]", False),
        ("BankLineState", False),
    ],
)
def test_a_word_for_another_class_is_seen(annotation: str, is_seen: bool) -> None:
    modules = toy(
        models="class Line: ...\nclass BillLine: ...\nclass BankLineState: ...",
        views=f"class Page:\n    async def of(self, *, line: {annotation}) -> None: ...",
    )
    assert bool(other_meanings(modules, {"line": {"Line", "…State"}})) == is_seen


def test_a_second_class_for_one_name_is_counted() -> None:
    modules = toy(
        a="class Policy: ...\nclass Grant: ...\ndef f(policy: Policy, row: Policy, other: str): ...",
        b="def g(policy: Grant | None, row: Grant, *policies: Policy): ...",
    )
    assert several_meanings(modules, {}) == {"policy": 2}
    assert several_meanings(modules, {"policy": {"Policy"}}) == {}
