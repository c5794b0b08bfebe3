"""Addresses of the rules that categorise."""

from django.urls import path

from dashboard.pages.category_rules import views

urlpatterns = [
    path("", views.category_rules, name="category_rules"),
    path("new/", views.new_rule, name="category_rules_new"),
    path("<number:rule_id>/", views.category_rule, name="category_rules_item"),
    path("<number:rule_id>/edit/", views.edit_rule, name="category_rules_edit"),
    path("<number:rule_id>/try/", views.try_rule, name="category_rules_try"),
    path("<number:rule_id>/on/", views.switch_on, name="category_rules_on"),
    path("<number:rule_id>/off/", views.switch_off, name="category_rules_off"),
    path("<number:rule_id>/up/", views.move_up, name="category_rules_up"),
    path("<number:rule_id>/delete/", views.delete_rule, name="category_rules_delete"),
]
