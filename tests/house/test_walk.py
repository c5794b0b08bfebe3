"""The walk of "approve an expense" in docs/architecture.md, file by file: short, there, connected, and nothing left out."""

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from tests.house.sources import ROOT, imports_of, name_of, nodes_of, tree_of

PAGE = ROOT / "docs" / "architecture.md"
STEP = re.compile(r"^\| (\d+) \| `(dashboard/[^`]+)` \| ([^|]+) \|$", re.MULTILINE)
# A number that goes down.
LONGEST = 20
# What the functions of the walk call and the reader of it need not open, with what it does there.
BESIDE = {
    "dashboard/access/actor.py": "Who it is: a membership, read anew.",
    "dashboard/access/roles.py": "The names of the roles.",
    "dashboard/access/secrets.py": "Seals and unseals a stored token.",
    "dashboard/access/sessions.py": "The new id of a session that proved itself again.",
    "dashboard/access/subject.py": "The facts of a row, as rules and audit read them.",
    "dashboard/access/written_rows.py": "A row of a table from a statement that is written once.",
    "dashboard/audit/models.py": "The table of the audit.",
    "dashboard/audit/naming.py": "Names beside the ids in a line of the audit.",
    "dashboard/cache.py": "Reads and writes what all processes share.",
    "dashboard/client/address.py": "Refuses an address of the service that the installation does not list.",
    "dashboard/client/breaker.py": "Whether a service that fails is asked at all.",
    "dashboard/client/rate_limit.py": "How many calls a business has left this minute.",
    "dashboard/client/call_parts.py": "Address and body of a call.",
    "dashboard/client/http.py": "The shapes of a call, its deadline and its answer.",
    "dashboard/client/json.py": "Numbers of JSON without loss.",
    "dashboard/client/models.py": "The tables of service accounts and of what is sent.",
    "dashboard/client/oauth.py": "Fetches the token.",
    "dashboard/client/outbox_keys.py": "The next key of a form that was refused; a decision has one key for good.",
    "dashboard/client/refusals.py": "Which error an answer of the service is.",
    "dashboard/client/sessions.py": "The connections to the service, and TLS that says what has left.",
    "dashboard/decisions/alerts.py": "Ends the message that a decision failed, once it is done.",
    "dashboard/decisions/clean.py": "Whether it stood in the clean lane: noted, and decides nothing.",
    "dashboard/decisions/presenters.py": "The sentences of the toast.",
    "dashboard/delegation/policy.py": "For whom somebody stood in, in a sentence of the audit.",
    "dashboard/enqueue.py": "Sends a task to a worker.",
    "dashboard/replica.py": "Notes up to where somebody's lists have to be read, where there is a replica of the database.",
    "dashboard/errors/doubts.py": "Unknown, and done before, with their sentences.",
    "dashboard/errors/outages.py": "Errors of a service that cannot, with their sentences.",
    "dashboard/errors/refusals.py": "Refusals, with their sentences.",
    "dashboard/form_key.py": "Which form is being worked on, for the answer that gets lost.",
    "dashboard/metrics.py": "Counts calls.",
    "dashboard/mirror/events.py": "Tells other processes that a row was written.",
    "dashboard/mirror/mappers/mapper.py": "Id and version of an answer.",
    "dashboard/mirror/models/approvals.py": "The table of what is voted on.",
    "dashboard/mirror/models/expenses.py": "The table of expenses.",
    "dashboard/operations.py": "The row of the operation: who may, and by which rules.",
    "dashboard/pages/approvals/views/desk.py": "Draws the desk again.",
    "dashboard/schemas/expenses.py": "The answer of a call for several expenses.",
    "dashboard/web/fields.py": "A field that takes text as it was typed.",
    "dashboard/web/form_outcome.py": "Says in a header how a form ended.",
    "dashboard/web/respond.py": "Whether a part of the page was asked for, or all of it.",
    "dashboard/web/signin/factors.py": "Whether somebody has a second factor.",
}
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


def file_of(module: str) -> Path | None:
    base = ROOT / module.replace(".", "/")
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.exists()), None)


def home_of(module: str, name: str) -> Path:
    """The file in which a name is defined that a module is asked for: itself where it is one, else where it comes from."""
    if (submodule := file_of(f"{module}.{name}")) is not None:
        return submodule
    file = file_of(module)
    assert file is not None, module
    if file.name == "__init__.py" and name in (again := imported_names(tree_of(file))):
        return home_of(*again[name])
    return file


def imported_names(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """What a module imports of the program: module and name there, by the name that it has here."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in nodes_of(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "dashboard"
        for alias in node.names
    }


def roots_of(node: ast.AST) -> Iterator[str]:
    """The names that a definition calls, decorates itself with or hands on: of `a.b.c()` that is `a`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            function = part.func
            while isinstance(function, ast.Attribute):
                function = function.value
            if isinstance(function, ast.Name):
                yield function.id
    for decorator in getattr(node, "decorator_list", ()):
        yield from (part.id for part in ast.walk(decorator) if isinstance(part, ast.Name))


def called_from(tree: ast.Module, names: Set[str]) -> Iterator[tuple[str, str]]:
    """What the functions and classes of a module call of other modules, those included that they call in their own."""
    defined = {node.name: node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imported = imported_names(tree)
    ahead, seen = [name for name in names if name in defined], set()
    while ahead:
        name = ahead.pop()
        if name in seen:
            continue
        seen.add(name)
        local = {part.id for part in ast.walk(defined[name]) if isinstance(part, ast.Name) and part.id in defined}
        ahead += [other for other in local if isinstance(defined[other], ast.FunctionDef)]
        for root in roots_of(defined[name]):
            if root in defined:
                ahead.append(root)
            elif root in imported:
                yield imported[root]


def called_files(steps: list[Step]) -> set[str]:
    """The files that the functions of the walk call."""
    return {
        name_of(home_of(module, name))
        for step in steps
        for module, name in called_from(tree_of(step.file), set(step.names))
    }


def test_whatever_its_functions_call_is_in_it_or_beside_it() -> None:
    steps = walk()
    left_out = called_files(steps) - {name_of(step.file) for step in steps}
    assert left_out - set(BESIDE) == set(), "neither in the walk nor beside it"
    assert set(BESIDE) - left_out == set(), "beside the walk, and not called any more"


def test_a_file_that_is_left_out_of_it_is_found() -> None:
    """The four that it went without for a while."""
    for name in ("preconditions", "forms", "middleware", "decision"):
        steps = [step for step in walk() if step.file.stem != name]
        missing = called_files(steps) - {name_of(step.file) for step in steps} - set(BESIDE)
        assert [Path(file).stem for file in missing] == [name]


def test_a_call_is_followed_through_the_functions_of_its_own_module() -> None:
    text = """
from dashboard.errors import Stale, NotFound
from dashboard.audit import record
from dashboard.cache import cache
@cache
def begin(): return _next(_later)
def _next(): raise Stale()
def _later(): record.line()
def other(): raise NotFound()
"""
    called = set(called_from(ast.parse(text), {"begin"}))
    assert called == {("dashboard.cache", "cache"), ("dashboard.errors", "Stale"), ("dashboard.audit", "record")}


def test_it_is_as_long_as_it_says() -> None:
    steps = walk()
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert len({step.file for step in steps}) == len(steps) == LONGEST
    assert f"The same in {LONGEST} files" in PAGE.read_text()


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
        # What a package hands on is of the file that defines it.
        known |= {module_of(home_of(module, name)) for module, name in imported_names(tree_of(step.file)).values()}
