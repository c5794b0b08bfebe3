"""The Django app of service/taxes."""

from django.apps import AppConfig


class TaxesConfig(AppConfig):
    name = "service.taxes"
    label = "taxes"
