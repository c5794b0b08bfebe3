"""Addresses of the inbox."""

from django.urls import URLPattern, path

from dashboard.decisions.registry import APPROVAL_KINDS, ApprovalKind
from dashboard.pages.approvals.views import (
    access_changes,
    bulk,
    corrections,
    decisions,
    inbox,
    samples,
)


def request_paths(kind: str, approval_kind: ApprovalKind) -> list[URLPattern]:
    """The addresses of a kind that one person's word decides: card-order/ and the id, with approve/ and reject/ below."""
    views, place = decisions.views_of(kind, approval_kind), f"{kind.replace('_', '-')}/<remote:remote_id>/"
    return [
        path(place, views.show, name=f"approvals_{kind}"),
        path(f"{place}approve/", views.approve, name=f"approvals_approve_{kind}"),
        path(f"{place}reject/", views.reject, name=f"approvals_reject_{kind}"),
    ]


urlpatterns = [
    path("", inbox.inbox, name="approvals"),
    path("totals/", inbox.totals, name="approvals_totals"),
    path("news/", inbox.news, name="approvals_news"),
    path("plan/", bulk.plan_bulk, name="approvals_plan"),
    path("plan/<uuid:plan_id>/", bulk.plan_again, name="approvals_plan_again"),
    path("samples/", samples.samples, name="approvals_samples"),
    path("samples/weekly/", samples.weekly_samples, name="approvals_weekly_samples"),
    path("samples/weekly/<number:sample_id>/check/", samples.check_weekly, name="approvals_check_weekly_sample"),
    path("samples/<number:sample_id>/check/", samples.check, name="approvals_check_sample"),
    path("several/", bulk.decide_bulk, name="approvals_decide_several"),
    path("several/<uuid:bulk_id>/", bulk.bulk_result, name="approvals_several"),
    path("several/<uuid:bulk_id>/rows/", bulk.bulk_rows, name="approvals_several_rows"),
    path("several/<uuid:bulk_id>/undo/", bulk.cancel_bulk, name="approvals_undo_several"),
    path("several/<uuid:bulk_id>/retry/", bulk.retry_bulk, name="approvals_retry_several"),
    path("expense/<remote:remote_id>/", decisions.expense, name="approvals_expense"),
    path("expense/<remote:remote_id>/approve/", decisions.approve_expense, name="approvals_approve_expense"),
    path("expense/<remote:remote_id>/reject/", decisions.reject_expense, name="approvals_reject_expense"),
    path("expense/<remote:remote_id>/category/", corrections.correct_category, name="approvals_expense_category"),
    path("expense/<remote:remote_id>/tags/", corrections.correct_tags, name="approvals_expense_tags"),
    path("expense/<remote:remote_id>/ask/", decisions.request_expense_details, name="approvals_ask_expense"),
    path("payment/<remote:remote_id>/", decisions.payment, name="approvals_payment"),
    path("payment/<remote:remote_id>/approve/", decisions.approve_payment, name="approvals_approve_payment"),
    path("payment/<remote:remote_id>/reject/", decisions.reject_payment, name="approvals_reject_payment"),
    path("payment/<remote:remote_id>/file/<remote:file_id>/", decisions.bill_file, name="approvals_bill_file"),
    path("access-change/<number:proposal_id>/", access_changes.access_change, name="approvals_access_change"),
    path(
        "access-change/<number:proposal_id>/approve/",
        access_changes.confirm_access_change,
        name="approvals_confirm_access_change",
    ),
    path(
        "access-change/<number:proposal_id>/reject/",
        access_changes.decline_access_change,
        name="approvals_decline_access_change",
    ),
    *(address for kind, declared in APPROVAL_KINDS.items() for address in request_paths(kind, declared)),
]
