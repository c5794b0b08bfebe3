"""The Django app of service/credit_notes."""

from django.apps import AppConfig


class CreditNotesConfig(AppConfig):
    name = "service.credit_notes"
    label = "credit_notes"

    def ready(self) -> None:
        """Says what of it follows a merge of vendors."""
        from service.credit_notes import receivers
        from service.vendors import hooks

        hooks.register_follower(receivers.FOLLOWER)
