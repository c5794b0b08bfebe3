"""What the operations of the old interface answer (decisions A.2): the schemas of its document, and what each gives."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from ninja import Schema
from ninja.openapi.schema import REF_TEMPLATE
from pydantic import Field, TypeAdapter

from service.documentation import PARAMETERS
from service.openapi.numbers import ExactNumbers

Json = dict[str, Any]


class CategoryV1(Schema):
    """The category above a subcategory."""

    id: str = Field(alias="_id")
    groupid: str
    name: str


class SubcategoryV1(Schema):
    """What an expense is filed under."""

    id: str = Field(alias="_id")
    code: str
    name: str
    category: CategoryV1


class ExpenseTeamV1(Schema):
    """The team of whoever spent an expense."""

    id: str = Field(alias="_id")
    name: str
    code: str


class ExpenseV1(Schema):
    """An expense. What was not exchanged was exchanged at 1."""

    id: str = Field(alias="_id")
    amount: Decimal
    fees: Decimal
    charge: Decimal
    original_amount: Decimal
    fx_rate: Decimal
    currency: str
    original_currency: str
    transaction_ref: str
    provider_ref: str
    employee_id: str
    person: str
    transaction_date: datetime
    MerchantCategoryCode: str
    MerchantIdentifier: str
    card_vcn: str
    receiver: str
    accno: str
    payment_type: str
    channel: str
    subcategory: SubcategoryV1 | None
    team: ExpenseTeamV1 | None
    tag: list[str]
    notes: str
    risk: int
    risk_notes: str
    ip: str
    status: str


class ExpensePageV1(Schema):
    """A page of expenses, the newest first."""

    docs: list[ExpenseV1]
    total: int
    limit: int
    page: int
    pages: int


class DeletedV1(Schema):
    """What was deleted before its money was taken."""

    id: str = Field(alias="_id")
    status: str


class TopUpV1(Schema):
    """Money that was put on an account."""

    id: str = Field(alias="_id")
    ref: str
    currency: str
    createdAt: datetime  # noqa: N815
    accno: str
    amount: Decimal


class RefundV1(Schema):
    """Money that came back, or a posting that was taken back."""

    id: str = Field(alias="_id")
    ref: str
    currency: str
    createdAt: datetime  # noqa: N815
    amount: Decimal
    expense: ExpenseV1 | None


class StatementEntryV1(Schema):
    """An entry of a statement, with the object of its type: expense, topup or refund."""

    id: str = Field(alias="_id")
    currency: str
    org_wallet_ref: str
    account: str = Field(description="Account number, ten digits.", examples=["0000000136"])
    credit: Decimal
    debit: Decimal
    counter: int
    description: str
    ref: str
    created_by: str
    transaction_type: Literal["EXPENSE", "TOPUP", "REFUND", "REVERSAL"]
    running_balance: Decimal
    business_running_balance: Decimal
    effective_on: date
    createdAt: datetime = Field(description="When it was posted.")  # noqa: N815
    updatedAt: datetime = Field(description="When it was posted: entries never change.")  # noqa: N815
    expense: ExpenseV1 | None = Field(None, description="What was spent: of EXPENSE.")
    topup: TopUpV1 | None = Field(None, description="What came in: of TOPUP.")
    refund: RefundV1 | None = Field(None, description="What came back: of REFUND and REVERSAL.")


class StatementPageV1(Schema):
    """A page of a statement by effective day, the newest first; `limit` and `page` are texts."""

    docs: list[StatementEntryV1]
    total: int
    limit: str = Field(description="Rows on a page, as a text.", examples=["25"])
    page: str = Field(description="Number of the page, as a text.", examples=["1"])
    pages: int


class EmployeeV1(Schema):
    """An employee with what their wallet has."""

    id: str
    name: str
    phone: str
    team_code: str
    organization_email: str
    role: str = Field(description="The role, with a space: CARD USER.", examples=["CARD USER"])
    accno: str
    balance: Decimal = Field(description="What the wallet has.", examples=[1250.5])
    status: str
    createdAt: datetime  # noqa: N815


class ReviewerV1(Schema):
    """Somebody who reviews a team."""

    employee_id: str
    name: str
    read_only: bool
    id: str = Field(alias="_id")
    added_on: datetime


class MemberV1(Schema):
    """A member of a team, with their wallet's balance."""

    name: str
    phone: str
    organization_email: str
    employee_id: str
    role: str = Field(description="The role, with a space: CARD USER.", examples=["CARD USER"])
    team_code: str
    key: str = Field(description="The employee again.", examples=["0192f0c0ffee000012345678"])
    balance: Decimal = Field(description="What the wallet has.", examples=[1250.5])


class TeamV1(Schema):
    """A team with its reviewers and members."""

    id: str = Field(alias="_id")
    name: str
    status: str
    reviewers: list[ReviewerV1]
    code: str
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815
    v: int = Field(alias="__v", description="Grows with every change.", examples=[3])
    updated_by: str
    employee_count: int
    employees: list[MemberV1]
    balance: Decimal = Field(description="What the members' wallets have together.", examples=[5002.0])


