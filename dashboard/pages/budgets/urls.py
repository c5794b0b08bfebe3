"""Addresses of budgets."""

from django.urls import path

from dashboard.pages.budgets import views

urlpatterns = [
    path("", views.budgets, name="budgets"),
    path("new/", views.new_budget, name="budgets_new"),
    path("<remote:budget_id>/", views.budget, name="budgets_item"),
    path("<remote:budget_id>/edit/", views.edit_budget, name="budgets_edit"),
]
