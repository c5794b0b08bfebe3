"""Addresses of the wallet policies."""

from django.urls import path

from dashboard.pages.wallet_policies.views import (
    audit,
    changes,
    matrix,
    payment_authority,
    permissions,
    proposals,
    suspensions,
)

urlpatterns = [
    path("", matrix.matrix, name="wallet-policies"),
    path("me/", matrix.own, name="wallet-policies_own"),
    path("money/", payment_authority.payment_authority, name="wallet-policies_money"),
    path("money/export/", payment_authority.export_payment_authority, name="wallet-policies_money_export"),
    path("people/<remote:employee_id>/", matrix.person, name="wallet-policies_person"),
    path("people/<remote:employee_id>/wallets/<remote:wallet_id>/", matrix.trace, name="wallet-policies_trace"),
    path("wallets/<remote:wallet_id>/", matrix.wallet, name="wallet-policies_wallet"),
    path("wallets/<remote:wallet_id>/audit/", audit.wallet_audit, name="wallet-policies_wallet_audit"),
    path("wallets/<remote:wallet_id>/suspend/", suspensions.suspend_several, name="wallet-policies_suspend_several"),
    path("permissions/", permissions.permissions, name="wallet-policies_permissions"),
    path("permissions/sync/", permissions.sync_permissions, name="wallet-policies_sync"),
    path("grant/", changes.grant, name="wallet-policies_grant"),
    path("audit/", audit.audit, name="wallet-policies_audit"),
    path("proposals/", proposals.proposals, name="wallet-policies_proposals"),
    path("proposals/second-admin/", proposals.require_second_admin, name="wallet-policies_second"),
    path("proposals/no-second-admin/", proposals.propose_single_admin, name="wallet-policies_no_second"),
    path("proposals/<number:proposal_id>/", proposals.proposal, name="wallet-policies_proposal"),
    path("proposals/<number:proposal_id>/confirm/", proposals.confirm, name="wallet-policies_confirm"),
    path("proposals/<number:proposal_id>/decline/", proposals.decline, name="wallet-policies_decline"),
    path("proposals/<number:proposal_id>/withdraw/", proposals.withdraw, name="wallet-policies_withdraw"),
    path("<remote:policy_id>/", matrix.policy, name="wallet-policies_item"),
    path("<remote:policy_id>/edit/", changes.edit, name="wallet-policies_edit"),
    path("<remote:policy_id>/suspend/", changes.suspend, name="wallet-policies_suspend"),
    path("<remote:policy_id>/reactivate/", changes.reactivate, name="wallet-policies_reactivate"),
    path("<remote:policy_id>/revoke/", changes.revoke, name="wallet-policies_revoke"),
    path("<remote:policy_id>/audit/", audit.policy_audit, name="wallet-policies_policy_audit"),
]
