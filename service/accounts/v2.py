"""Wallets in v2: translates between the wire and service/accounts/services.py."""

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from service import inputs
from service.accounts import cashflow, schemas, selectors, serializers, services
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

    page: inputs.Whole = Field(1, ge=1, le=LARGEST_PAGE)
    limit: inputs.Whole = Field(50, ge=1, le=1000)
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None


class CashflowQuery(Schema):
    """The months in which these days lie; one wallet where it is named."""

    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None
    accountref: inputs.Line | None = Field(None, max_length=40)


@router.get("", response=schemas.WalletPage, summary="List wallets")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW")
def list_accounts(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """All of them for the office; with a grant those it is for, with balances where that is granted too."""
    caller, since = request.caller, query.updated_since
    query.updated_since = None  # what a wallet has is kept beside its row
    if caller.role in OFFICE:
        return page_of(selectors.changed_since(selectors.wallets(caller), since), request, query, serializers.wallet)
    visible_ids = set(selectors.visible(caller, "WALLET_VIEW_BALANCE").values_list("id", flat=True))
    rows = selectors.changed_since(selectors.visible(caller), since)
    return page_of(rows, request, query, lambda row: _serialize(row, visible_ids))


@router.post("", response={201: schemas.WalletOut}, summary="Create a wallet in a currency that exists")
@requires(scope="accounts:write", roles=WRITERS)
@idempotent()
def create_account(request: ApiRequest, body: schemas.NewAccount) -> HttpResponse:
    """A new wallet. 409 currency_missing unless the currency exists, 409 wallet_exists. One in the place of a closed
    one has a reference, an account number and a book of its own."""
    return answer(serializers.wallet(services.create(request.caller, body)), 201)


@router.get("/business-currencies", response=schemas.CurrencyList, summary="Currencies of the business")
@requires(scope="accounts:read", roles=OFFICE)
def list_currencies(request: ApiRequest) -> HttpResponse:
    """The currencies of the business, by code."""
    rows = [serializers.currency(row) for row in selectors.currencies(request.caller)]
    return answer({"docs": rows, "total": len(rows)})


@router.post(
    "/create-new-currency",
    response={200: schemas.CurrencyOut, 201: schemas.CurrencyOut},
    summary="Create a currency record; a second time nothing happens",
)
@requires(scope="accounts:write", roles=WRITERS)
@idempotent()
def create_currency(request: ApiRequest, body: schemas.NewCurrency) -> HttpResponse:
    """The currency, 201 the first time and 200 after that; 422 for a code that is none."""
    currency, fresh = services.add_currency(request.caller, body.currency)
    return answer(serializers.currency(currency), 201 if fresh else 200)


@router.post("/add-new-account", response={201: schemas.WalletOut}, summary="Create a wallet, and its currency first")
@requires(scope="accounts:write", roles=WRITERS)
@idempotent()
def add_account(request: ApiRequest, body: schemas.NewAccount) -> HttpResponse:
    """A new wallet, its currency made first where it is new; 409 wallet_exists. One in the place of a closed one has a
    reference, an account number and a book of its own."""
    return answer(serializers.wallet(services.create(request.caller, body, with_currency=True)), 201)


@router.get("/cashflow-report", response=schemas.CashflowList, summary="Opening, in, out and closing, month by month")
@requires(scope="accounts:read", roles=OFFICE)
def read_cashflow(request: ApiRequest, query: Query[CashflowQuery]) -> HttpResponse:
    """Whole months by effective day; the last twelve without `from`. Transfers are on neither side, and told apart."""
    months = cashflow.months_of(request.caller, query.from_, query.to)
    rows = cashflow.report(request.caller, months, query.accountref)
    return answer({"docs": rows, "total": len(rows), "from": months[0], "to": cashflow.end_of(months[-1])})


@router.get("/{id}", response=schemas.WalletOut, summary="Read a wallet")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW")
def read_account(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One wallet; 404 when it is not the caller's to see. Who is not of the office sees its balance where a wallet
    policy lets them."""
    caller, row = request.caller, selectors.get_wallet(request.caller, id)
    if caller.role in OFFICE:
        return answer(serializers.wallet(row))
    return answer(_serialize(row, set(selectors.visible(caller, "WALLET_VIEW_BALANCE").values_list("id", flat=True))))


@router.put("/{id}", response=schemas.WalletOut, summary="Rename or close a wallet")
@requires(scope="accounts:write", roles=WRITERS)
@in_transaction
def update_account(request: ApiRequest, id: str, body: schemas.AccountChange) -> HttpResponse:  # noqa: A002
    """Renames a wallet, closes it, or both; 409 for closing one that holds or expects money, or on which something
    hangs."""
    return answer(serializers.wallet(services.change(request.caller, id, body)))


@router.get("/{id}/balance", response=schemas.BalanceOut, summary="What a wallet has")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW_BALANCE")
def read_balance(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """What a wallet has; 404 when it is not the caller's to see."""
    return answer(serializers.balance(selectors.get_wallet(request.caller, id, "WALLET_VIEW_BALANCE")))


@router.get("/{id}/transactions", response=schemas.StatementPage, summary="The statement of a wallet")
@requires(scope="accounts:read", roles=OFFICE, grant="WALLET_VIEW_TRANSACTIONS")
def list_account_transactions(request: ApiRequest, id: str, query: Query[StatementQuery]) -> HttpResponse:  # noqa: A002
    """A page of the statement, newest first, by effective day (inclusive, in the business's zone); 404 when the wallet
    is not the caller's to see, 400 for days the wrong way round."""
    wallet = selectors.get_wallet(request.caller, id, "WALLET_VIEW_TRANSACTIONS")
    statement = selectors.read_statement(wallet, page=query.page, limit=query.limit, first=query.from_, last=query.to)
    response = answer(serializers.statement(statement, wallet, page=query.page, limit=query.limit))
    response["X-Business-Timezone"] = request.caller.business.time_zone
    return response


@router.put("/{id}/suspend", response=schemas.WalletOut, summary="Refuse debits from now on")
@requires(scope="accounts:write", roles=WRITERS)
@in_transaction
def suspend_account(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """A suspended wallet refuses debits and takes credits; 409 from a state in which it cannot be suspended."""
    return answer(serializers.wallet(services.move(request.caller, id, "suspend")))


@router.put("/{id}/activate", response=schemas.WalletOut, summary="Take debits again")
@requires(scope="accounts:write", roles=WRITERS)
@in_transaction
def activate_account(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """A suspended wallet takes debits again; 409 from a state in which it cannot be activated."""
    return answer(serializers.wallet(services.move(request.caller, id, "activate")))


def _serialize(row: Wallet, visible_ids: set[str]) -> serializers.WalletShape:
    """A wallet, with its balances only where the person may see them."""
    shape = serializers.wallet(row)
    return shape if row.id in visible_ids else {**shape, "balances": None}
