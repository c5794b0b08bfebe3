"""The Django app of service/credit_notes."""

from django.apps import AppConfig


class CreditNotesConfig(AppConfig):
    name = "service.credit_notes"
    label = "credit_notes"
