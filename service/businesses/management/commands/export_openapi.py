"""`manage.py service export_openapi [--check]`: the OpenAPI document as a file, so that a change shows in the diff."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from service.api import v2

FILE = Path(__file__).resolve().parents[3] / "openapi.json"


class Command(BaseCommand):
    """Writes service/openapi.json, or with --check compares it."""

    help = "Write service/openapi.json, or compare it with the code."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--check compares and writes nothing."""
        parser.add_argument("--check", action="store_true")

    def handle(self, *, check: bool, **options: Any) -> None:
        """Fails with --check when the file and the code differ."""
        now = json.dumps(v2.get_openapi_schema(), indent=1, sort_keys=True, default=str, ensure_ascii=False) + "\n"
        if not check:
            FILE.write_text(now)
            self.stdout.write(f"{FILE.name} written.")
        elif not FILE.exists() or FILE.read_text() != now:
            raise CommandError("service/openapi.json differs from the code: run `manage.py service export_openapi`.")
