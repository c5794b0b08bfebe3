"""Addresses of the decisions on their way."""

from django.urls import path

from dashboard.pages.decisions import views

urlpatterns = [
    path("", views.decisions, name="decisions"),
    path("rows/", views.decision_rows, name="decisions_rows"),
    path("<uuid:decision_id>/undo/", views.undo_decision, name="decisions_undo"),
    path("<uuid:decision_id>/toast/", views.decision_toast, name="decisions_toast"),
]
