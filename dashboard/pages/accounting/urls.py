"""Addresses of accounting."""

from django.urls import path

from dashboard.pages.accounting.views import books, periods

urlpatterns = [
    path("", periods.periods, name="accounting"),
    path("postings/<number:posting_id>/", books.posting, name="accounting_posting"),
    path("<remote:period>/", periods.period, name="accounting_period"),
    path("<remote:period>/close/", periods.close_period, name="accounting_close"),
    path("<remote:period>/reopen/", periods.reopen_period, name="accounting_reopen"),
    path("<remote:period>/late/", periods.late, name="accounting_late"),
    path("<remote:period>/bank-lines/", periods.bank_lines, name="accounting_bank_lines"),
    path("<remote:period>/trial-balance/", books.trial_balance, name="accounting_trial_balance"),
    path("<remote:period>/ledger/", books.ledger, name="accounting_ledger"),
]
