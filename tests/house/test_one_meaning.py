"""One word, one meaning: a name that a module takes from another stands for one thing in the whole program.

Whoever reads `Request`, `Item`, `title_of` or `STATES` in a file need not look up which of several it is. What nobody
imports may be called as it likes, as what it is stands beside it; and so may a function or a constant with its module in
front.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set

import pytest

from tests.house.sources import name_of, nodes_of, python_files, tree_of

# Names of classes with two meanings, each with the reason; a name that needs it no more leaves the list.
EXCEPT = {
    "dashboard": {},
    "service": {"Document": "A file that somebody sent; the document of OpenAPI has the name that OpenAPI gives it."},
}
# What is copied from the service bears there and here the name that the service publishes: its answer, and our row of it.
ANSWERS, ROWS = "dashboard.schemas.", ("dashboard.mirror.models.", "dashboard.journal_exports.models")
# What HTTP calls a request; nothing else is called `request`.
REQUESTS = frozenset({"HttpRequest", "ActorRequest", "ApiRequest", "PreparedRequest", "WSGIRequest"})
# The signatures of these are those of oauthlib, whose request of HTTP has no type of its own.
UNTYPED_REQUESTS = frozenset({"service/oauth.py"})
TYPE_NAME = re.compile(r"[A-Z]+[a-z]\w*")
CONSTANT_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
# How many names of constants several modules of a program define, where somebody imports them bare: fewer may be written
# here, more never.
AMBIGUOUS_CONSTANTS = {"dashboard": 0, "service": 0}

Modules = Mapping[str, ast.Module]


def classes_in(tree: ast.Module) -> Iterator[str]:
    """The classes and type aliases that a module defines at its top."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if TYPE_NAME.fullmatch(name):
                    yield name


def functions_in(tree: ast.Module) -> Iterator[str]:
    """The functions that a module defines at its top."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def constants_in(tree: ast.Module) -> Iterator[str]:
    """The constants that a module defines at its top, also several at once: `OPEN, CLOSED = …`."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=targets):
                names = [name for target in targets for name in getattr(target, "elts", [target])]
            case ast.AnnAssign(target=target):
                names = [target]
            case _:
                continue
        yield from (name.id for name in names if isinstance(name, ast.Name) and CONSTANT_NAME.fullmatch(name.id))


