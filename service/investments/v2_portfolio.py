"""The catalogue of funds, the accounts and their analytics: paths of ours (decisions B.19)."""

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from service import errors, inputs
from service.auth import OFFICE, ApiRequest, requires
from service.documentation import EXTENSION
from service.investments import access, catalogue, portfolio, schemas, serializers
from service.investments.models import Movement
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Investments"])

NEWEST_MOVEMENTS = 50


class DaysQuery(Schema):
    """Inclusive days; the last ninety without."""

    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None


@router.get("/funds", response=schemas.FundList, summary="The funds on offer", openapi_extra=EXTENSION)
@requires(scope="investments:read", roles=OFFICE, private_label=True)
def list_funds(request: ApiRequest) -> HttpResponse:
    """All funds of the catalogue, ordered by their codes."""
    rows = [serializers.fund(row) for row in catalogue.list_funds()]
    return answer({"docs": rows, "total": len(rows)})


@router.get("/funds/{fund_id}", response=schemas.FundOut, summary="Read a fund", openapi_extra=EXTENSION)
@requires(scope="investments:read", roles=OFFICE, private_label=True)
def read_fund(request: ApiRequest, fund_id: str) -> HttpResponse:
    """A fund of the catalogue; 404 without it."""
    return answer(serializers.fund(catalogue.get_fund(fund_id)))


@router.get("/accounts", response=schemas.FundAccountPage, summary="List fund accounts", openapi_extra=EXTENSION)
@requires(scope="investments:read", roles=OFFICE, private_label=True, grant=access.GRANT)
def list_fund_accounts(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """All of the business for the office, for treasury operators theirs."""
    return page_of(access.visible_accounts(request.caller), request, query, show_all=serializers.accounts)


@router.get(
    "/accounts/{fund_account_id}",
    response=schemas.FundAccountDetail,
    summary="Read a fund account and its newest movements",
    openapi_extra=EXTENSION,
)
@requires(scope="investments:read", roles=OFFICE, private_label=True, grant=access.GRANT)
def read_fund_account(request: ApiRequest, fund_account_id: str) -> HttpResponse:
    """One account at a fund with its newest movements; 404 when it is none that the caller may see."""
    row = access.visible_accounts(request.caller).filter(id=fund_account_id).first()
    if row is None:
        raise errors.not_found("fund account")
    moves = Movement.objects.filter(account=row).select_related("account__fund", "wallet")
    newest = [serializers.movement(movement) for movement in moves.order_by("-created_at", "-id")[:NEWEST_MOVEMENTS]]
    return answer({**serializers.account(row), "movements": newest})


@router.get("/portfolio", response=schemas.PortfolioList, summary="What is held, per currency", openapi_extra=EXTENSION)
@requires(scope="investments:read", roles=OFFICE, private_label=True)
def read_portfolio(request: ApiRequest) -> HttpResponse:
    """Per currency: what was paid, what it is worth, what it brought, and how it is spread over funds."""
    rows = portfolio.portfolio(request.caller)
    return answer({"docs": rows, "total": len(rows), "as_of": timezone.now()})


@router.get(
    "/portfolio/performance",
    response=schemas.PerformanceList,
    summary="How the value came about, day by day",
    openapi_extra=EXTENSION,
)
@requires(scope="investments:read", roles=OFFICE, private_label=True)
def read_performance(request: ApiRequest, query: Query[DaysQuery]) -> HttpResponse:
    """Per currency, each day's value, and the gain over the period: the change less what was put in or taken out."""
    first, last = portfolio.days_of(request.caller, query.from_, query.to)
    rows = portfolio.performance(request.caller, first, last)
    return answer({"docs": rows, "total": len(rows), "from": first, "to": last})
