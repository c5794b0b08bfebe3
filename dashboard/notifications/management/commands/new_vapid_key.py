"""`manage.py new_vapid_key`: prints a new key for push notifications, for VAPID_PRIVATE_KEY."""

from typing import Any

from django.core.management.base import BaseCommand

from dashboard.notifications.vapid import new_private_key


class Command(BaseCommand):
    """Makes a key and stores it nowhere."""

    help = "Prints a new value for VAPID_PRIVATE_KEY. A new key ends the devices that subscribed with the old one."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the key alone, so that it can be piped."""
        self.stdout.write(new_private_key())
