"""`manage.py write_permissions_page [--check]`: writes docs/who-may-do-what.md, or says that it is not up to date."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.web.permissions_page import WHERE, permissions_markdown


class Command(BaseCommand):
    """Writes the page of permissions."""

    help = "Writes docs/who-may-do-what.md from the operation table."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--check`: compare the page with the table instead of writing it."""
        parser.add_argument("--check", action="store_true", help="fail where the page is not up to date")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes docs/who-may-do-what.md; with `--check`, CommandError where it is not up to date."""
        text = permissions_markdown()
        if options["check"]:
            if not WHERE.exists() or WHERE.read_text(encoding="utf-8") != text:
                raise CommandError(f"{WHERE.name} is not up to date: run manage.py write_permissions_page.")
            return
        WHERE.parent.mkdir(parents=True, exist_ok=True)
        WHERE.write_text(text, encoding="utf-8")
        self.stdout.write(f"Wrote docs/{WHERE.name}.")
