"""What somebody sent is read in one place each: JSON with a bound to its depth, digits with a bound to their number."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import name_of, nodes_of, python_files, tree_of

# Who reads JSON beside the readers (dashboard/client/json.py, service/json_body.py), and why it is not somebody else's.
OWN_RECORDS = {
    "dashboard/audit/anchors.py": "lines of our own anchors, compared with the chain",
    "dashboard/client/management/commands/demo.py": "the file that the service's demo wrote",
    "dashboard/documents/opening.py": "what our own process said of a document, as stored",
    "dashboard/documents/process.py": "what our own process says of a document",
    "dashboard/evidence/audit_lines.py": "a line that was written just before",
    "dashboard/evidence/verify.py": "a pack on its reader's own machine, which runs without us",
    "dashboard/impact/mandate_reads.py": "mandates that a bounded reader has read, as stored",
    "dashboard/mirror/management/commands/read_demo_months.py": "the file that the service's demo wrote",
    "dashboard/notifications/devices.py": "a subscription that its form has checked, sealed",
    "dashboard/pages/audit/presenters.py": "a manifest of ours",
    "dashboard/pages/bills/tables/payment_run.py": "the wallets of a plan of ours",
    "dashboard/pages/journal_exports/presenters/exports.py": "a manifest of ours",
    "dashboard/pages/people/services.py": "the share of a plan of ours",
    "dashboard/pages/payouts/services/picks.py": "what was ticked and typed on a page of ours, sealed",
    "dashboard/top_ups/management/commands/demo_top_ups.py": "the file that the service's demo wrote",
    "service/business_policies/enforcement.py": "the window of a policy of ours",
    "service/events/outbox.py": "what was written just before",
    "service/expenses/serializers.py": "rows that PostgreSQL wrote",
    "service/idempotency.py": "headers of a stored answer of ours",
    "service/sandbox/demo.py": "the file that an earlier demo wrote",
}
READERS = {"dashboard/client/json.py", "service/json_body.py"}
JUDGES = {"isdigit", "isdecimal", "isnumeric"}
# What of a request anybody writes.
SENT = {"GET", "POST", "META", "FILES", "COOKIES", "headers"}


def files_with(word: str) -> Iterator[Path]:
    yield from (file for file in python_files("dashboard", "service") if word in file.read_text())


def attributes(node: ast.AST) -> set[str]:
    return {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    yield from (node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef))


def calls_of_int(function: ast.FunctionDef) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int" and node.args
    ]


def reads_digits(function: ast.FunctionDef) -> bool:
    """Whether it lets digits through by a look at them, or what was sent as it is, and makes a number of it."""
    numbers = calls_of_int(function)
    if numbers and attributes(function) & JUDGES:
        return True
    sent = {
        name
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.NamedExpr) and attributes(node.value) & SENT
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in names(target)
    }
    return any(attributes(number.args[0]) & SENT or names(number.args[0]) & sent for number in numbers)


def reads_json(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in {("json", "loads"), ("json", "load"), ("json", "JSONDecoder")}
        for node in nodes_of(tree)
    ) or any(
        isinstance(node, ast.ImportFrom)
        and node.module == "json"
        and {one.name for one in node.names} & {"loads", "load"}
        for node in nodes_of(tree)
    )


def test_digits_that_were_sent_are_read_by_whole_number_alone() -> None:
    guilty = {
        f"{name_of(file)}: {function.name}"
        for file in files_with("int(")
        for function in functions(tree_of(file))
        if reads_digits(function)
    }
    assert guilty == {"dashboard/inputs.py: whole_number", "service/inputs.py: whole_number"}


@pytest.mark.parametrize(
    "body",
    [
        "return int(text) if text.isdigit() else 0",
        "return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0",
        "return int(request.POST['rows'])",
        "typed = request.GET.get('page', '1')\n return int(typed)",
        "if length := request.headers.get('content-length'):\n  return int(length)",
    ],
)
def test_a_reader_of_its_own_is_found(body: str) -> None:
    assert [reads_digits(one) for one in functions(ast.parse(f"def page(request, text):\n {body}"))] == [True]


def test_json_that_was_sent_is_read_by_the_bounded_readers_alone() -> None:
    reading = {name_of(file) for file in files_with("json") if reads_json(tree_of(file))}
    assert reading - READERS == set(OWN_RECORDS)
    assert reading >= READERS


def test_no_form_has_a_field_of_json() -> None:
    # Django's own catches a JSONDecodeError alone, and takes any document: what a page carries for itself is signed.
    guilty = {
        name_of(file)
        for file in files_with("JSONField")
        for node in nodes_of(tree_of(file))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "forms.JSONField"
    }
    assert not guilty