class ErrorV1(Schema):
    """Why a request was refused."""

    errorMessage: str  # noqa: N815
    status: int = Field(description="The HTTP status.", examples=[409])


# operationId -> the status of success, what is answered, and what the operation does
ANSWERS: dict[str, tuple[int, Any, str]] = {
    "list_expenses": (200, ExpensePageV1, "Expenses, the newest first, of inclusive days where they are given."),
    "list_for_review": (200, ExpensePageV1, "Expenses that wait for review."),
    "list_accepted": (200, ExpensePageV1, "Approved expenses."),
    "list_rejected": (200, ExpensePageV1, "Rejected expenses."),
    "create_expense": (201, ExpenseV1, "Takes the money of an expense immediately and writes the expense."),
    "read_expense": (200, ExpenseV1, "One expense."),
    "update_expense": (200, ExpenseV1, "Changes the fields that are given; not what the money says."),
    "delete_expense": (200, DeletedV1, "Deletes an expense whose money was not taken yet; 409 once it is posted."),
    "list_teams": (200, list[TeamV1], "All teams, as a bare array."),
    "create_team": (201, TeamV1, "Creates a team."),
    "read_team": (200, TeamV1, "One team."),
    "update_team": (200, TeamV1, "Changes what is given; `reviewers` replaces all of them."),
    "delete_team": (200, TeamV1, "Deletes a team; 409 while it has members."),
    "list_statements": (200, StatementPageV1, "All that happened on a wallet, by effective day, the newest first."),
    "list_topups": (200, StatementPageV1, "What was put on an account, by effective day, the newest first."),
    "list_employees": (
        200,
        list[EmployeeV1],
        "Employees with their wallets, as a bare array; of one where it is named.",
    ),
    "create_employee": (201, EmployeeV1, "Creates an employee."),
    "create_employees": (201, list[EmployeeV1], "Creates all of them, or none where one is refused."),
    **dict.fromkeys(("suspend_employee", "suspend_employee_by_path"), (200, EmployeeV1, "Sets the status SUSPENDED.")),
    **dict.fromkeys(("activate_employee", "activate_employee_by_path"), (200, EmployeeV1, "Sets the status ACTIVE.")),
    **dict.fromkeys(
        ("add_money", "add_to_wallet"), (200, EmployeeV1, "Puts money of a wallet of the business on the employee's.")
    ),
    **dict.fromkeys(
        ("deduct_money", "deduct_from_wallet"),
        (200, EmployeeV1, "Takes money off the employee's wallet, back to the business's."),
    ),
}
REFUSALS = {
    "400": ("BadRequest", "A parameter or the body is not valid, or a business rule refuses it"),
    "401": ("Unauthorized", "Missing, unknown or revoked API key"),
    "403": ("Forbidden", "A policy of the business forbids it"),
    "404": ("NotFound", "No such thing"),
    "409": ("Conflict", "The state does not allow it, or it exists already"),
    "413": ("TooLarge", "The body is too large"),
    "415": ("UnsupportedMediaType", "The body is not JSON"),
    "429": ("TooManyRequests", "Too many requests"),
    "503": ("Unavailable", "Temporarily unavailable"),
}
WITH_A_BODY = {"409", "413", "415", "403"}


def add_answers(document: Json) -> None:
    """Says of every operation what it answers, what it may refuse, and that it needs the key."""
    components = document["components"]
    components["securitySchemes"] = {
        "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key", "description": "The key of the business."}
    }
    operations = str(document["paths"])
    components["parameters"] = {
        name: parameter for name, parameter in PARAMETERS.items() if f"/parameters/{name}'" in operations
    }
    components["responses"] = {
        name: {
            "description": description,
            "content": {"application/json": {"schema": _schema(ErrorV1, components["schemas"])}},
        }
        for name, description in REFUSALS.values()
    }
    for path in document["paths"].values():
        for method, operation in path.items():
            status, model, description = ANSWERS[operation["operationId"]]
            operation["description"] = description
            operation["security"] = [{"apiKey": []}]
            content = {"application/json": {"schema": _schema(model, components["schemas"])}}
            refused = [refusal for refusal in REFUSALS if method != "get" or refusal not in WITH_A_BODY]
            operation["responses"] = {str(status): {"content": content}} | {
                refusal: {"$ref": f"#/components/responses/{REFUSALS[refusal][0]}"} for refusal in refused
            }


def _schema(model: Any, schemas: Json) -> Json:
    """A pointer to the model's schema, which is put among those of the document."""
    schema = TypeAdapter(model).json_schema(
        ref_template=REF_TEMPLATE, by_alias=True, schema_generator=ExactNumbers, mode="serialization"
    )
    schemas |= schema.pop("$defs", {})
    if schema.get("type") == "array":
        return schema
    schemas[model.__name__] = schema
    return {"$ref": REF_TEMPLATE.format(model=model.__name__)}
