"""Wallets in v2: translates between the wire and service/accounts/actions.py."""

from datetime import date
from typing import Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from service.accounts import actions, cashflow, schemas
from service.accounts.models import Wallet
from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.idempotency import idempotent, in_transaction
from service.pagination import LARGEST_PAGE, PageQuery, page_of
from service.respond import answer

router = Router(tags=["Accounts"])

WRITERS = frozenset({Role.APPROVER, Role.ADMIN})


class StatementQuery(Schema):
    """A page of a statement, of inclusive days in the business's time zone where they are given."""

    page: int = Field(1, ge=1, le=LARGEST_PAGE)
    limit: int = Field(50, ge=1, le=1000)
    from_: date | None = Field(None, alias="from")
    to: date | None = None


class CashflowQuery(Schema):
    """The months in which these days lie; one wallet where it is named."""

    from_: date | None = Field(None, alias="from")
    to: date | None = None
    accountref: str | None = Field(None, max_length=40)


@router.get("", response=schemas.WalletPage, summary="List wallets")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW")
def list_accounts(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """All of them for the office; with a grant those it is for, with balances where that is granted too."""
    caller, since = request.caller, query.updated_since
    query.updated_since = None  # what a wallet has is kept beside its row
    if caller.role in OFFICE:
        return page_of(actions.changed_since(actions.wallets(caller), since), request, query, schemas.wallet)
    told = set(actions.visible(caller, "WALLET_VIEW_BALANCE").values_list("id", flat=True))
    rows = actions.changed_since(actions.visible(caller), since)
    return page_of(rows, request, query, lambda row: _shown(row, told))


@router.post("", response={201: schemas.WalletOut}, summary="Create a wallet in a currency that exists")
@requires(scope="accounts:write", roles=WRITERS)
@idempotent()
def create_account(request: ApiRequest, body: schemas.NewAccount) -> HttpResponse:
    return answer(schemas.wallet(actions.create(request.caller, body)), 201)


@router.get("/business-currencies", response=schemas.CurrencyList, summary="Currencies of the business")
@requires(scope="accounts:read", roles=OFFICE)
def list_currencies(request: ApiRequest) -> HttpResponse:
    rows = [schemas.currency(row) for row in actions.currencies(request.caller)]
    return answer({"docs": rows, "total": len(rows)})


@router.post(
    "/create-new-currency",
    response={200: schemas.CurrencyOut, 201: schemas.CurrencyOut},
    summary="Create a currency record; a second time nothing happens",
)
@requires(scope="accounts:write", roles=WRITERS)
@idempotent()
def create_currency(request: ApiRequest, body: schemas.NewCurrency) -> HttpResponse:
    made, fresh = actions.add_currency(request.caller, body.currency)
    return answer(schemas.currency(made), 201 if fresh else 200)


@router.post("/add-new-account", response={201: schemas.WalletOut}, summary="Create a wallet, and its currency first")
@requires(scope="accounts:write", roles=WRITERS)
@idempotent()
def add_account(request: ApiRequest, body: schemas.NewAccount) -> HttpResponse:
    return answer(schemas.wallet(actions.create(request.caller, body, with_currency=True)), 201)


@router.get("/cashflow-report", response=schemas.CashflowList, summary="Opening, in, out and closing, month by month")
@requires(scope="accounts:read", roles=OFFICE)
def read_cashflow(request: ApiRequest, query: Query[CashflowQuery]) -> HttpResponse:
    """Whole months by effective day; the last twelve without `from`. Transfers are on neither side, and told apart."""
    months = cashflow.months_of(request.caller, query.from_, query.to)
    rows = cashflow.report(request.caller, months, query.accountref)
    return answer({"docs": rows, "total": len(rows), "from": months[0], "to": cashflow.end_of(months[-1])})


@router.get("/{account_id}", response=schemas.WalletOut, summary="Read a wallet")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW")
def read_account(request: ApiRequest, account_id: str) -> HttpResponse:
    caller, row = request.caller, actions.find(request.caller, account_id)
    if caller.role in OFFICE:
        return answer(schemas.wallet(row))
    return answer(_shown(row, set(actions.visible(caller, "WALLET_VIEW_BALANCE").values_list("id", flat=True))))


@router.put("/{account_id}", response=schemas.WalletOut, summary="Rename or close a wallet")
@requires(scope="accounts:write", roles=WRITERS)
@in_transaction
def update_account(request: ApiRequest, account_id: str, body: schemas.AccountChange) -> HttpResponse:
    return answer(schemas.wallet(actions.change(request.caller, account_id, body)))


@router.get("/{account_id}/balance", response=schemas.BalanceOut, summary="What a wallet has")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW_BALANCE")
def read_balance(request: ApiRequest, account_id: str) -> HttpResponse:
    return answer(schemas.balance(actions.find(request.caller, account_id, "WALLET_VIEW_BALANCE")))


@router.get("/{account_id}/transactions", response=schemas.StatementPage, summary="The statement of a wallet")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW_TRANSACTIONS")
def list_account_transactions(request: ApiRequest, account_id: str, query: Query[StatementQuery]) -> HttpResponse:
    wallet = actions.find(request.caller, account_id, "WALLET_VIEW_TRANSACTIONS")
    found = actions.statement(wallet, page=query.page, limit=query.limit, first=query.from_, last=query.to)
    response = answer(schemas.statement(found, wallet, page=query.page, limit=query.limit))
    response["X-Business-Timezone"] = request.caller.business.time_zone
    return response


@router.put("/{account_id}/suspend", response=schemas.WalletOut, summary="Refuse debits from now on")
@requires(scope="accounts:write", roles=WRITERS)
@in_transaction
def suspend_account(request: ApiRequest, account_id: str) -> HttpResponse:
    return answer(schemas.wallet(actions.move(request.caller, account_id, "suspend")))


@router.put("/{account_id}/activate", response=schemas.WalletOut, summary="Take debits again")
@requires(scope="accounts:write", roles=WRITERS)
@in_transaction
def activate_account(request: ApiRequest, account_id: str) -> HttpResponse:
    return answer(schemas.wallet(actions.move(request.caller, account_id, "activate")))


def _shown(row: Wallet, told: set[str]) -> dict[str, Any]:
    """A wallet, with its balances only where the person may see them."""
    shown = schemas.wallet(row)
    return shown if row.id in told else {**shown, "balances": None}
