"""`manage.py service move_demo`: webhooks to a dashboard beside us follow it to another port, for `manage.py up`."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import F, Value
from django.db.models.functions import Concat, Substr

from service.webhooks.models import WebhookEndpoint


class Command(BaseCommand):
    """Only what was posted to that very address is touched; what it was not taken for meanwhile is forgotten."""

    help = "Point the webhooks to the demo's dashboard at its new address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--from` and `--to`: addresses without a path, such as http://localhost:8000."""
        parser.add_argument("--from", dest="before", required=True)
        parser.add_argument("--to", dest="now", required=True)

    def handle(self, *, before: str, now: str, **options: Any) -> None:
        """Moves them, and says how many there were."""
        if not settings.SANDBOX:
            raise CommandError("Demo data is for sandboxes: SERVICE_SANDBOX is not set.")
        rest = Substr(F("url"), len(before) + 1)
        endpoints = WebhookEndpoint.objects.filter(url__startswith=f"{before}/")
        moved = endpoints.update(url=Concat(Value(now), rest), failing_since=None)
        self.stdout.write(f"{moved} webhooks now lead to {now}.")
