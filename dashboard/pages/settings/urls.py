"""Addresses of the settings."""

from django.urls import path

from dashboard.pages.settings import views

urlpatterns = [
    path("", views.settings, name="settings"),
]
