"""The Django app of service/subscriptions."""

from django.apps import AppConfig


class SubscriptionsConfig(AppConfig):
    name = "service.subscriptions"
    label = "subscriptions"

    def ready(self) -> None:
        """Hears of new expenses: some are charges."""
        from service.expenses import created
        from service.subscriptions.charges import notice

        created.listen(notice)
