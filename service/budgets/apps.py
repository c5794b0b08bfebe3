"""The Django app of service/budgets."""

from django.apps import AppConfig


class BudgetsConfig(AppConfig):
    name = "service.budgets"
    label = "budgets"
