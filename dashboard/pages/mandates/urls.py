"""Addresses of the mandates, the roles and people's rights."""

from django.urls import path

from dashboard.pages.mandates import changing, rights, views

urlpatterns = [
    path("", views.mandates, name="mandates"),
    path("people/", views.people, name="mandates_people"),
    path("people/<remote:employee_id>/", views.person, name="mandates_person"),
    path("people/<remote:employee_id>/role/", rights.change_role, name="mandates_person_role"),
    path("people/<remote:employee_id>/permissions/", rights.change_permissions, name="mandates_person_permissions"),
    path("roles/", views.roles, name="mandates_roles"),
    path("roles/<remote:role_id>/", rights.change_role_permissions, name="mandates_role"),
    path("<remote:mandate_id>/", views.mandate, name="mandates_item"),
    path("<remote:mandate_id>/minimum/", changing.minimum, name="mandates_minimum"),
    path("<remote:mandate_id>/approvers/add/", changing.add_approvers, name="mandates_add"),
    path("<remote:mandate_id>/approvers/remove/", changing.remove_approvers, name="mandates_remove"),
    path("<remote:mandate_id>/approvers/<remote:approver_id>/", changing.approver, name="mandates_approver"),
]
