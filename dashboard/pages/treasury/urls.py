"""Addresses of the treasury."""

from django.urls import path

from dashboard.pages.treasury import views

urlpatterns = [
    path("", views.wallets, name="treasury"),
    path("new/", views.open_wallet, name="treasury_new"),
    path("currencies/", views.currencies, name="treasury_currencies"),
    path("currencies/add/", views.add_currency, name="treasury_add_currency"),
    path("currencies/<word:code>/open/", views.open_wallet_in, name="treasury_open_in"),
    path("cashflow/", views.cashflow, name="treasury_cashflow"),
    path("forecast/", views.forecast, name="treasury_forecast"),
    path("movement/", views.movement, name="treasury_movement"),
    path("fx/", views.rates, name="treasury_fx"),
    path("fx/transfer/", views.transfer_fx, name="treasury_fx_transfer"),
    path("<remote:remote_id>/", views.wallet, name="treasury_wallet"),
    path("<remote:remote_id>/suspend/", views.suspend_wallet, name="treasury_suspend"),
    path("<remote:remote_id>/activate/", views.activate_wallet, name="treasury_activate"),
    path("<remote:remote_id>/rename/", views.rename_wallet, name="treasury_rename"),
    path("<remote:remote_id>/close/", views.close_wallet, name="treasury_close"),
]
