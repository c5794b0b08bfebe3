"""The Django app of the pages: it has no tables, and says at start-up what lower floors cannot know of pages."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "dashboard.pages"
    label = "pages"

    def ready(self) -> None:
        """Makes known how items are shown; and, as the rooms are read, their lists and importers: a worker needs them too."""
        import dashboard.pages.urls  # noqa: F401 - the lists and importers of the rooms register as they are read
        from dashboard.decisions.items import register_presenter
        from dashboard.mirror.models import Approval, Expense, Request
        from dashboard.pages.approvals.presenters.expenses import expense_item
        from dashboard.pages.approvals.presenters.orders import order_item
        from dashboard.pages.approvals.presenters.votes import approval_item

        register_presenter(Expense, expense_item)
        register_presenter(Approval, approval_item)
        register_presenter(Request, order_item)
