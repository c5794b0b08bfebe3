"""Addresses of the subscriptions."""

from django.urls import path

from dashboard.pages.subscriptions import views

urlpatterns = [
    path("", views.subscriptions, name="subscriptions"),
    path("totals/", views.totals, name="subscriptions_totals"),
    path("new/", views.new_subscription, name="subscriptions_new"),
    path("find/", views.find, name="subscriptions_find"),
    path("attention/", views.attention, name="subscriptions_attention"),
    path("<remote:remote_id>/", views.subscription, name="subscriptions_item"),
    path("<remote:remote_id>/status/", views.set_status, name="subscriptions_status"),
    path("<remote:remote_id>/change/<word:part>/", views.change, name="subscriptions_change"),
]
