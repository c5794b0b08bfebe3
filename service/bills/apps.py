"""The Django app of service/bills."""

from django.apps import AppConfig


class BillsConfig(AppConfig):
    name = "service.bills"
    label = "bills"

    def ready(self) -> None:
        """Says what follows from a vote on a bill payment, and what counts towards policies."""
        from service.approvals import subjects
        from service.bills import policies
        from service.bills.approving import KIND, voted
        from service.business_policies import counting

        subjects.register(KIND, voted)
        counting.register(policies.spent)
