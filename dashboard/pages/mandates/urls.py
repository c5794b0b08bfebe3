"""Addresses of the mandates, the roles and people's rights."""

from django.urls import path

from dashboard.pages.mandates.views import changes, overview, rights

urlpatterns = [
    path("", overview.mandates, name="mandates"),
    path("people/", overview.people, name="mandates_people"),
    path("people/<remote:employee_id>/", overview.person, name="mandates_person"),
    path("people/<remote:employee_id>/role/", rights.change_role, name="mandates_person_role"),
    path("people/<remote:employee_id>/permissions/", rights.change_permissions, name="mandates_person_permissions"),
    path("roles/", overview.roles, name="mandates_roles"),
    path("roles/<remote:role_id>/", rights.change_role_permissions, name="mandates_role"),
    path("<remote:mandate_id>/", overview.mandate, name="mandates_item"),
    path("<remote:mandate_id>/minimum/", changes.minimum, name="mandates_minimum"),
    path("<remote:mandate_id>/approvers/add/", changes.add_approvers, name="mandates_add"),
    path("<remote:mandate_id>/approvers/remove/", changes.remove_approvers, name="mandates_remove"),
    path("<remote:mandate_id>/approvers/<remote:approver_id>/", changes.approver, name="mandates_approver"),
]
