"""Addresses of the vendors."""

from django.urls import path

from dashboard.pages.vendors.views import accounts, contacts, documents, merges, vendors

urlpatterns = [
    path("", vendors.vendors, name="vendors"),
    path("totals/", vendors.totals, name="vendors_totals"),
    path("new/", vendors.new_vendor, name="vendors_new"),
    path("recent/", vendors.recent, name="vendors_recent"),
    path("payee-changes/", accounts.payee_changes, name="vendors_payee_changes"),
    path("duplicates/", merges.duplicates, name="vendors_duplicates"),
    path("<remote:remote_id>/", vendors.vendor, name="vendors_item"),
    path("<remote:remote_id>/edit/", vendors.edit_vendor, name="vendors_edit"),
    path("<remote:remote_id>/account/", accounts.propose_account, name="vendors_account"),
    path("<remote:remote_id>/payment-method/", accounts.propose_payment_method, name="vendors_method"),
    path("<remote:remote_id>/account/<remote:account_id>/confirm/", accounts.confirm_account, name="vendors_confirm"),
    path("<remote:remote_id>/account/<remote:account_id>/reject/", accounts.reject_account, name="vendors_reject"),
    path("<remote:remote_id>/delete/", vendors.delete_vendor, name="vendors_delete"),
    path("<remote:remote_id>/restore/", vendors.restore_vendor, name="vendors_restore"),
    path("<remote:remote_id>/merge/<remote:duplicate_id>/", merges.merge, name="vendors_merge"),
    path("<remote:remote_id>/contacts/new/", contacts.add_contact, name="vendors_add_contact"),
    path("<remote:remote_id>/contacts/<remote:contact_id>/", contacts.change_contact, name="vendors_change_contact"),
    path(
        "<remote:remote_id>/contacts/<remote:contact_id>/remove/",
        contacts.remove_contact,
        name="vendors_remove_contact",
    ),
    path("<remote:remote_id>/documents/", documents.add_document, name="vendors_add_document"),
    path("<remote:remote_id>/documents/<remote:file_id>/", documents.document, name="vendors_document"),
    path(
        "<remote:remote_id>/documents/<remote:file_id>/page/<number:page_number>/",
        documents.document_page,
        name="vendors_document_page",
    ),
    path(
        "<remote:remote_id>/documents/<remote:file_id>/original/", documents.original, name="vendors_document_original"
    ),
    path(
        "<remote:remote_id>/documents/<remote:file_id>/remove/",
        documents.remove_document,
        name="vendors_remove_document",
    ),
]
