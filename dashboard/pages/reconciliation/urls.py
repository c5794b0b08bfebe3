"""Addresses of reconciliation."""

from django.urls import path

from dashboard.pages.reconciliation.views import desk, imports, proof, rules

urlpatterns = [
    path("", imports.statements, name="reconciliation"),
    path("upload/", imports.upload_statement, name="reconciliation_upload"),
    path("files/<uuid:draft_id>/", imports.preview, name="reconciliation_file"),
    path("files/<uuid:draft_id>/columns/", imports.map_columns, name="reconciliation_columns"),
    path("files/<uuid:draft_id>/import/", imports.import_statement, name="reconciliation_import"),
    path("wallets/<remote:wallet_id>/", desk.wallet, name="reconciliation_wallet"),
    path("wallets/<remote:wallet_id>/match/", desk.match, name="reconciliation_match"),
    path("wallets/<remote:wallet_id>/select/", desk.select, name="reconciliation_select"),
    path("wallets/<remote:wallet_id>/accept/", desk.accept_certain, name="reconciliation_accept"),
    path("wallets/<remote:wallet_id>/matches/<remote:match_id>/undo/", desk.undo_match, name="reconciliation_undo"),
    path(
        "wallets/<remote:wallet_id>/statements/<remote:statement_id>/accept-difference/",
        proof.accept_difference,
        name="reconciliation_difference",
    ),
    path(
        "wallets/<remote:wallet_id>/statements/<remote:statement_id>/withdraw-difference/",
        proof.withdraw_difference,
        name="reconciliation_withdraw",
    ),
    path(
        "wallets/<remote:wallet_id>/statements/<remote:statement_id>/remove/",
        proof.remove_statement,
        name="reconciliation_remove",
    ),
    path("wallets/<remote:wallet_id>/rules/", rules.bank_rules, name="reconciliation_rules"),
    path(
        "wallets/<remote:wallet_id>/rules/<remote:rule_id>/delete/",
        rules.delete_rule,
        name="reconciliation_rule_delete",
    ),
]
