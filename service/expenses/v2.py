"""Expenses in v2: translates between the wire and service/expenses/services.py."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import REVIEWERS, ApiRequest, requires
from service.expenses import selectors, serializers, services
from service.expenses.schemas import (
    ApproveBody,
    BulkApproveBody,
    BulkOut,
    BulkRejectBody,
    ExpenseOut,
    ExpenseQuery,
    NotesBody,
    PaginatedExpenseResponseDto,
    ReasonBody,
    SubcategoryBody,
)
from service.expenses.services import ReviewResult
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Expenses"])


@router.get("", response=PaginatedExpenseResponseDto, summary="List expenses")
@requires(scope="expenses:read", business_header=True)
def list_expenses(request: ApiRequest, query: Query[ExpenseQuery]) -> HttpResponse:
    """Scoped by the caller's role; all currency wallets merged unless `accountref` names one."""
    rows = selectors.filter_expenses(
        request.caller,
        first=query.from_,
        last=query.to,
        org_wallet_ref=query.accountref,
        status=query.status,
        tag=query.tag,
    )
    return page_of(
        rows.only("id", "transaction_date"),
        request,
        query,
        show_all=serializers.page,
        order="transaction_date",
        time_zone=request.caller.business.time_zone,
    )


@router.post("/approve", response=BulkOut, summary="Approve several expenses")
@requires(scope="expenses:review", roles=REVIEWERS, person=True, business_header=True)
@idempotent()
def approve_expenses(request: ApiRequest, body: BulkApproveBody) -> HttpResponse:
    """Approves each that can be; the others keep their state and get their own refusal."""
    return _results(services.approve_many(request.caller, body.ids, reason=body.reason or ""))


@router.post("/reject", response=BulkOut, summary="Reject several expenses")
@requires(scope="expenses:review", roles=REVIEWERS, business_header=True)
@idempotent()
def reject_expenses(request: ApiRequest, body: BulkRejectBody) -> HttpResponse:
    """Rejects each that can be; the others keep their state and get their own refusal."""
    return _results(services.reject_many(request.caller, body.ids, reason=body.reason))


@router.post("/approve/{expenseId}", response=ExpenseOut, summary="Approve an expense")
@requires(scope="expenses:review", roles=REVIEWERS, person=True, business_header=True)
@idempotent()
def approve_expense(request: ApiRequest, expenseId: str, body: ApproveBody | None = None) -> HttpResponse:  # noqa: N803
    """Approves one; 404, 403 for one's own or read-only, 409 when its state does not allow it."""
    reason = body.reason if body and body.reason else ""
    return answer(serializers.by_id(services.approve(request.caller, expenseId, reason=reason).id))


@router.post("/reject/{expenseId}", response=ExpenseOut, summary="Reject an expense")
@requires(scope="expenses:review", roles=REVIEWERS, business_header=True)
@idempotent()
def reject_expense(request: ApiRequest, expenseId: str, body: ReasonBody) -> HttpResponse:  # noqa: N803
    """Rejects one; 404, 403 for one's own or read-only, 409 when its state does not allow it."""
    return answer(serializers.by_id(services.reject(request.caller, expenseId, reason=body.reason).id))


@router.post("/requestDetails/{expenseId}", response=ExpenseOut, summary="Request more details on an expense")
@requires(scope="expenses:review", roles=REVIEWERS, business_header=True)
@idempotent()
def request_details(request: ApiRequest, expenseId: str, body: ReasonBody) -> HttpResponse:  # noqa: N803
    """Asks the spender for more; 404, 403 for one's own or read-only, 409 when its state does not allow it."""
    return answer(serializers.by_id(services.request_details(request.caller, expenseId, reason=body.reason).id))


@router.post("/notes/{id}", response=ExpenseOut, summary="Update expense notes")
@requires(scope="expenses:review", business_header=True)
@idempotent()
def update_notes(request: ApiRequest, id: str, body: NotesBody) -> HttpResponse:  # noqa: A002  the published name
    """Sets the notes. Notes by the spender answer a request for details: the expense waits for review again."""
    return answer(serializers.by_id(services.annotate(request.caller, id, body.notes).id))


@router.post("/changeSubCategory/{expenseId}", response=ExpenseOut, summary="Change the subcategory of an expense")
@requires(scope="expenses:review", business_header=True)
@idempotent()
def change_subcategory(request: ApiRequest, expenseId: str, body: SubcategoryBody) -> HttpResponse:  # noqa: N803
    """Changes the subcategory; 404 for the expense, 409 transaction_split for one that is split, 422 for a subcategory
    that the business has not. With what the caller has `seen` it filed under ("" for nothing), 409 changed where it
    is not."""
    return answer(
        serializers.by_id(
            services.file_under(request.caller, expenseId, body.subcategory_id, body.seen_subcategory_id).id
        )
    )


def _results(outcomes: Sequence[ReviewResult]) -> HttpResponse:
    now = serializers.by_ids(outcome.expense_id for outcome in outcomes if outcome.refusal is None)
    rows: list[dict[str, Any]] = [
        {
            "id": outcome.expense_id,
            "ok": outcome.refusal is None,
            "code": outcome.refusal.code if outcome.refusal else "",
            "detail": outcome.refusal.detail if outcome.refusal else "",
            "expense": now.get(outcome.expense_id),
        }
        for outcome in outcomes
    ]
    return answer({"results": rows})
