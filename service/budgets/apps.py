"""The Django app of service/budgets."""

from django.apps import AppConfig


class BudgetsConfig(AppConfig):
    name = "service.budgets"
    label = "budgets"

    def ready(self) -> None:
        """Says which budgets are of a category."""
        from service.budgets import receivers
        from service.categories.hooks import register_users

        register_users(receivers.FILED)
