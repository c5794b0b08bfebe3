"""The rules of the house that a machine can see: who imports whom, what is named how, what a template may hold."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.sources import ROOT, imports_of, name_of, nodes_of, python_files, tree_of

PROGRAMS = ("dashboard", "service", "config", "telemetry")
BANNED_NAMES = {
    "utils",
    "helpers",
    "common",
    "manager",
    "core",
    "util",
    "helper",
    "words",
    "sentences",
    "told",
    "shown",
    "things",
}


@pytest.mark.parametrize(("program", "other"), [("dashboard", "service"), ("service", "dashboard")])
def test_neither_program_imports_the_other(program: str, other: str) -> None:
    guilty = {
        name_of(file) for file in python_files(program) if any(name.split(".")[0] == other for name in imports_of(file))
    }
    assert not guilty


def test_only_the_gateway_and_what_stands_behind_it_reach_the_transport() -> None:
    behind = ("gateway", "oauth", "token", "transport", "sessions", "connection")
    allowed = {f"dashboard/client/{name}.py" for name in behind}
    # Asks the store of the audit's anchors, never the finance service.
    allowed.add("dashboard/audit/anchors.py")
    # Asks a business's identity provider.
    allowed.add("dashboard/web/signin/openid.py")
    sending = {
        "dashboard.client.transport",
        "dashboard.client.sessions",
        "requests",
        "urllib.request",
        "http.client",
        "httpx",
        "aiohttp",
    }
    guilty = {
        name_of(file)
        for file in python_files("dashboard")
        if imports_of(file) & sending and name_of(file) not in allowed
    }
    assert not guilty


def test_only_the_ledger_posts() -> None:
    calling = re.compile(r"\bledger_(post|hold|capture|release|reverse)\w*\s*\(", re.IGNORECASE)
    guilty = {
        name_of(file)
        for file in python_files("service", "dashboard")
        if "service/ledger/" not in name_of(file) and calling.search(file.read_text())
    }
    assert not guilty


def test_a_locked_row_can_still_be_referred_to() -> None:
    """A foreign key is checked as its transaction commits, by a lock on the row that it names: FOR UPDATE makes that wait,
    and two transactions that each hold what the other one needs end in a deadlock. FOR NO KEY UPDATE does not."""
    guilty = set()
    for file in python_files("service", "dashboard"):
        for node in nodes_of(tree_of(file)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "select_for_update":
                given = {word.arg for word in node.keywords if ast.unparse(word.value) == "True"}
                guilty |= set() if "no_key" in given else {f"{name_of(file)}:{node.lineno}"}
    for program in ("service", "dashboard"):
        for file in sorted((ROOT / program).rglob("*.sql")):
            for match in re.finditer(r"\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b", file.read_text()):
                guilty |= set() if "NO KEY" in match[0] else {name_of(file)}
    assert not guilty


def test_roles_are_named_by_the_operation_table_and_the_gate_alone() -> None:
    # Saying who someone is (a membership, an invitation, the demo's cast) is not saying what they may do.
    role = re.compile(r"\bRole\.(CARD_USER|REVIEWER|APPROVER|ADMIN|SUPER_ADMIN)\b")
    guilty = {
        name_of(file) for file in python_files("dashboard/pages", "dashboard/web") if role.search(file.read_text())
    }
    assert not guilty


def test_no_room_is_named_after_nothing() -> None:
    guilty = {
        name_of(file)
        for file in python_files(*PROGRAMS)
        if file.stem in BANNED_NAMES or file.parent.name in BANNED_NAMES
    }
    assert not guilty


def test_every_module_says_what_it_is_for() -> None:
    guilty = {
        name_of(file)
        for file in python_files(*PROGRAMS)
        if file.read_text().strip() and file.stem not in {"apps", "__init__"} and not ast.get_docstring(tree_of(file))
    }
    assert not guilty


def test_money_is_never_a_float() -> None:
    # Seconds and ratios may be; nothing that touches an amount, a balance or a rate may.
    rooms = ("service/ledger", "service/accounts", "service/payments", "service/expenses", "dashboard/mirror")
    guilty = set()
    for file in [*python_files(*rooms), ROOT / "service/money.py", ROOT / "dashboard/money.py"]:
        for node in nodes_of(tree_of(file)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
                guilty.add(f"{name_of(file)}:{node.lineno}")
            if isinstance(node, ast.Attribute) and node.attr == "FloatField":
                guilty.add(f"{name_of(file)}:{node.lineno}")
    assert not guilty


def templates() -> list[Path]:
    return sorted(file for folder in ("templates", "templates_jinja") for file in (ROOT / folder).rglob("*.html"))


def test_templates_hold_no_inline_script_or_style() -> None:
    forbidden = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\sstyle=|\son[a-z]+=[\"']|javascript:", re.IGNORECASE)
    guilty = {name_of(file) for file in templates() if forbidden.search(file.read_text())}
    assert templates()
    assert not guilty


def test_templates_trust_nothing_that_they_print() -> None:
    trusting = re.compile(r"\|\s*safe\b|autoescape\s+(off|false)")
    guilty = {name_of(file) for file in templates() if trusting.search(file.read_text())}
    assert not guilty


def test_every_form_that_is_posted_carries_a_key() -> None:
    # Its own, or those of the form that it goes on with; signing in has none, and nothing that could be done twice.
    carried = re.compile(r'name="key"|{% form_key %}|name="{{ (name|field(\.name)?) }}"')
    signing_in = ("templates/account/", "templates/mfa/", "templates/allauth/")
    guilty, seen = set(), 0
    for file in templates():
        for form in re.findall(r"<form\b.*?</form>", file.read_text(), re.DOTALL):
            if 'method="post"' in form.partition("{% csrf_token %}")[0]:
                seen += 1
                if not name_of(file).startswith(signing_in) and not carried.search(form):
                    guilty.add(name_of(file))
    assert seen > 70
    assert not guilty


def test_nothing_names_a_machine_or_a_registry() -> None:
    forbidden = re.compile(r"/work/|/root/|(?<!pages)/home/\w|pypi\.org|registry\.npmjs|deb\.debian\.org")
    checked = [
        file
        for pattern in ("**/*.py", "**/*.md", "**/*.html", "**/*.css", "**/*.js", "*.toml", "*.yaml")
        for file in ROOT.glob(pattern)
        if not {".venv", ".git", "node_modules"} & set(file.relative_to(ROOT).parts)
        and not file.relative_to(ROOT).parts[0].startswith(".data")
    ]
    assert len(checked) > 50
    guilty = {name_of(file) for file in checked if forbidden.search(file.read_text())} - {"tests/house/test_rules.py"}
    assert not guilty


def test_nothing_is_left_for_later() -> None:
    marker = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    guilty = {name_of(file) for file in python_files(*PROGRAMS) if marker.search(file.read_text())}
    assert not guilty


def test_each_program_runs_its_own_jobs_and_each_is_there() -> None:
    from config.celery import SCHEDULES

    for program, jobs in SCHEDULES.items():
        source = "\n".join(path.read_text() for path in (ROOT / program).rglob("tasks.py"))
        for job in jobs.values():
            assert job["task"].startswith(f"{program}."), f"{job['task']} is not a job of the {program}"
            assert f'name="{job["task"]}"' in source, f"{job['task']} is nobody's name"


def test_a_person_never_waits_for_the_queue() -> None:
    # `delay` raises where the broker is away: what a person asked for is written down, and enqueue.py only hastens it.
    asks = re.compile(r"\.(delay|apply_async|send_task)\(")
    allowed = {"dashboard/enqueue.py", "service/enqueue.py"}
    guilty = {
        name_of(file)
        for program in ("dashboard", "service")
        for file in (ROOT / program).rglob("*.py")
        if file.name != "tasks.py" and asks.search(file.read_text())
    }
    assert guilty == allowed


def test_an_address_says_of_which_shape_what_stands_in_it_is() -> None:
    # dashboard/access/converters.py: any text, a NUL among it, and a number of any length would reach the database.
    loose = re.compile(r"<(str|path|int|[a-z_]+)(:|>)")
    allowed = {"remote", "word", "key", "number", "slug", "uuid"}
    files = [*(ROOT / "dashboard").rglob("urls.py"), ROOT / "config" / "urls" / "dashboard.py"]
    assert len(files) > 15
    guilty = {
        f"{name_of(file)}: <{found[1]}"
        for file in files
        for found in loose.finditer(file.read_text())
        if found[2] == ">" or found[1] not in allowed
    }
    assert not guilty
    assert not {name_of(file) for file in files if "re_path" in file.read_text()}


def test_forms_are_made_of_the_fields_that_read_as_the_service_does() -> None:
    # dashboard/web/fields.py: Django's own take control characters, 1_000, 1e3, digits of every script, other days.
    plain = re.compile(r"\b(Char|Decimal|Integer|Float|Date|DateTime|Time|Duration|Slug|Regex|SplitDateTime)Field\b")
    guilty = {
        f"{name_of(file)}: {node.attr}"
        for file in python_files("dashboard")
        if name_of(file) != "dashboard/web/fields.py"
        for node in nodes_of(tree_of(file))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "forms"
        and plain.fullmatch(node.attr)
    }
    guilty |= {
        f"{name_of(file)}: {name}"
        for file in python_files("dashboard")
        for name in imports_of(file)
        if name.startswith("django.forms") and plain.fullmatch(name.rpartition(".")[2])
    }
    assert not guilty


def test_no_template_tells_a_moment_by_itself() -> None:
    """It would be on the clock of the machine: a presenter says it on the business's (dashboard/times.py)."""
    moment = re.compile(r"\w+_at\s*\|\s*(date|time|naturaltime|naturalday)\b")
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates_jinja").rglob("*.html")]
    assert len(files) > 200
    assert [str(file.relative_to(ROOT)) for file in files if moment.search(file.read_text())] == []
    assert moment.search('{{ rule.switched_on_at|date:"j M Y" }}')


def test_no_moment_is_told_on_the_clock_of_the_machine() -> None:
    """A business's day begins at its own midnight: near it, the machine's day is another one."""
    bare = re.compile(r"\.astimezone\(\)|\bdate\.today\(\)|\bdatetime\.now\(\)")
    guilty = {
        f"{name_of(file)}:{number}"
        for file in python_files(*PROGRAMS, "tests")
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if bare.search(line) and file != Path(__file__)
    }
    assert not guilty


def test_what_a_test_starts_ends_with_it_however_it_ends() -> None:
    """A program started without it goes on after a kill -9 of the tests."""
    without = [
        f"{name_of(file)}:{node.lineno}"
        for file in python_files("tests", "benchmarks")
        for node in nodes_of(tree_of(file))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) == "Popen"
        and not any("die_with_parent" in ast.unparse(word.value) for word in node.keywords if word.arg == "preexec_fn")
    ]
    assert not without
