"""Addresses of the mandates, the roles and people's rights."""

from django.urls import path

from dashboard.pages.mandates import changing, rights, views

urlpatterns = [
    path("", views.mandates, name="mandates"),
    path("people/", views.people, name="mandates_people"),
    path("people/<str:employee_id>/", views.person, name="mandates_person"),
    path("people/<str:employee_id>/role/", rights.change_role, name="mandates_person_role"),
    path("people/<str:employee_id>/permissions/", rights.change_permissions, name="mandates_person_permissions"),
    path("roles/", views.roles, name="mandates_roles"),
    path("roles/<str:role_id>/", rights.change_role_permissions, name="mandates_role"),
    path("<str:mandate_id>/", views.mandate, name="mandates_item"),
    path("<str:mandate_id>/minimum/", changing.minimum, name="mandates_minimum"),
    path("<str:mandate_id>/approvers/add/", changing.add_approvers, name="mandates_add"),
    path("<str:mandate_id>/approvers/remove/", changing.remove_approvers, name="mandates_remove"),
    path("<str:mandate_id>/approvers/<str:approver_id>/", changing.approver, name="mandates_approver"),
]
