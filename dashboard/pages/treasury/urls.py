"""Addresses of the treasury."""

from django.urls import path

from dashboard.pages.treasury import reports, views

urlpatterns = [
    path("", views.wallets, name="treasury"),
    path("new/", views.open_wallet, name="treasury_new"),
    path("cashflow/", reports.cashflow, name="treasury_cashflow"),
    path("movement/", reports.movement, name="treasury_movement"),
    path("<str:remote_id>/", views.wallet, name="treasury_wallet"),
    path("<str:remote_id>/suspend/", views.suspend_wallet, name="treasury_suspend"),
    path("<str:remote_id>/activate/", views.activate_wallet, name="treasury_activate"),
]
