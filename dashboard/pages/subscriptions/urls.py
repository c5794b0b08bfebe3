"""Addresses of the subscriptions."""

from django.urls import path

from dashboard.pages.subscriptions.views import cancellation, subscriptions, terms

urlpatterns = [
    path("", subscriptions.subscriptions, name="subscriptions"),
    path("totals/", subscriptions.totals, name="subscriptions_totals"),
    path("new/", subscriptions.new_subscription, name="subscriptions_new"),
    path("find/", subscriptions.find, name="subscriptions_find"),
    path("attention/", subscriptions.attention, name="subscriptions_attention"),
    path("<remote:remote_id>/", subscriptions.subscription, name="subscriptions_item"),
    path("<remote:remote_id>/status/", subscriptions.set_status, name="subscriptions_status"),
    path("<remote:remote_id>/change/<word:part>/", subscriptions.change, name="subscriptions_change"),
    path("<remote:remote_id>/terms/", terms.terms, name="subscriptions_terms"),
    path("<remote:remote_id>/cancellation/", cancellation.cancellation, name="subscriptions_cancellation"),
    path("<remote:remote_id>/cancellation/start/", cancellation.start, name="subscriptions_cancellation_start"),
    path(
        "<remote:remote_id>/cancellation/withdraw/", cancellation.withdraw, name="subscriptions_cancellation_withdraw"
    ),
    path(
        "<remote:remote_id>/cancellation/<word:step>/", cancellation.carry_out, name="subscriptions_cancellation_step"
    ),
]
