"""`manage.py create_business`: the first business of an installation, and the two super admins who run it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction

from dashboard.access.invite import invite
from dashboard.access.models import Business
from dashboard.access.roles import CONFIGURING, Role


class Command(BaseCommand):
    """`create_business`: a business with its two super admins, who are each invited by a link that is printed."""

    help = "Makes a business and invites its two super admins; prints a link for each."

    def add_arguments(self, parser: CommandParser) -> None:
        """The business and the two people."""
        parser.add_argument("slug", help="its address here: lowercase letters, digits and hyphens")
        parser.add_argument("name")
        parser.add_argument("--super-admin", action="append", required=True, metavar="EMAIL", help="twice")
        parser.add_argument("--time-zone", default="Africa/Nairobi")

    def handle(self, *args: Any, **options: Any) -> None:
        """Makes the business, both people and their invitations, or nothing; CommandError for a name, an address or a
        zone that is none."""
        emails = sorted({email.lower() for email in options["super_admin"]})
        if len(emails) != 2:
            raise CommandError("Name two different super admins: a lost second factor is reset by two of them.")
        business = Business(slug=options["slug"], name=options["name"], time_zone=options["time_zone"])
        # Whoever can change rights shows that it is them: the second factor is asked for from the first day.
        business.second_factor_roles = sorted({*CONFIGURING, Role.APPROVER})
        try:
            for email in emails:
                validate_email(email)
            business.full_clean()
        except ValidationError as wrong:
            raise CommandError(" ".join(wrong.messages)) from None
        with transaction.atomic():
            business.save()
            links = {email: invite(business, email, Role.SUPER_ADMIN) for email in emails}
        for email, link in links.items():
            self.stdout.write(f"{email}: {link}")
