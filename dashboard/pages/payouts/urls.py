"""Addresses of the payouts."""

from django.urls import path

from dashboard.pages.payouts.selectors.sources import PAYOUT_SOURCES
from dashboard.pages.payouts.views import bank_files, codes, columns, entry, payouts, singles, sources

urlpatterns = [
    path("", payouts.payouts, name="payouts"),
    path("totals/", payouts.totals, name="payouts_totals"),
    path("new/", entry.new_payout, name="payouts_new"),
    path("new/columns/<number:columns_id>/", columns.edit_columns, name="payouts_columns"),
    path("new/columns/<number:columns_id>/forget/", columns.forget_columns, name="payouts_columns_forget"),
    path("new/single/", singles.new_payment, name="payouts_single"),
    *(
        path(f"new/from/{word}/", sources.new_from_source, {"source": word}, name=f"payouts_from_{word}")
        for word in PAYOUT_SOURCES
    ),
    path("request/", singles.request_money, name="payouts_request"),
    path("<remote:remote_id>/", payouts.payout, name="payouts_item"),
    path("<remote:remote_id>/progress/", payouts.progress, name="payouts_progress"),
    path("<remote:remote_id>/sheet/", payouts.closing_sheet, name="payouts_sheet"),
    path("<remote:remote_id>/sheet/pdf/", payouts.closing_pdf_file, name="payouts_sheet_pdf"),
    path("<remote:remote_id>/bank-file/", bank_files.download_bank_file, name="payouts_bank_file"),
    path("<remote:remote_id>/initiate/", payouts.initiate, name="payouts_initiate"),
    path("<remote:remote_id>/draft/", payouts.to_draft, name="payouts_draft"),
    path("<remote:remote_id>/cancel/", payouts.cancel, name="payouts_cancel"),
    path("<remote:remote_id>/again/", entry.pay_again, name="payouts_again"),
    path("<remote:remote_id>/code/", codes.send_code, name="payouts_code"),
    path("<remote:remote_id>/confirm/", codes.confirm, name="payouts_confirm"),
]
