"""The Django app of service/expenses."""

from django.apps import AppConfig


class ExpensesConfig(AppConfig):
    name = "service.expenses"
    label = "expenses"

    def ready(self) -> None:
        """Says which expenses keep an account open, who was paid by one, and what they use of a budget."""
        from service.budgets import figures
        from service.employees import hooks
        from service.expenses import receivers
        from service.expenses.selectors import PAYEES, SPENT_OF_BUDGET, SPENT_OF_CATEGORY
        from service.vendors import recent_payees

        hooks.register_dependents(receivers.held_expenses_of)
        recent_payees.register(PAYEES)
        figures.register(spent=SPENT_OF_BUDGET)
        figures.register(spent=SPENT_OF_CATEGORY)
