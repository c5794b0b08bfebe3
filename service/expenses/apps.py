"""The Django app of service/expenses."""

from django.apps import AppConfig


class ExpensesConfig(AppConfig):
    name = "service.expenses"
    label = "expenses"

    def ready(self) -> None:
        """Says which expenses keep an account open, who was paid by one, what they use of a budget, and what is filed
        under a subcategory."""
        from service.budgets import figures
        from service.categories.hooks import register_users
        from service.employees import hooks
        from service.expenses import receivers, selectors
        from service.vendors import recent_payees

        hooks.register_dependents(receivers.held_expenses_of)
        recent_payees.register(selectors.PAYEES)
        figures.register(expenses=selectors.EXPENSES_OF_TEAM, fees=selectors.FEES_OF_TEAM)
        figures.register(expenses=selectors.EXPENSES_OF_CATEGORY, fees=selectors.FEES_OF_CATEGORY)
        figures.register(expenses=selectors.PARTS_OF_CATEGORY)
        for users in receivers.FILED:
            register_users(users)
