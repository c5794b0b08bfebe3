from django.apps import AppConfig


class TransactionsConfig(AppConfig):
    name = "service.transactions"
    label = "transactions"
