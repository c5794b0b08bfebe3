"""`manage.py read_demo_months`: the copy reads the demo's businesses whole again, once all their months are there, for
`manage.py up`: what was before is told in no event."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard.client.models import ServiceAccount
from dashboard.mirror.sync import read_anew


class Command(BaseCommand):
    """Only makes it due; the jobs read it at their next turn."""

    help = "Make the copy of the demo businesses be read whole at the next sync."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--from`: the file that the service's demo wrote."""
        parser.add_argument("--from", dest="source", type=Path, required=True)

    def handle(self, *, source: Path, **options: Any) -> None:
        """Makes each business of the file due; CommandError outside of development."""
        if not settings.DEVELOPMENT:
            raise CommandError("Demo data is for development: COUNTERSIGN_DEVELOPMENT is not set.")
        listed = [business["business_id"] for business in json.loads(source.read_text())["businesses"]]
        for account in ServiceAccount.objects.select_related("business").filter(remote_business_id__in=listed):
            read_anew(account.business)
