"""Addresses of the expenses."""

from django.urls import path

from dashboard.pages.expenses import receipts, reports, tagging, views

urlpatterns = [
    path("", views.expenses, name="expenses"),
    path("totals/", views.totals, name="expenses_totals"),
    path("reports/", reports.reports, name="expenses_reports"),
    path("receipts/", receipts.receipts, name="expenses_receipts"),
    path("receipts/rows/", receipts.rows, name="expenses_receipts_rows"),
    path("receipts/<number:job_id>/cancel/", receipts.cancel, name="expenses_receipts_cancel"),
    path("receipts/<number:job_id>/file/", receipts.file, name="expenses_receipts_file"),
    path("<remote:remote_id>/", views.expense, name="expenses_item"),
    path("<remote:remote_id>/tags/", tagging.tags, name="expenses_tags"),
    path("<remote:remote_id>/notes/", views.note_expense, name="expenses_notes"),
    path("<remote:remote_id>/category/", views.categorise_expense, name="expenses_category"),
    path("<remote:remote_id>/receipt/<remote:receipt_id>/", views.receipt, name="expenses_receipt"),
]
