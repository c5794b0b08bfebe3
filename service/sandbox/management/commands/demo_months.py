"""`manage.py service demo_months`: makes the months of the demo businesses that are missing, for `manage.py up`."""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from service.sandbox import demo_months
from service.sandbox.models import DemoProgress

# People who work meanwhile come first.
NICENESS = 10


class Command(BaseCommand):
    """Goes on where an earlier run was interrupted; one that finds every month makes nothing."""

    help = "Make the months of the demo businesses that are missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--progress`: the file that says how many months each business has, after each one."""
        parser.add_argument("--progress", type=Path, required=True)

    def handle(self, *, progress: Path, **options: Any) -> None:
        """Makes them, and writes `{"made": …, "months": …}` of the business that has the fewest."""
        if not settings.SANDBOX:
            raise CommandError("Demo data is for sandboxes: SERVICE_SANDBOX is not set.")
        os.nice(NICENESS)
        demo_months.make_all(lambda _: _write(progress))
        _write(progress)


def _write(file: Path) -> None:
    rows = list(DemoProgress.objects.values("made", "months"))
    half = file.with_name(f"{file.name}.half")
    half.write_text(json.dumps(min(rows, key=lambda row: row["made"]) if rows else {"made": 0, "months": 0}))
    half.replace(file)
