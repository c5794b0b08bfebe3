"""Exchange in v2: translates between the wire and the services."""

from django.http import HttpResponse
from ninja import Router

from service import errors
from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.fx import quotes, rates, schemas, serializers, transfers
from service.fx.models import TransferStatus
from service.idempotency import idempotent
from service.ledger.post import today
from service.respond import answer

router = Router(tags=["FX"])


@router.post("/conversion-rate", response=schemas.FxQuote, summary="The rate now, as a quote of a minute")
@requires(scope="fx:read", roles=TEAM_AND_OFFICE, seat=False)
def read_conversion_rate(request: ApiRequest, body: schemas.RateBody) -> HttpResponse:
    """Without an amount only the rate is promised; the transfer names the amount then."""
    row = quotes.create_quote(request.caller, body)
    priced = None if row.amount_minor is None else quotes.price(row, row.amount_minor, "amount")
    return answer(serializers.quote_detail(row, priced))


@router.post("/historic-rate", response=schemas.HistoricOut, summary="The mid rate of a past day")
@requires(scope="fx:read", roles=TEAM_AND_OFFICE, seat=False)
def read_historic_rate(request: ApiRequest, body: schemas.HistoricBody) -> HttpResponse:
    """Of the last fixing on or before that day, which the answer names."""
    source, target = rates.known(body.from_, "from"), rates.known(body.to, "to")
    if body.date > today(request.caller.business):
        raise errors.invalid_parameters("date", "That day is yet to come.", "future")
    return answer(serializers.historic_rate(body, rates.historic(source, target, body.date)))


@router.get("/currencies", response=schemas.FxCurrencyList, summary="Currencies that can be converted")
@requires(scope="fx:read", roles=TEAM_AND_OFFICE, seat=False)
def list_fx_currencies(request: ApiRequest) -> HttpResponse:
    """The currencies that can be exchanged, by code."""
    rows = [serializers.currency(code) for code in sorted(rates.CURRENCIES)]
    return answer({"docs": rows, "total": len(rows)})


@router.post(
    "/transfer",
    response={200: schemas.FxTransferOut, 202: schemas.FxTransferOut},
    summary="Move money between two wallets: by a quote, or within one currency",
)
@requires(scope="fx:transfer", roles=frozenset({Role.APPROVER}), private_label=True, grant="WALLET_FX")
@idempotent(required=True, money=True)
def create_fx_transfer(request: ApiRequest, body: schemas.FxTransferBody) -> HttpResponse:
    """202 where a mandate asks for votes first; the money is held meanwhile. Within one currency it takes no quote."""
    row = transfers.create_transfer(request.caller, body)
    return answer(serializers.transfer(row), 200 if row.status == TransferStatus.COMPLETED else 202)
