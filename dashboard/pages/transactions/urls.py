"""Addresses of the transactions."""

from django.urls import path

from dashboard.pages.transactions import views

urlpatterns = [
    path("", views.transactions, name="transactions"),
    path("totals/", views.totals, name="transactions_totals"),
    path("<remote:remote_id>/", views.transaction, name="transactions_item"),
]
