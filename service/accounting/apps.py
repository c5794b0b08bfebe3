from django.apps import AppConfig


class AccountingConfig(AppConfig):
    name = "service.accounting"
    label = "accounting"

    def ready(self) -> None:
        """Says which exports hold what is filed under a subcategory, and what of it stands in a closed period."""
        from service.accounting import receivers
        from service.accounting.receivers import count_closed
        from service.categories.hooks import register_closed, register_users

        register_users(receivers.FILED)
        register_closed(count_closed)
