"""Addresses of the bills."""

from django.urls import path

from dashboard.pages.bills.views import (
    attachments,
    bills,
    credit_notes,
    edit,
    entry,
    files,
    payments,
    received,
    runs,
    schedules,
)

PAYMENT = "<remote:remote_id>/payments/<remote:ref>"

urlpatterns = [
    path("", bills.bills, name="bills"),
    path("totals/", bills.totals, name="bills_totals"),
    path("aging/", bills.aging, name="bills_aging"),
    path("new/", entry.new_bill, name="bills_new"),
    path("new/terms/", entry.vendor_terms, name="bills_vendor_terms"),
    path("new/file/", entry.upload, name="bills_upload"),
    path("received/", received.received, name="bills_received"),
    path("received/files/<uuid:attachment_id>/", received.received_file, name="bills_received_file"),
    path("received/files/<uuid:attachment_id>/enter/", received.enter_received, name="bills_received_enter"),
    path("received/<uuid:message_id>/dismiss/", received.dismiss_received, name="bills_received_dismiss"),
    path("credit-notes/", credit_notes.credit_notes, name="bills_credit_notes"),
    path("recurring/", schedules.schedules, name="bills_schedules"),
    path("recurring/new/", schedules.new_schedule, name="bills_schedules_new"),
    path("recurring/<remote:schedule_id>/", schedules.schedule, name="bills_schedule"),
    path("recurring/<remote:schedule_id>/pause/", schedules.pause_schedule, name="bills_schedule_pause"),
    path("recurring/<remote:schedule_id>/resume/", schedules.resume_schedule, name="bills_schedule_resume"),
    path("recurring/<remote:schedule_id>/end/", schedules.end_schedule, name="bills_schedule_end"),
    path("runs/<uuid:batch_id>/wallets/", runs.run_wallets, name="bills_run_wallets"),
    path("<remote:remote_id>/", bills.bill, name="bills_item"),
    path("<remote:remote_id>/cancel/", bills.cancel_bill, name="bills_cancel"),
    path("<remote:remote_id>/edit/", edit.edit_bill, name="bills_edit"),
    path("<remote:remote_id>/attach/", attachments.attach, name="bills_attach"),
    path("<remote:remote_id>/files/<remote:file_id>/remove/", attachments.detach, name="bills_detach"),
    path("<remote:remote_id>/files/<remote:file_id>/", files.file, name="bills_file"),
    path("<remote:remote_id>/files/<remote:file_id>/original/", files.original, name="bills_file_original"),
    path(
        "<remote:remote_id>/files/<remote:file_id>/page/<number:page_number>/", files.file_page, name="bills_file_page"
    ),
    path("<remote:remote_id>/credit/", credit_notes.new_credit_note, name="bills_credit"),
    path(
        "<remote:remote_id>/credit/<remote:note_id>/apply/", credit_notes.apply_credit_note, name="bills_credit_apply"
    ),
    path("<remote:remote_id>/pay/", payments.pay, name="bills_pay"),
    path(f"{PAYMENT}/request/", payments.request_approval, name="bills_payment_request"),
    path(f"{PAYMENT}/withdraw/", payments.withdraw, name="bills_payment_withdraw"),
    path(f"{PAYMENT}/retry/", payments.retry, name="bills_payment_retry"),
]
