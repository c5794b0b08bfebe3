"""The Django app of service/taxes."""

from django.apps import AppConfig


class TaxesConfig(AppConfig):
    name = "service.taxes"
    label = "taxes"

    def ready(self) -> None:
        """Says what of taxes follows a merge of vendors."""
        from service.taxes import receivers
        from service.vendors.hooks import register_follower

        register_follower(receivers.FOLLOWER)
