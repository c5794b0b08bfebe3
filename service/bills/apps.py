"""The Django app of service/bills."""

from django.apps import AppConfig


class BillsConfig(AppConfig):
    name = "service.bills"
    label = "bills"

    def ready(self) -> None:
        """Says what follows from a vote on a bill payment, what counts towards policies, which bills keep a vendor, who was
        paid by one, what they use of a budget, and which are to be booked under a subcategory."""
        from service.approvals.hooks import on_decided
        from service.bills import approvals, policies, receivers, selectors
        from service.budgets import figures
        from service.business_policies import usage
        from service.categories.hooks import register_users
        from service.vendors import activity, hooks, recent_payees

        on_decided(approvals.KIND, approvals.voted)
        register_users(receivers.FILED)
        usage.register(policies.spent)
        hooks.register_dependents(receivers.open_bills_of)
        recent_payees.register(selectors.PAYEES)
        activity.register_payments(selectors.PAID_TO_VENDOR)
        for follower in receivers.FOLLOWERS:
            hooks.register_follower(follower)
        figures.register(
            committed=selectors.COMMITTED_OF_BUDGET,
            committed_at_end=selectors.COMMITTED_OF_BUDGET_AT_END,
            spent=selectors.SPENT_OF_BUDGET,
        )
        figures.register(
            committed=selectors.COMMITTED_OF_SHARES,
            committed_at_end=selectors.COMMITTED_OF_SHARES_AT_END,
            spent=selectors.SPENT_OF_SHARES,
        )
        figures.register(
            committed=selectors.COMMITTED_OF_LINES,
            committed_at_end=selectors.COMMITTED_OF_LINES_AT_END,
            spent=selectors.SPENT_OF_LINES,
        )
