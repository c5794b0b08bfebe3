"""Addresses of the settings."""

from django.urls import path

from dashboard.pages.settings.views import members, settings, single_sign_on

urlpatterns = [
    path("", settings.settings, name="settings"),
    path("connection/", settings.connection, name="settings_connection"),
    path("connection/test/", settings.try_connection, name="settings_try_connection"),
    path("status/", settings.status, name="settings_status"),
    path("security/", settings.security, name="settings_security"),
    path("single-sign-on/", single_sign_on.single_sign_on, name="settings_single_sign_on"),
    path("single-sign-on/metadata/", single_sign_on.saml_metadata, name="settings_saml_metadata"),
    path("single-sign-on/key/renew/", single_sign_on.renew_key, name="settings_renew_key"),
    path("single-sign-on/key/remove/", single_sign_on.remove_key, name="settings_remove_key"),
    path("single-sign-on/scim-token/", single_sign_on.issue_scim_token, name="settings_scim_token"),
    path("single-sign-on/scim-token/end/", single_sign_on.end_scim_token, name="settings_end_scim_token"),
    path("policy-overrides/", settings.override_roles, name="settings_override_roles"),
    path("audit-sample/", settings.audit_sample, name="settings_audit_sample"),
    path("members/", members.members, name="settings_members"),
    path("members/invite/", members.invite_member, name="settings_invite"),
    path("members/<number:member_id>/role/", members.change_role, name="settings_role"),
    path("members/<number:member_id>/end/", members.end_membership, name="settings_end_membership"),
    path("members/<number:member_id>/suspend/", members.suspend_member, name="settings_suspend_member"),
    path("members/<number:member_id>/resume/", members.resume_member, name="settings_resume_member"),
    path("members/<number:member_id>/resend/", members.resend_invitation, name="settings_resend"),
    path("members/<number:member_id>/reset/", members.propose_factor_reset, name="settings_ask_reset"),
    path("resets/<number:reset_id>/confirm/", members.confirm_factor_reset, name="settings_confirm_reset"),
]
