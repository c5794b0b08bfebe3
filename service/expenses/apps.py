"""The Django app of service/expenses."""

from django.apps import AppConfig


class ExpensesConfig(AppConfig):
    name = "service.expenses"
    label = "expenses"
