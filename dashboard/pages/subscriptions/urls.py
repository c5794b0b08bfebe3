"""Addresses of the subscriptions."""

from django.urls import path

from dashboard.pages.subscriptions import views

urlpatterns = [
    path("", views.subscriptions, name="subscriptions"),
    path("totals/", views.totals, name="subscriptions_totals"),
    path("<remote:remote_id>/", views.subscription, name="subscriptions_item"),
]
