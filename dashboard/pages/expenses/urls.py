"""Addresses of the expenses."""

from django.urls import path

from dashboard.pages.expenses import receipts, reports, tagging, views

urlpatterns = [
    path("", views.expenses, name="expenses"),
    path("totals/", views.totals, name="expenses_totals"),
    path("reports/", reports.reports, name="expenses_reports"),
    path("receipts/", receipts.receipts, name="expenses_receipts"),
    path("receipts/rows/", receipts.rows, name="expenses_receipts_rows"),
    path("receipts/<int:job_id>/cancel/", receipts.cancel, name="expenses_receipts_cancel"),
    path("receipts/<int:job_id>/file/", receipts.file, name="expenses_receipts_file"),
    path("<str:remote_id>/", views.expense, name="expenses_item"),
    path("<str:remote_id>/tags/", tagging.tags, name="expenses_tags"),
    path("<str:remote_id>/notes/", views.note_expense, name="expenses_notes"),
    path("<str:remote_id>/category/", views.categorise_expense, name="expenses_category"),
    path("<str:remote_id>/receipt/<str:receipt_id>/", views.receipt, name="expenses_receipt"),
]
