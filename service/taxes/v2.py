"""Withholding taxes in v2: translates between the wire and service/taxes/services.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer
from service.taxes import remittances, schemas, selectors, serializers, services
from service.taxes import schemas_remittances as remitted

router = Router(tags=["Taxes"])


@router.get("", response=schemas.TaxPage, summary="List withholding taxes")
@requires(scope="taxes:read", roles=OFFICE)
def list_taxes(request: ApiRequest, query: Query[schemas.TaxQuery]) -> HttpResponse:
    """The taxes that the filter lets through, each as it is on the business's day."""
    rows = selectors.filter_taxes(request.caller, query)
    return page_of(rows, request, query, lambda row: selectors.tax_detail(request.caller, row))


@router.post("/create", response={201: schemas.TaxOut}, summary="Create a withholding tax")
@requires(scope="taxes:write", roles=ADMINS)
@idempotent()
def create_tax(request: ApiRequest, body: schemas.NewTax) -> HttpResponse:
    """A tax with its first version; 409 duplicate when the code is taken, 422 for a currency that is none."""
    return answer(selectors.tax_detail(request.caller, services.create(request.caller, body)), 201)


@router.get("/transactions", response=schemas.TaxTransactionPage, summary="List what was deducted")
@requires(scope="taxes:read", roles=OFFICE)
def list_tax_transactions(request: ApiRequest, query: Query[schemas.TaxTransactionQuery]) -> HttpResponse:
    """A page of what was deducted, as far as the filters let it through."""
    rows = selectors.transactions(request.caller, query)
    return page_of(
        rows,
        request,
        query,
        serializers.tax_transaction,
        order="deducted_at",
        time_zone=request.caller.business.time_zone,
    )


@router.get(
    "/remittances",
    response=remitted.RemittancePage,
    summary="List what was paid over to the tax authority",
    openapi_extra=EXTENSION,
)
@requires(scope="taxes:read", roles=OFFICE)
def list_remittances(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """A page of what was paid over to the tax authority, with the taxes that each pays."""
    return page_of(remittances.remittances(request.caller), request, query, serializers.remittance)


@router.post(
    "/remittances",
    response={201: remitted.RemittanceOut},
    summary="Write down that withheld taxes were paid over",
    openapi_extra=EXTENSION,
)
@requires(scope="taxes:write", roles=ADMINS)
@idempotent(required=True, money=True)
def create_remittance(request: ApiRequest, body: remitted.NewRemittance) -> HttpResponse:
    """Each tax becomes REMITTED with its certificate; their sum is posted from what is owed to the bank."""
    return answer(serializers.remittance(remittances.remit(request.caller, body)), 201)


@router.put("/{taxId}/edit", response=schemas.TaxOut, summary="Edit a tax: new rates hold from a day on")
@requires(scope="taxes:write", roles=ADMINS)
@idempotent()
def edit_tax(request: ApiRequest, taxId: str, body: schemas.EditedTax) -> HttpResponse:  # noqa: N803
    """Renames, or adds the version that holds from a day on; 409 for an archived tax. 422 where rates come without
    their day, or the day is past or not after that of the last version."""
    return answer(selectors.tax_detail(request.caller, services.edit(request.caller, taxId, body)))


@router.put("/{taxId}/archive", response=schemas.TaxOut, summary="Archive a tax")
@requires(scope="taxes:write", roles=ADMINS)
@idempotent()
def archive_tax(request: ApiRequest, taxId: str) -> HttpResponse:  # noqa: N803
    """Ends the use of a tax; once more is a no-op."""
    return answer(selectors.tax_detail(request.caller, services.archive(request.caller, taxId)))
