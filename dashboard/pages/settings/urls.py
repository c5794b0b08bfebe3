"""Addresses of the settings."""

from django.urls import path

from dashboard.pages.settings import views

urlpatterns = [
    path("", views.settings, name="settings"),
    path("connection/", views.connection, name="settings_connection"),
    path("connection/test/", views.try_connection, name="settings_try_connection"),
    path("status/", views.status, name="settings_status"),
    path("security/", views.security, name="settings_security"),
    path("single-sign-on/", views.single_sign_on, name="settings_single_sign_on"),
    path("single-sign-on/scim-token/", views.issue_scim_token, name="settings_scim_token"),
    path("single-sign-on/scim-token/end/", views.end_scim_token, name="settings_end_scim_token"),
    path("policy-overrides/", views.override_roles, name="settings_override_roles"),
    path("audit-sample/", views.audit_sample, name="settings_audit_sample"),
    path("members/", views.members, name="settings_members"),
    path("members/invite/", views.invite_member, name="settings_invite"),
    path("members/<number:member_id>/role/", views.change_role, name="settings_role"),
    path("members/<number:member_id>/end/", views.end_membership, name="settings_end_membership"),
    path("members/<number:member_id>/reset/", views.propose_factor_reset, name="settings_ask_reset"),
    path("resets/<number:reset_id>/confirm/", views.confirm_factor_reset, name="settings_confirm_reset"),
]
