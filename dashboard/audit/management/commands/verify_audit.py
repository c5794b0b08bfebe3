"""`manage.py verify_audit [business …]`: proves the audit of some businesses, or of all; fails where one does not hold.

It fails too where a chain was not compared with every anchor outside: a folder that was emptied proves nothing. Where heads
are in a store they are all read, hour by hour since the chain began, or since the day that `--store-since` names.
"""

from datetime import UTC, date, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.access.models import Business
from dashboard.audit.verify import begun_at, verify


class Command(BaseCommand):
    """`verify_audit`: checks that no line of the audit was changed, removed or inserted, chain by chain."""

    help = "Verifies that no line of the audit was changed, removed or inserted."

    def add_arguments(self, parser: CommandParser) -> None:
        """The businesses, by their address; none means all, and the chain of sign-ins."""
        parser.add_argument("business", nargs="*")
        parser.add_argument(
            "--store-since", type=date.fromisoformat, metavar="YYYY-MM-DD",
            help="The first day (UTC) whose heads in the anchor store are compared; by default all since the chain began.",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes one line per chain; CommandError where one does not hold or cannot be compared, or a business is unknown."""
        slugs: list[str] = options["business"]
        businesses = Business.objects.filter(slug__in=slugs) if slugs else Business.objects.all()
        names = {business.slug: business.pk for business in businesses.order_by("slug")}
        if missing := set(slugs) - set(names):
            raise CommandError(f"There is no business {', '.join(sorted(missing))}.")
        chains = names if slugs else {**names, "(accounts)": 0}
        broken, alone = [], []
        for name, chain in chains.items():
            since = datetime.combine(day, time(), UTC) if (day := options["store_since"]) else begun_at(chain)
            finding = verify(chain, store_since=since)
            self.stdout.write(f"{name}: {finding.sentence}")
            if not finding.ok:
                broken.append(name)
            elif not finding.compared:
                alone.append(name)
        if broken:
            raise CommandError(f"The audit log is not intact: {', '.join(broken)}.")
        if alone:
            raise CommandError(f"The audit log was not compared with every external anchor: {', '.join(alone)}.")
