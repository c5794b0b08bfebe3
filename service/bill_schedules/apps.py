"""The Django app of service/bill_schedules."""

from django.apps import AppConfig


class BillSchedulesConfig(AppConfig):
    name = "service.bill_schedules"
    label = "bill_schedules"

    def ready(self) -> None:
        """Says what of it follows a merge of vendors, and what names a subcategory."""
        from service.bill_schedules import receivers
        from service.categories.hooks import register_users
        from service.vendors import hooks

        hooks.register_follower(receivers.FOLLOWER)
        register_users(receivers.FILED)
