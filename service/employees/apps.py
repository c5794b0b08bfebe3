"""The Django app of service/employees."""

from django.apps import AppConfig


class EmployeesConfig(AppConfig):
    name = "service.employees"
    label = "employees"

    def ready(self) -> None:
        """Says to vendors whose phone a number is."""
        from service.employees.receivers import phone_owners
        from service.vendors.hooks import register_phone_owners

        register_phone_owners(phone_owners)
