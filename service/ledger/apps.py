from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "service.ledger"
    label = "ledger"
