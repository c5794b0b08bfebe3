"""The Django app of service/bills."""

from django.apps import AppConfig


class BillsConfig(AppConfig):
    name = "service.bills"
    label = "bills"

    def ready(self) -> None:
        """Says what follows from a vote on a bill payment, what counts towards policies, which bills keep a vendor, who was
        paid by one, and what they use of a budget."""
        from service.approvals import subjects
        from service.bills import on_vendors, policies, queries
        from service.bills.approving import KIND, voted
        from service.budgets import figures
        from service.business_policies import counting
        from service.vendors import attached, recent

        subjects.register(KIND, voted)
        counting.register(policies.spent)
        attached.register(on_vendors.attached)
        recent.register(queries.PAYEES)
        figures.register(committed=queries.COMMITTED_OF_BUDGET, spent=queries.SPENT_OF_BUDGET)
