"""Addresses of the wallet policies."""

from django.urls import path

from dashboard.pages.wallet_policies import audits, changing, proposing, several, views

urlpatterns = [
    path("", views.matrix, name="wallet-policies"),
    path("me/", views.own, name="wallet-policies_own"),
    path("people/<remote:employee_id>/", views.person, name="wallet-policies_person"),
    path("people/<remote:employee_id>/wallets/<remote:wallet_id>/", views.trace, name="wallet-policies_trace"),
    path("wallets/<remote:wallet_id>/", views.wallet, name="wallet-policies_wallet"),
    path("wallets/<remote:wallet_id>/audit/", audits.wallet_audit, name="wallet-policies_wallet_audit"),
    path("wallets/<remote:wallet_id>/suspend/", several.suspend_several, name="wallet-policies_suspend_several"),
    path("permissions/", views.permissions, name="wallet-policies_permissions"),
    path("permissions/sync/", views.sync_permissions, name="wallet-policies_sync"),
    path("grant/", changing.grant, name="wallet-policies_grant"),
    path("audit/", audits.audit, name="wallet-policies_audit"),
    path("proposals/", proposing.proposals, name="wallet-policies_proposals"),
    path("proposals/second-admin/", proposing.ask_for_second, name="wallet-policies_second"),
    path("proposals/no-second-admin/", proposing.ask_for_none, name="wallet-policies_no_second"),
    path("proposals/<number:proposal_id>/", proposing.proposal, name="wallet-policies_proposal"),
    path("proposals/<number:proposal_id>/confirm/", proposing.confirm, name="wallet-policies_confirm"),
    path("proposals/<number:proposal_id>/decline/", proposing.decline, name="wallet-policies_decline"),
    path("proposals/<number:proposal_id>/withdraw/", proposing.withdraw, name="wallet-policies_withdraw"),
    path("<remote:policy_id>/", views.policy, name="wallet-policies_item"),
    path("<remote:policy_id>/edit/", changing.edit, name="wallet-policies_edit"),
    path("<remote:policy_id>/suspend/", changing.suspend, name="wallet-policies_suspend"),
    path("<remote:policy_id>/reactivate/", changing.reactivate, name="wallet-policies_reactivate"),
    path("<remote:policy_id>/revoke/", changing.revoke, name="wallet-policies_revoke"),
    path("<remote:policy_id>/audit/", audits.policy_audit, name="wallet-policies_policy_audit"),
]
