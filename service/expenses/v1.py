"""Expenses in the old interface: its own names, envelope and errors (decisions A.2) over the same services."""

from datetime import datetime
from typing import Annotated, Any, Self, cast

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import ConfigDict, Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from service import effects, errors, inputs, money
from service.apikey import with_key
from service.auth import ApiRequest, Caller
from service.categories.models import Subcategory
from service.categories.selectors import active_subcategory
from service.employees.selectors import named_employee
from service.expenses import new_expense, posting, selectors, serializers, services
from service.expenses.models import Expense, ExpenseStatus
from service.expenses.serializers_v1 import ExpenseV1Shape, as_v1
from service.idempotency import idempotent, in_transaction
from service.respond import answer
from service.text import Words
from service.v1_schemas import ListQuery

router = Router(tags=["v1"])


class NewExpenseV1(Schema):
    """POST /expenses: what was spent from a wallet of the business."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _run_root_validator(cls, values: Any, handler: "ModelWrapValidatorHandler[Self]", _: ValidationInfo) -> Self:
        # In place of ninja's, which has each body checked twice, the second time as a row of Django's: it is none.
        return handler(values)

    amount: inputs.Number = Field(gt=0)
    currency: str = Field(pattern="^[A-Z]{3}$")
    description: inputs.Lines = Field(default="", max_length=500)
    employee_id: inputs.Line | None = Field(default=None, max_length=24)
    org_wallet_ref: inputs.Line = Field(default="1", max_length=40)
    transaction_ref: Annotated[str | None, Field(default=None, pattern=r"^[A-Za-z0-9._:\-]{1,80}$")] = None
    transaction_date: inputs.Moment | None = None
    receiver: inputs.Line = Field(default="", max_length=150)
    payment_type: inputs.Line = Field(default="CARD", max_length=20)
    subcategory_id: inputs.Line | None = Field(default=None, max_length=24)
    notes: inputs.Lines = Field(default="", max_length=2000)


class ChangesV1(Schema):
    """PUT /expenses/{id}: the fields to change. What the money says cannot be changed."""

    model_config = ConfigDict(extra="forbid")

    description: inputs.Lines | None = Field(default=None, max_length=500)
    receiver: inputs.Line | None = Field(default=None, max_length=150)
    notes: inputs.Lines | None = Field(default=None, max_length=2000)
    subcategory_id: inputs.Line | None = Field(default=None, max_length=24)
    tag: list[Words] | None = Field(default=None, max_length=20)


def _expense(expense_id: str) -> ExpenseV1Shape:
    return as_v1(serializers.by_id(expense_id))


def _page(caller: Caller, query: ListQuery, statuses: tuple[str, ...] = ()) -> HttpResponse:
    rows = selectors.filter_expenses(caller, first=query.fromDate or query.fromdate, last=query.toDate or query.todate)
    if statuses:
        rows = rows.filter(status__in=statuses)
    total = rows.count()
    start = (query.page - 1) * query.limit
    expenses = serializers.page(rows.only("id").order_by("-transaction_date", "-id")[start : start + query.limit])
    return answer(
        {
            "docs": [as_v1(row) for row in expenses],
            "total": total,
            "limit": query.limit,
            "page": query.page,
            "pages": max(1, -(-total // query.limit)),
        }
    )


@router.get("")
@with_key
def list_expenses(request: ApiRequest, query: Query[ListQuery]) -> HttpResponse:
    """All expenses between the days, whatever their state, the latest first."""
    return _page(request.caller, query)


@router.get("/review")
@with_key
def list_for_review(request: ApiRequest, query: Query[ListQuery]) -> HttpResponse:
    """The expenses that wait for review or for details, the latest first."""
    return _page(request.caller, query, (ExpenseStatus.PENDING, ExpenseStatus.DETAILS_REQUESTED))


@router.get("/accepted")
@with_key
def list_accepted(request: ApiRequest, query: Query[ListQuery]) -> HttpResponse:
    """The approved expenses between the days, the latest first."""
    return _page(request.caller, query, (ExpenseStatus.APPROVED,))


@router.get("/rejected")
@with_key
def list_rejected(request: ApiRequest, query: Query[ListQuery]) -> HttpResponse:
    """The rejected expenses between the days, the latest first."""
    return _page(request.caller, query, (ExpenseStatus.REJECTED,))


@router.post("")
@with_key
@idempotent(money=True)
def create_expense(request: ApiRequest, body: NewExpenseV1) -> HttpResponse:
    """A new expense out of a wallet of the business; 403 where a spend policy blocks it. One that asks for votes waits
    for them."""
    return answer(as_v1(posting.spend_guarded(request.caller, _new(request.caller, body))), 201)


@router.get("/{id}")
@with_key
def read_expense(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One expense of the business in the shape of v1; 404 otherwise."""
    return answer(_expense(_visible(request.caller, id).id))


@router.put("/{id}")
@with_key
@in_transaction
def update_expense(request: ApiRequest, id: str, body: ChangesV1) -> HttpResponse:  # noqa: A002
    """Changes description, receiver, notes, subcategory_id or tag of an expense; null leaves a field alone."""
    return answer(
        _expense(
            services.change(request.caller, id, cast(services.ExpenseChanges, body.model_dump(exclude_unset=True))).id
        )
    )


@router.delete("/{id}")
@with_key
@in_transaction
def delete_expense(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Deletes an expense whose money was not taken yet and gives its hold back; 409 once it is posted."""
    expense = posting.delete(request.caller, id)
    return answer({"_id": expense.id, "status": expense.status})


def _visible(caller: Caller, expense_id: str) -> Expense:
    expense = selectors.visible(caller).filter(id=expense_id).first()
    if expense is None:
        raise errors.not_found("expense")
    return expense


def _new(caller: Caller, body: NewExpenseV1) -> new_expense.NewExpense:
    try:
        minor = money.to_minor(body.amount, body.currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None
    when: datetime = body.transaction_date or timezone.now()
    if when > timezone.now():
        raise errors.validation_failed("transaction_date", "It lies in the future.")
    return new_expense.NewExpense(
        employee=named_employee(caller, body.employee_id),
        org_wallet_ref=body.org_wallet_ref,
        currency=body.currency,
        amount_minor=minor,
        transaction_ref=body.transaction_ref or f"EX{effects.new_id(caller)}",
        transaction_date=when,
        receiver=body.receiver or body.description[:150],
        payment_type=body.payment_type,
        description=body.description,
        notes=body.notes,
        subcategory=_subcategory(caller, body.subcategory_id),
    )


def _subcategory(caller: Caller, subcategory_id: str | None) -> Subcategory | None:
    return active_subcategory(caller, subcategory_id) if subcategory_id else None
