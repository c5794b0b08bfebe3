"""`manage.py [service] write_migration <app>`: writes what its models have beyond the app's one migration into it.

There is no release yet, so an app has `0001_initial` and nothing after it (CONTRIBUTING.md). New tables, columns, indexes
and constraints are written; what is changed, renamed or taken away is named, and written by hand.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import django
from django.apps import apps
from django.core.management import call_command
from django.db.migrations import operations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.serializer import serializer_factory
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import OperationWriter

INITIAL = "0001_initial"
ADDITIONS = (operations.CreateModel, operations.AddField, operations.AddIndex, operations.AddConstraint)


@dataclass(frozen=True)
class Changes:
    """What the models of an app say beyond its migration, and the migrations of other apps that it then needs, each as (app,
    name)."""

    operations: list[Operation]
    dependencies: list[tuple[str, str]]


def run(arguments: list[str]) -> int:
    """Writes the migration of the app named; 1 with a sentence where there is none, or something is left to do by hand."""
    django.setup()
    if len(arguments) != 1 or arguments[0] not in apps.app_configs:
        sys.stderr.write("Name one app of the program, such as: manage.py write_migration mirror\n")
        return 1
    app = arguments[0]
    file = Path(apps.get_app_config(app).path) / "migrations" / f"{INITIAL}.py"
    if not file.exists():
        call_command("makemigrations", app)
        return 0
    to_state = ProjectState.from_apps(apps)
    changes = changes_of(app, to_state)
    by_hand = [operation.describe() for operation in changes.operations if not isinstance(operation, ADDITIONS)]
    if by_hand:
        sys.stderr.write(f"Left to be written into {file.name} by hand: {'; '.join(by_hand)}.\n")
        return 1
    if not changes.operations:
        sys.stdout.write(f"The migration of {app} is what its models say.\n")
        return 0
    file.write_text(with_additions(file.read_text(encoding="utf-8"), app, changes, to_state), encoding="utf-8")
    sys.stdout.write("".join(f"{operation.describe()}\n" for operation in changes.operations))
    sys.stdout.write(f"Written into {app}/migrations/{file.name}; next: manage.py write_schema\n")
    return 0


def changes_of(app: str, to_state: ProjectState) -> Changes:
    """What the models of an app say beyond its migration, with the migrations of other apps that it then needs."""
    loader = MigrationLoader(None)
    detector = MigrationAutodetector(loader.project_state(), to_state, MigrationQuestioner())
    migrations = detector.changes(loader.graph, trim_to_apps={app}).get(app, [])
    return Changes(
        [operation for migration in migrations for operation in migration.operations],
        [dependency for migration in migrations for dependency in migration.dependencies if dependency[0] != app],
    )


def with_additions(source: str, app: str, changes: Changes, to_state: ProjectState) -> str:
    """The text of a migration with additions in it: a column stands in its table, the rest comes after what there is."""
    imports: set[str] = set()
    for operation in changes.operations:
        if isinstance(operation, operations.AddField):
            # As the model has it: there is no row yet that would need a value.
            field = to_state.models[app, operation.model_name_lower].fields[operation.name]
            text, needed = serializer_factory(field).serialize()
            source = _before_end(
                source, _fields_of(source, operation.model_name), f"                ({operation.name!r}, {text}),"
            )
        else:
            text, needed = OperationWriter(operation, indentation=2).serialize()
            source = _before_end(source, _list_of(source, "operations"), text)
        imports |= set(needed)
    for app_and_name in changes.dependencies:
        dependencies = _list_of(source, "dependencies")
        if app_and_name not in ast.literal_eval(dependencies):
            source = _before_end(source, dependencies, f"        {app_and_name!r},")
    return _with_imports(source, imports)


def _list_of(source: str, name: str) -> ast.List:
    """`operations` or `dependencies` of the migration."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name and isinstance(node.value, ast.List):
            return node.value
    raise LookupError(f"the migration has no list of {name}")


def _fields_of(source: str, model: str) -> ast.List:
    """The columns of the table of a model, as they stand in the migration."""
    for node in _list_of(source, "operations").elts:
        named = {keyword.arg: keyword.value for keyword in node.keywords} if isinstance(node, ast.Call) else {}
        fields = named.get("fields")
        if isinstance(fields, ast.List) and ast.literal_eval(named["name"]).lower() == model.lower():
            return fields
    raise LookupError(f"the migration makes no table of {model}")


def _before_end(source: str, place: ast.List, text: str) -> str:
    """The source with lines more at the end of one of its lists, which ends on a line of its own."""
    lines = source.splitlines()
    assert place.end_lineno is not None
    last = place.end_lineno - 1
    if not lines[last].strip().startswith("]"):
        raise LookupError(f"line {place.end_lineno} of the migration ends no list of several lines")
    return "\n".join([*lines[:last], text, *lines[last:]]) + "\n"


def _with_imports(source: str, imports: Iterable[str]) -> str:
    """The source with the imports that it has not, among those of its own kind; `models` it has."""
    lines = source.splitlines()
    own = [number for number, line in enumerate(lines) if line.startswith("import ")]
    known = {lines[number] for number in own} | {"from django.db import models", "from django.db import migrations"}
    first = own[0] if own else next(number for number, line in enumerate(lines) if line.startswith("from "))
    more = sorted({lines[number] for number in own} | (set(imports) - known))
    rest = [line for number, line in enumerate(lines) if number not in own]
    return "\n".join([*rest[:first], *more, *rest[first:]]) + "\n"
