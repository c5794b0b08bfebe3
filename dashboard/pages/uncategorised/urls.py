"""Addresses of the queue of what has no category."""

from django.urls import path

from dashboard.pages.uncategorised import views

urlpatterns = [
    path("", views.expenses, name="uncategorised"),
    path("transactions/", views.transactions, name="uncategorised_transactions"),
    path("expense/<remote:remote_id>/", views.expense, name="uncategorised_expense"),
    path("expense/<remote:remote_id>/category/", views.categorise_expense, name="uncategorised_categorise_expense"),
    path("transaction/<remote:remote_id>/", views.transaction, name="uncategorised_transaction"),
    path(
        "transaction/<remote:remote_id>/category/",
        views.categorise_transaction,
        name="uncategorised_categorise_transaction",
    ),
]
