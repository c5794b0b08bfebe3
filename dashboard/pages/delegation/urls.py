"""Addresses of standing in for each other."""

from django.urls import path

from dashboard.pages.delegation import views

urlpatterns = [
    path("", views.delegations, name="delegation"),
    path("<uuid:delegation_id>/end/", views.end_delegation, name="delegation_end"),
]
