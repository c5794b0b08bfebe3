"""The snapshots of the programs' tables are of the migrations that stand here: `python3 manage.py write_schema` writes them anew.

That each is what its migrations make is compared by tests/lifecycle/test_schema.py.
"""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from config.schema import dump, snapshot
from tests.house.sources import ROOT, nodes_of, tree_of

PROGRAMS = ("dashboard", "service")
# What packages are called where they are installed.
DISTRIBUTIONS = {"django": "django", "allauth": "django-allauth", "oauth2_provider": "django-oauth-toolkit"}
# Modules that migrations name for what leaves nothing in the database: defaults and checks of Python, how JSON is read.
LEAVE_NOTHING = {
    "dashboard": {"dashboard/access/models.py", "dashboard/client/json.py", "dashboard/onboarding/models.py"},
    "service": {"service/ids.py", "service/budgets/models.py"},
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_snapshot_is_of_these_migrations(program: str) -> None:
    text = snapshot.file_of(program).read_text()
    assert snapshot.digest_in(text) == snapshot.digest(program), f"run `{snapshot.COMMAND}` and commit what it writes"


@pytest.mark.parametrize("program", PROGRAMS)
def test_another_migration_sql_file_row_or_package_makes_another_digest(
    program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual = snapshot.digest(program)
    with monkeypatch.context() as patched:
        patched.setattr(snapshot, "version", lambda _: "0.1")
        assert snapshot.digest(program) != usual
    with monkeypatch.context() as patched:
        patched.setattr(snapshot, "installed_apps", lambda _: ["django.contrib.sites"])
        assert snapshot.digest(program) != usual
    names = [f"{program}/area/migrations/0001_initial.py", f"{program}/area/chain.sql", *snapshot.MODULES[program]]
    for name in (f"config/settings/{program}.py", *names):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("INSTALLED_APPS = []\n")
    monkeypatch.setattr(snapshot, "ROOT", tmp_path)
    digests = {snapshot.digest(program)}
    for name in names:
        (tmp_path / name).write_text("changed\n")
        digests.add(snapshot.digest(program))
    assert len(digests) == 1 + len(names)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_migrations_take_of_our_modules_is_part_of_the_digest_or_leaves_nothing(program: str) -> None:
    named = set()
    for file in (ROOT / program).glob("*/migrations/0*.py"):
        for node in nodes_of(tree_of(file)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named |= {f"{module.replace('.', '/')}.py" for module in modules if module.startswith(f"{program}.")}
    assert named - set(snapshot.MODULES[program]) == LEAVE_NOTHING[program]
    assert set(snapshot.MODULES[program]) <= named


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_package_with_tables_is_named(program: str) -> None:
    apps = snapshot.installed_apps(program)
    assert len(apps) > 20
    with_tables = set()
    for app in apps:
        spec = None if app.startswith(f"{program}.") else find_spec(app.partition(".")[0])
        if spec is not None and spec.submodule_search_locations:
            folder = Path(next(iter(spec.submodule_search_locations))).joinpath(*app.split(".")[1:])
            if (folder / "migrations").exists():
                with_tables.add(DISTRIBUTIONS[app.partition(".")[0]])
    assert with_tables == set(snapshot.PACKAGES[program])


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_in_it_is_of_the_moment_or_of_the_machine_that_wrote_it(program: str) -> None:
    text = snapshot.file_of(program).read_text()
    assert len(text.splitlines()) > 1_000
    assert re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", text.replace("1970-01-01 00:00:00", "")) == []
    assert re.findall(r"^\\.*|^-- Dumped.*|OWNER TO.*", text, re.MULTILINE) == []


def test_what_pg_dump_says_of_an_object_goes_and_what_a_function_says_stays() -> None:
    function = "CREATE FUNCTION f() RETURNS void\n    LANGUAGE plpgsql\n    AS $$\n-- Why.\nBEGIN\nEND $$;\n"
    dumped = (
        "--\n-- PostgreSQL database dump\n--\n\n\\restrict abc\n\n-- Dumped from database version 16.1\nSET row_security = off;\n"
        f"--\n-- Name: f(); Type: FUNCTION; Schema: public; Owner: -\n--\n\n{function}\n\n"
        "--\n-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: -\n--\n\nREVOKE USAGE ON SCHEMA public FROM PUBLIC;\n\n\n"
        "--\n-- Data for Name: m; Type: TABLE DATA; Schema: public; Owner: -\n--\n\n"
        "INSERT INTO public.django_migrations (id, applied) VALUES\n\t(1, '2026-01-02 03:04:05.678+00');\n\\unrestrict abc\n"
    )
    text = dump.normalised(dumped, "service")
    assert "AS ((at - '1970-01-01 00:00:00+00'::timestamptz))" in dump.normalised(
        "    decide_by AS ((at - '1970-01-01 00:00:00+00'::timestamptz))\n", "service"
    )
    assert text.endswith(f"{function}INSERT INTO public.django_migrations (id, applied) VALUES\n\t(1, now());\n")
    assert "restrict abc" not in text
    assert "SCHEMA public FROM PUBLIC" not in text