def imports_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that a module takes from another, with that module."""
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias.name


def uses_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that a module reads from a module that it knows: `models.Expense`, with the module in front."""
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in nodes_of(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in nodes_of(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in modules:
                yield modules[module], name


def meanings(defined: Set[tuple[str, str]], uses: Mapping[str, Set[tuple[str, str]]]) -> dict[str, set[str]]:
    """The modules that define each public name, as far as another module uses it.

    `defined` are pairs of module and name, `uses` those that each module takes from others. A package hands on what its
    modules define, so that `from dashboard.mirror.models import Expense` leads to the module that has it.
    """
    handed_on = {(module, name): (source, name) for module, taken_names in uses.items() for source, name in taken_names}
    places = defaultdict(set)
    for module, names in uses.items():
        for used in names:
            origin = used
            while origin not in defined and origin in handed_on:
                origin = handed_on[origin]
            if origin in defined and origin[0] != module and not origin[1].startswith("_"):
                places[origin[1]].add(origin[0])
    return places


def ambiguous_classes(modules: Modules) -> set[str]:
    """The names of classes and type aliases with several meanings."""
    defined = {(module, name) for module, tree in modules.items() for name in classes_in(tree)}
    uses = {module: {*imports_of(tree), *uses_of(tree)} for module, tree in modules.items()}
    return {name for name, places in meanings(defined, uses).items() if len(places) > 1 and not is_copy(places)}


def is_copy(places: Set[str]) -> bool:
    """Whether a name stands for an answer of the service and for our row of it, and for nothing else."""
    answers, rows = ({place for place in places if place.startswith(prefix)} for prefix in (ANSWERS, ROWS))
    return len(answers) == len(rows) == 1 and places == answers | rows


def ambiguous_functions(modules: Modules) -> set[str]:
    """The names of functions with several meanings that are imported bare."""
    return _ambiguous(modules, functions_in)


def ambiguous_constants(modules: Modules) -> set[str]:
    """The names of constants with several meanings that are imported bare."""
    return _ambiguous(modules, constants_in)


def _ambiguous(modules: Modules, names_in: Callable[[ast.Module], Iterator[str]]) -> set[str]:
    defined = {(module, name) for module, tree in modules.items() for name in names_in(tree)}
    uses = {module: set(imports_of(tree)) for module, tree in modules.items()}
    return {name for name, places in meanings(defined, uses).items() if len(places) > 1}


def other_requests(tree: ast.Module) -> Iterator[int]:
    """The lines of the parameters and attributes named `request` that no request of HTTP is known to be in."""
    for node in nodes_of(tree):
        match node:
            case ast.arg(arg="request", annotation=annotation):
                known = annotation
            case ast.AnnAssign(target=ast.Name(id="request") | ast.Attribute(attr="request"), annotation=annotation):
                known = annotation
            case _:
                continue
        words = set(re.findall(r"\w+", ast.unparse(known))) if known is not None else set()
        if not words & REQUESTS:
            yield node.lineno


def modules_of(program: str) -> dict[str, ast.Module]:
    return {
        name_of(file).removesuffix(".py").removesuffix("/__init__").replace("/", "."): tree_of(file)
        for file in python_files(program)
    }


@pytest.fixture(scope="module", params=["dashboard", "service"])
def program(request: pytest.FixtureRequest) -> tuple[str, Modules]:
    return request.param, modules_of(request.param)


def test_a_class_that_others_import_has_a_name_of_its_own(program: tuple[str, Modules]) -> None:
    name, modules = program
    assert ambiguous_classes(modules) == set(EXCEPT[name])


def test_a_function_that_is_imported_bare_has_a_name_of_its_own(program: tuple[str, Modules]) -> None:
    """What each area does in its own way, such as `move` and `voted`, is called with its module in front."""
    _, modules = program
    assert ambiguous_functions(modules) == set()


def test_no_more_constants_share_a_name_than_before(program: tuple[str, Modules]) -> None:
    name, modules = program
    ambiguous = ambiguous_constants(modules)
    assert len(ambiguous) == AMBIGUOUS_CONSTANTS[name], sorted(ambiguous)


def test_a_request_is_one_of_http(program: tuple[str, Modules]) -> None:
    _, modules = program
    lines = {
        f"{module}:{line}"
        for module, tree in modules.items()
        if f"{module.replace('.', '/')}.py" not in UNTYPED_REQUESTS
        for line in other_requests(tree)
    }
    assert lines == set()


def tree_by_name(**texts: str) -> dict[str, ast.Module]:
    """Modules of a toy program by their names; "__" stands for the dot."""
    return {name.replace("__", "."): ast.parse(text) for name, text in texts.items()}


@pytest.mark.parametrize(
    "reader",
    [
        "from p.a import Item\nfrom p.b import Item as Other",
        "from p import a, b\nprint(a.Item, b.Item)",
        "from p.a import Item\nfrom p.handing import Item as Other",
    ],
)
@pytest.mark.parametrize("other", ["class Item: ...", "Item = int | str", "Item: type = int"])
def test_two_imported_classes_of_one_name_are_seen(reader: str, other: str) -> None:
    modules = tree_by_name(p__a="class Item: ...", p__b=other, p__handing="from p.b import Item", p__reader=reader)
    assert ambiguous_classes(modules) == {"Item"}


@pytest.mark.parametrize(
    "reader", ["from p.a import Item", "from p.handing import Item", "from elsewhere import Item", "ITEM = 1"]
)
def test_a_class_that_nobody_else_imports_is_called_as_it_likes(reader: str) -> None:
    modules = tree_by_name(
        p__a="class Item: ...", p__b="class Item: ...\nX = Item()", p__handing="from p.a import Item", p__reader=reader
    )
    assert ambiguous_classes(modules) == set()


def test_an_answer_and_our_row_of_it_are_one_thing_and_a_third_is_not() -> None:
    modules = tree_by_name(
        dashboard__schemas__cards="class Card: ...",
        dashboard__mirror__models__cards="class Card: ...",
        p__reader="from dashboard.schemas.cards import Card as A\nfrom dashboard.mirror.models.cards import Card",
    )
    assert ambiguous_classes(modules) == set()
    modules |= tree_by_name(dashboard__schemas__fx="class Card: ...", p__b="from dashboard.schemas.fx import Card")
    assert ambiguous_classes(modules) == {"Card"}


def test_two_functions_of_one_name_are_seen_where_they_are_imported_bare() -> None:
    modules = tree_by_name(p__a="def key(): ...", p__b="def key(): ...", p__c="from p.a import key")
    assert ambiguous_functions(modules | tree_by_name(p__d="from p import b\nb.key()")) == set()
    assert ambiguous_functions(modules | tree_by_name(p__d="from p.b import key")) == {"key"}


@pytest.mark.parametrize("other", ["STATES = 2", "STATES: int = 2", "OPEN, STATES = 1, 2"])
def test_two_constants_of_one_name_are_seen_where_they_are_imported_bare(other: str) -> None:
    modules = tree_by_name(p__a="STATES = 1", p__b=other, p__c="from p.a import STATES")
    assert ambiguous_constants(modules | tree_by_name(p__d="from p import b\nprint(b.STATES)")) == set()
    assert ambiguous_constants(modules | tree_by_name(p__d="from p.b import STATES as OTHERS")) == {"STATES"}


@pytest.mark.parametrize(
    ("source", "is_seen"),
    [
        ("def f(request): ...", True),
        ("def f(request: Approval): ...", True),
        ("def f(*, request: Any): ...", True),
        ("class A:\n    request: Schema", True),
        ("class A:\n    def f(self): self.request: Row = 1", True),
        ("def f(request: HttpRequest | None): ...", False),
        ("def f(request: requests.PreparedRequest): ...", False),
        ("class A:\n    request: ActorRequest", False),
    ],
)
def test_a_request_of_another_kind_is_seen(source: str, is_seen: bool) -> None:
    assert bool(list(other_requests(ast.parse(source)))) == is_seen
