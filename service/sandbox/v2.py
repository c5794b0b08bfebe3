"""The sandbox over HTTP: only mounted where settings.SANDBOX is on, for whoever brings SERVICE_SANDBOX_TOKEN as a bearer:
it makes businesses and money, and reads one-time codes.

A browser is refused whatever it sends: a page of any website could otherwise make somebody's browser play with the sandbox on
their machine, and a name that leads to it would pass for the same site.
"""

import hmac
from datetime import date
from decimal import Decimal
from typing import Literal

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from ninja import File, Form, Query, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from service import errors, inputs
from service.accounts.wallets import wallet_by_ref
from service.auth import system_caller
from service.businesses.models import Business, Employee
from service.cards import serializers as cards_serializers
from service.cards.authorizations import Swipe
from service.employees import serializers as employees_serializers
from service.expenses import posting, serializers
from service.idempotency import in_transaction
from service.investments.settlement import settle_due
from service.rails.messages import sent
from service.respond import answer
from service.sandbox import receipt_files, simulation
from service.sandbox.businesses import BusinessSpec, open_business
from service.scopes import ALL_SCOPES
from service.text import Words

router = Router(tags=["Sandbox"])


def may_play(request: HttpRequest) -> bool:
    """Whether a program sent this, and no page of a browser, which names its origin or says what kind of site it is of; and
    whether it brought the sandbox's token. Raises 403, 400 where it was sent to a name that is not in ALLOWED_HOSTS, and 401
    without the token, or where there is none."""
    try:
        request.get_host()
    except DisallowedHost as wrong:
        raise errors.ServiceError(400, "host_not_allowed", "The sandbox is not reached by this name.") from wrong
    if {"Origin", "Sec-Fetch-Site"} & set(request.headers):
        raise errors.ServiceError(
            403, "sandbox_from_page", "The sandbox answers programs alone, not a page in a browser."
        )
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.SANDBOX_TOKEN or not hmac.compare_digest(token.encode(), settings.SANDBOX_TOKEN.encode()):
        raise errors.ServiceError(
            401, "sandbox_token", "The sandbox answers whoever brings its token (SERVICE_SANDBOX_TOKEN)."
        )
    return True


class NewBusiness(Schema):
    """Everything may be left out."""

    name: Words = "Sandbox Ltd"
    country: str = Field(default="KE", pattern="^[A-Z]{2}$")
    webhook_url: str = Field(default="", max_length=500)
    entitled: bool = True
    rate_plan: Literal["HIGH", "STANDARD"] = "HIGH"
    scopes: list[str] | None = None


@router.post("/businesses")
def create_business(request: HttpRequest, body: NewBusiness | None = None) -> HttpResponse:
    """A fresh business with its cast and credentials."""
    new = body or NewBusiness()
    order = BusinessSpec(
        name=new.name,
        country=new.country,
        entitled=new.entitled,
        webhook_url=new.webhook_url,
        rate_plan=new.rate_plan,
        scopes=ALL_SCOPES if new.scopes is None else new.scopes,
    )
    return answer(open_business(order).credentials(), 201)


class SwipeBody(Schema):
    """A card at a merchant. Without a card the employee's own on that wallet is used, made the first time to spend the
    wallet; a card that spends an allocation needs funds allocated before."""

    employee_id: str | None = None
    card_id: str | None = None
    org_wallet_ref: str = "1"
    amount: Decimal = Field(default=Decimal(1250), gt=0)
    currency: str | None = Field(default=None, description="Checked against the wallet's where it is given.")
    merchant: Words = "Java House"
    merchant_id: str = ""
    mcc: str = Field(default="5812", pattern="^[0-9]{4}$")
    country: str = Field(default="KE", pattern="^[A-Z]{2}$")
    channel: Literal["CARD_PRESENT", "ECOMMERCE", "ATM", "CONTACTLESS", "RECURRING"] = "CARD_PRESENT"
    settle: bool = True
    at: inputs.Moment | None = None


@router.post("/businesses/{business_id}/swipe")
@in_transaction
def swipe(request: HttpRequest, business_id: str, body: SwipeBody) -> HttpResponse:
    """Authorisation, and capture unless `settle` is false: `{approved, code, checks, expense}`."""
    owner = simulation.business(business_id)
    paying = wallet_by_ref(owner, body.org_wallet_ref)
    if body.currency and body.currency != paying.currency:
        raise errors.validation_failed("currency", f"The wallet holds {paying.currency}.")
    what = Swipe(
        amount_minor=simulation.minor_of(body.amount, paying.currency),
        merchant=body.merchant,
        mcc=body.mcc,
        merchant_id=body.merchant_id,
        country=body.country,
        channel=body.channel,
        at=body.at,
    )
    person = simulation.employee(owner, body.employee_id) if body.employee_id else None
    row = simulation.swipe(owner, body.card_id, person, body.org_wallet_ref, what, settle_now=body.settle)
    expense = serializers.by_id(row.expense_id) if row.expense_id else None
    return answer({**cards_serializers.authorization(row), "expense": expense}, 201 if expense else 200)


class SomeExpenses(Schema):
    """How many pending expenses, by whom (all card users in turn when nobody is named), and how far apart."""

    count: int = Field(default=10, ge=1, le=5000)
    employee_ids: list[str] = []
    org_wallet_ref: str = "1"
    receipts: bool = True
    seed: int = 1
    until: inputs.Moment | None = None


