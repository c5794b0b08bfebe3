from django.apps import AppConfig


class BankStatementsConfig(AppConfig):
    name = "dashboard.bank_statements"
    label = "bank_statements"
