"""A business's pages: one room per area."""

from django.urls import include, path

urlpatterns = [
    path("", include("dashboard.pages.home.urls")),
    path("approvals/", include("dashboard.pages.approvals.urls")),
    path("find/", include("dashboard.pages.finder.urls")),
    path("expenses/", include("dashboard.pages.expenses.urls")),
    path("documents/", include("dashboard.pages.documents.urls")),
    path("cards/", include("dashboard.pages.cards.urls")),
    path("customers/", include("dashboard.pages.customers.urls")),
    path("investments/", include("dashboard.pages.investments.urls")),
    path("transactions/", include("dashboard.pages.transactions.urls")),
    path("subscriptions/", include("dashboard.pages.subscriptions.urls")),
    path("categories/", include("dashboard.pages.categories.urls")),
    path("payouts/", include("dashboard.pages.payouts.urls")),
    path("bills/", include("dashboard.pages.bills.urls")),
    path("vendors/", include("dashboard.pages.vendors.urls")),
    path("taxes/", include("dashboard.pages.taxes.urls")),
    path("people/", include("dashboard.pages.people.urls")),
    path("treasury/", include("dashboard.pages.treasury.urls")),
    path("wallet-policies/", include("dashboard.pages.wallet_policies.urls")),
    path("policies/", include("dashboard.pages.policies.urls")),
    path("mandates/", include("dashboard.pages.mandates.urls")),
    path("decisions/", include("dashboard.pages.decisions.urls")),
    path("audit/", include("dashboard.pages.audit.urls")),
    path("", include("dashboard.pages.lists.urls")),
    path("conversation/", include("dashboard.pages.conversation.urls")),
    path("delegation/", include("dashboard.pages.delegation.urls")),
    path("notifications/", include("dashboard.pages.notifications.urls")),
    path("submissions/", include("dashboard.pages.submissions.urls")),
    path("settings/", include("dashboard.pages.settings.urls")),
]