@router.post("/businesses/{business_id}/expenses")
@in_transaction
def create_expenses(request: HttpRequest, business_id: str, body: SomeExpenses) -> HttpResponse:
    """Many PENDING expenses at once, newest first: `{expenses: [...]}`."""
    owner, key = simulation.business(business_id), request.headers.get("Idempotency-Key", "")
    if body.employee_ids:
        people = [simulation.employee(owner, employee_id) for employee_id in body.employee_ids]
    else:
        people = list(Employee.objects.filter(business=owner, role="CARD_USER").order_by("id"))
    expenses = simulation.spend_some(
        owner,
        people,
        body.count,
        wallet_ref=body.org_wallet_ref,
        with_receipts=body.receipts,
        seed=body.seed,
        until=body.until,
        caller=simulation.keyed_caller(owner, "expenses", key, request.body),
    )
    objects = serializers.by_ids(expense.id for expense in expenses)
    return answer({"expenses": [objects[expense.id] for expense in expenses]}, 201)


class TopUp(Schema):
    """How much arrives on which wallet, in units of its currency."""

    org_wallet_ref: str = "1"
    amount: Decimal = Field(gt=0)


@router.post("/businesses/{business_id}/top-up")
def top_up(request: HttpRequest, business_id: str, body: TopUp) -> HttpResponse:
    """Money arrives from the bank, once under an Idempotency-Key; the wallet after it."""
    owner, key = simulation.business(business_id), request.headers.get("Idempotency-Key", "")
    caller = simulation.keyed_caller(owner, "top-up", key, request.body)
    return answer(simulation.top_up(owner, body.org_wallet_ref, body.amount, caller=caller))


@router.post("/businesses/{business_id}/settle")
def settle(request: HttpRequest, business_id: str) -> HttpResponse:
    """The merchants take all money that is held for them, and the rails work on all payouts and investments due."""
    done = simulation.settle_all(simulation.business(business_id))
    outcome = {
        "settled": [cards_serializers.authorization(authorization) for authorization in done],
        "payouts": simulation.pay_due(),
    }
    return answer({**outcome, "investments": settle_due()})


class MessagesQuery(Schema):
    """Of which business the messages are read, and how many at most."""

    business_id: str
    limit: int = Field(default=50, ge=1, le=1000)


@router.get("/messages")
def read_messages(request: HttpRequest, query: Query[MessagesQuery]) -> HttpResponse:
    """What was sent by SMS and e-mail, newest first, codes included."""
    return answer({"messages": sent(simulation.business(query.business_id).id, limit=query.limit)})


class ExpenseRef(Schema):
    """The expense that something happens to, by its id."""

    expense_id: str


@router.post("/businesses/{business_id}/refund")
@in_transaction
def refund(request: HttpRequest, business_id: str, body: ExpenseRef) -> HttpResponse:
    """The merchant gives the money of an expense back."""
    caller = system_caller(simulation.business(business_id))
    return answer(serializers.by_id(posting.refund(caller, body.expense_id).id))


@router.post("/businesses/{business_id}/receipt")
@in_transaction
def attach_receipt(request: HttpRequest, business_id: str, body: ExpenseRef) -> HttpResponse:
    """The spender sends a receipt in."""
    simulation.attach_receipt(simulation.business(business_id), body.expense_id)
    return answer(serializers.by_id(body.expense_id))


@router.post("/businesses/{business_id}/receipt-file")
@in_transaction
def attach_receipt_file(
    request: HttpRequest, business_id: str, expense_id: Form[str], file: File[UploadedFile]
) -> HttpResponse:
    """The spender sends this file in."""
    receipt_files.attach_receipt_file(simulation.business(business_id), expense_id, file.name or "", file.read())
    return answer(serializers.by_id(expense_id))


class EmployeeChange(Schema):
    """What is changed of an employee behind the interface; what is null stays."""

    employee_id: str
    role: Literal["CARD_USER", "REVIEWER", "APPROVER", "ADMIN", "SUPER_ADMIN"] | None = None
    status: Literal["ACTIVE", "SUSPENDED"] | None = None
    team_id: str | None = None


@router.post("/businesses/{business_id}/employee")
def change_employee(request: HttpRequest, business_id: str, body: EmployeeChange) -> HttpResponse:
    """Somebody's role, status or team changes."""
    person = simulation.change_employee(
        simulation.business(business_id), body.employee_id, role=body.role, status=body.status, team_id=body.team_id
    )
    return answer(employees_serializers.employee(person))


class Revocation(Schema):
    """Whether the secrets of the client die with its tokens."""

    secrets: bool = Field(default=False, description="Both client secrets die as well.")


@router.post("/businesses/{business_id}/revoke")
def revoke(request: HttpRequest, business_id: str, body: Revocation | None = None) -> HttpResponse:
    """Kills the client's tokens at once."""
    killed = simulation.revoke(simulation.business(business_id), secrets_too=bool(body and body.secrets))
    return answer({"revoked": killed})


class Books(Schema):
    """The day up to which the books are closed; null opens them."""

    closed_until: date | None = None


@router.post("/businesses/{business_id}/books")
def close_books(request: HttpRequest, business_id: str, body: Books) -> HttpResponse:
    """Closes the books up to a day, or opens them again."""
    owner = simulation.business(business_id)
    Business.objects.filter(id=owner.id).update(books_closed_until=body.closed_until)
    return answer({"closed_until": body.closed_until})
