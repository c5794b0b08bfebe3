"""The Django app of service/bills."""

from django.apps import AppConfig


class BillsConfig(AppConfig):
    name = "service.bills"
    label = "bills"

    def ready(self) -> None:
        """Says what follows from a vote on a bill payment."""
        from service.approvals import subjects
        from service.bills.approving import KIND, voted

        subjects.register(KIND, voted)
