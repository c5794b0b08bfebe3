"""`manage.py write_icons`: draws static/icons anew from static/img/mark.svg."""

from typing import Any

from django.core.management.base import BaseCommand

from dashboard.web.icons import APPLE, FOLDER, ICONS, draw


class Command(BaseCommand):
    """Draws the icons of the installed app."""

    help = "Draws static/icons from static/img/mark.svg."

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes each icon as a PNG."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        for icon in (*ICONS, APPLE):
            draw(icon).save(FOLDER / icon.file, optimize=True)
            self.stdout.write(f"Wrote static/icons/{icon.file}.")
