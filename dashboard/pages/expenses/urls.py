"""Addresses of the expenses."""

from django.urls import path

from dashboard.pages.expenses.views import add_receipts, answer, expenses, receipts, tags

urlpatterns = [
    path("", expenses.expenses, name="expenses"),
    path("totals/", expenses.totals, name="expenses_totals"),
    path("reports/", expenses.reports, name="expenses_reports"),
    path("receipts/", receipts.receipts, name="expenses_receipts"),
    path("receipts/rows/", receipts.rows, name="expenses_receipts_rows"),
    path("receipts/<number:job_id>/cancel/", receipts.cancel, name="expenses_receipts_cancel"),
    path("receipts/<number:job_id>/file/", receipts.file, name="expenses_receipts_file"),
    path("<remote:remote_id>/", expenses.expense, name="expenses_item"),
    path("<remote:remote_id>/tags/", tags.tags, name="expenses_tags"),
    path("<remote:remote_id>/answer/", answer.answer_question, name="expenses_answer"),
    path("<remote:remote_id>/receipts/", add_receipts.add_receipts, name="expenses_add_receipts"),
    path("<remote:remote_id>/notes/", expenses.note_expense, name="expenses_notes"),
    path("<remote:remote_id>/category/", expenses.categorise_expense, name="expenses_category"),
    path("<remote:remote_id>/receipt/<remote:receipt_id>/", expenses.receipt, name="expenses_receipt"),
]
