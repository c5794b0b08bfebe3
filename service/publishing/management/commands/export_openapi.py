"""`manage.py service export_openapi [--check]`: the OpenAPI documents as files, so that a change shows in the diff.

One operation, schema or webhook stands on a line of its own: a diff names what has changed, and nothing else moves.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from service.api import v1, v2

FOLDER = Path(__file__).resolve().parents[4] / "docs" / "openapi"
DOCUMENTS = {"v2.json": v2, "v1.json": v1}
# How deep the lines are: paths by path and method, webhooks by kind, components by sort and name.
DEPTHS = {"paths": 3, "webhooks": 2, "components": 3}


class Command(BaseCommand):
    """Writes docs/openapi/, or with --check compares it."""

    help = "Write docs/openapi/, or compare it with the code."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--check compares and writes nothing."""
        parser.add_argument("--check", action="store_true")

    def handle(self, *, check: bool, **options: Any) -> None:
        """Fails with --check when a file and the code differ."""
        for name, api in DOCUMENTS.items():
            file, now = FOLDER / name, written(api.get_openapi_schema())
            if not check:
                FOLDER.mkdir(parents=True, exist_ok=True)
                file.write_text(now, encoding="utf-8")
                self.stdout.write(f"docs/openapi/{name} written.")
            elif not file.exists() or file.read_text(encoding="utf-8") != now:
                raise CommandError(
                    f"docs/openapi/{name} differs from the code: run `manage.py service export_openapi`."
                )


def written(document: Mapping[str, object]) -> str:
    """The document as JSON, in lines."""
    parts = [f"{json.dumps(key)}: {_in_lines(value, DEPTHS.get(key, 1))}" for key, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _in_lines(value: Any, depth: int) -> str:
    if depth == 1 or not isinstance(value, dict):
        return json.dumps(value, default=str, ensure_ascii=False)
    return "{\n" + ",\n".join(_entries(value, depth)) + "\n}"


def _entries(value: dict[str, Any], depth: int) -> Iterator[str]:
    for key, entry in value.items():
        yield f"{json.dumps(key, ensure_ascii=False)}: {_in_lines(entry, depth - 1)}"
