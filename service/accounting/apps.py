from django.apps import AppConfig


class AccountingConfig(AppConfig):
    name = "service.accounting"
    label = "accounting"
