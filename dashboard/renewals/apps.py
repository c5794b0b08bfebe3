"""The Django app of renewals: its tables store the terms of subscriptions and their cancellations."""

from django.apps import AppConfig


class RenewalsConfig(AppConfig):
    name = "dashboard.renewals"
    label = "renewals"

    def ready(self) -> None:
        """Hears of each subscription that is written into the copy: its next renewal, and a charge that should not be."""
        from dashboard.mirror.events import on_written
        from dashboard.renewals.reminders import follow_subscriptions

        on_written(follow_subscriptions)
