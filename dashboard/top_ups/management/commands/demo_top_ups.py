"""`manage.py demo_top_ups`: recurring top-ups of the demo businesses, set up by one of their approvers, for `manage.py up`."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.client.models import ServiceAccount
from dashboard.money import to_minor
from dashboard.times import local
from dashboard.top_ups.models import TopUp
from dashboard.top_ups.schedule import Interval, next_day

# A demo business begins with a wallet of its own currency (service/sandbox/cast.py).
CURRENCIES, FIRST_WALLET = {"KE": "KES", "NL": "EUR"}, "1"
# For the first card users of a business: up to how much, how often, on which day.
PLANS = ((5_000, Interval.WEEKLY, 1), (20_000, Interval.MONTHLY, 1))


class Command(BaseCommand):
    """Reads what `manage.py service demo` wrote; run again it changes nothing."""

    help = "Set up recurring top-ups for the demo businesses."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--from`: the file that the service's demo wrote."""
        parser.add_argument("--from", dest="source", type=Path, required=True)

    def handle(self, *, source: Path, **options: Any) -> None:
        """Sets up the recurring top-ups of the demo that are not there yet; CommandError outside of development."""
        if not settings.DEVELOPMENT:
            raise CommandError("Demo data is for development: COUNTERSIGN_DEVELOPMENT is not set.")
        for listed in json.loads(source.read_text())["businesses"]:
            _set_up(listed)


def _set_up(listed: dict[str, Any]) -> None:
    business = ServiceAccount.objects.select_related("business").get(remote_business_id=listed["business_id"]).business
    by = Membership.objects.filter(business=business, role=Role.APPROVER).order_by("pk").first()
    people = [person for person in listed["employees"] if person["role"].replace(" ", "_") == Role.CARD_USER]
    currency = CURRENCIES.get(listed.get("country", ""))
    if by is None or currency is None:
        return
    for number, ((amount, interval, day), person) in enumerate(zip(PLANS, people, strict=False), 1):
        values = {
            "employee_id": person["employee_id"], "employee_name": person["name"], "currency": currency,
            "org_wallet_ref": FIRST_WALLET, "target_minor": to_minor(amount, currency),
            "interval": interval, "day": day, "by": by,
            "next_on": next_day(interval, day, local(timezone.now(), business).date()),
        }  # fmt: skip
        TopUp.objects.get_or_create(business=business, key=f"demo-{number}", defaults=values)
