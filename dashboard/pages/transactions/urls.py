"""Addresses of the transactions."""

from django.urls import path

from dashboard.pages.transactions.views import documents, splits, transactions

urlpatterns = [
    path("", transactions.transactions, name="transactions"),
    path("totals/", transactions.totals, name="transactions_totals"),
    path("new/", transactions.new_transaction, name="transactions_new"),
    path("recent/", transactions.recent, name="transactions_recent"),
    path("documents/", documents.add_named_document, name="transactions_add_named_document"),
    path("<remote:remote_id>/", transactions.transaction, name="transactions_item"),
    path("<remote:remote_id>/category/", transactions.categorise, name="transactions_category"),
    path("<remote:remote_id>/split/", splits.split, name="transactions_split"),
    path("<remote:remote_id>/split/remove/", splits.remove_split, name="transactions_remove_split"),
    path("<remote:remote_id>/documents/", documents.add_documents, name="transactions_add_documents"),
    path("<remote:remote_id>/documents/<remote:file_id>/", documents.document, name="transactions_document"),
    path(
        "<remote:remote_id>/documents/<remote:file_id>/page/<number:page_number>/",
        documents.document_page,
        name="transactions_document_page",
    ),
    path(
        "<remote:remote_id>/documents/<remote:file_id>/original/",
        documents.original,
        name="transactions_document_original",
    ),
    path(
        "<remote:remote_id>/documents/<remote:file_id>/remove/",
        documents.remove_document,
        name="transactions_remove_document",
    ),
]
