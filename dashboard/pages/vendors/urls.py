"""Addresses of the vendors."""

from django.urls import path

from dashboard.pages.vendors import views

urlpatterns = [
    path("", views.vendors, name="vendors"),
    path("totals/", views.totals, name="vendors_totals"),
    path("<remote:remote_id>/", views.vendor, name="vendors_item"),
]
