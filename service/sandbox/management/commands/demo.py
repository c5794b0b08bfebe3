"""`manage.py service demo`: makes the demo businesses, or finds them again, and tells their credentials."""

import json
import os
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from service.events.relay import relay
from service.ledger.seals import seal_all
from service.sandbox import demo, demo_months


class Command(BaseCommand):
    """Two businesses, about 60 people in 9 teams, a year of everything; a second run changes nothing. With `--today` what
    people work with now, without the months before, which `demo_months` makes."""

    help = "Make the demo businesses and tell their credentials."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How much, from which seed, and where the credentials go."""
        parser.add_argument("--expenses", type=int, default=400, help="for both businesses together")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--today", action="store_true", help="leave the months before the running one out")
        parser.add_argument("--json", type=Path, help="the file for the credentials; its secrets are kept")
        parser.add_argument(
            "--webhooks", default="", help="address for events, such as http://localhost:8000/-/hooks/{number}/"
        )

    def handle(self, *, expenses: int, seed: int, webhooks: str, today: bool = False, **options: Any) -> None:
        """Makes what is missing and writes or prints the credentials."""
        if not settings.SANDBOX:
            raise CommandError("Demo data is for sandboxes: SERVICE_SANDBOX is not set.")
        path: Path | None = options["json"]
        known = demo.read(path.read_text()) if path and path.exists() else {}
        began = time.monotonic()
        credentials = json.dumps(demo.build(expenses=expenses, seed=seed, known=known, webhooks=webhooks), indent=1)
        if not today:
            demo_months.make_all()
        relay()
        seal_all()
        took = time.monotonic() - began
        if path is None:
            self.stdout.write(credentials)
            self.stderr.write(f"The demo businesses are ready after {took:.0f} s.")
            return
        _write_private(path, credentials)
        self.stdout.write(f"The demo businesses are ready after {took:.0f} s; their credentials are in {path.name}.")


def _write_private(path: Path, text: str) -> None:
    half = path.with_suffix(".half")
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as handle:
        handle.write(text)
    half.replace(path)
