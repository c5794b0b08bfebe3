"""Addresses of the vendors."""

from django.urls import path

from dashboard.pages.vendors.views import accounts, vendors

urlpatterns = [
    path("", vendors.vendors, name="vendors"),
    path("totals/", vendors.totals, name="vendors_totals"),
    path("new/", vendors.new_vendor, name="vendors_new"),
    path("recent/", vendors.recent, name="vendors_recent"),
    path("payee-changes/", accounts.payee_changes, name="vendors_payee_changes"),
    path("<remote:remote_id>/", vendors.vendor, name="vendors_item"),
    path("<remote:remote_id>/edit/", vendors.edit_vendor, name="vendors_edit"),
    path("<remote:remote_id>/account/", accounts.propose_account, name="vendors_account"),
    path("<remote:remote_id>/account/<remote:account_id>/confirm/", accounts.confirm_account, name="vendors_confirm"),
    path("<remote:remote_id>/account/<remote:account_id>/reject/", accounts.reject_account, name="vendors_reject"),
    path("<remote:remote_id>/delete/", vendors.delete_vendor, name="vendors_delete"),
]
