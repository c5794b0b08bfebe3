"""`manage.py move_demo`: connections to a finance service beside us follow it to another port, for `manage.py up`."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import F, Value
from django.db.models.functions import Concat, Substr

from dashboard.client.models import ServiceAccount


class Command(BaseCommand):
    """Only what was connected to that very address is touched: a connection to a service elsewhere stays as it is."""

    help = "Point the connections to the demo's finance service at its new address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--from` and `--to`: addresses without a path, such as http://localhost:8001."""
        parser.add_argument("--from", dest="before", required=True)
        parser.add_argument("--to", dest="now", required=True)

    def handle(self, *, before: str, now: str, **options: Any) -> None:
        """Moves them, and says how many there were."""
        if not settings.DEVELOPMENT:
            raise CommandError("Demo data is for development: COUNTERSIGN_DEVELOPMENT is not set.")
        rest = Substr(F("base_url"), len(before) + 1)
        accounts = ServiceAccount.objects.filter(base_url__startswith=f"{before}/")
        moved = accounts.update(base_url=Concat(Value(now), rest))
        self.stdout.write(f"{moved} connections now lead to {now}.")
