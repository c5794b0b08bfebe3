"""Budgets in v2: translates between the wire and service/budgets/services.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, TEAM_AND_OFFICE, ApiRequest, requires
from service.budgets import schemas, selectors, services
from service.budgets.models import Budget
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Bills"])


def _respond(request: ApiRequest, row: Budget, status: int = 200) -> HttpResponse:
    return answer(selectors.budget_details(request.caller, [row])[0], status)


@router.get("", response=schemas.BudgetPage, summary="List budgets that bills can be assigned to")
@requires(scope="bills:read", roles=TEAM_AND_OFFICE, seat=False)
def list_budgets(request: ApiRequest, query: Query[schemas.BudgetQuery]) -> HttpResponse:
    """Budgets with their figures in the period in which a day lies, the current one where none is given; 400 for a day
    that has not come yet."""
    rows = selectors.filter_budgets(request.caller, query)
    return page_of(rows, request, query, show_all=lambda page: selectors.budget_details(request.caller, page, query.on))


@router.post("", response={201: schemas.BudgetOut}, summary="Create a budget", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=ADMINS)
@idempotent()
def create_budget(request: ApiRequest, body: schemas.NewBudget) -> HttpResponse:
    """A budget; 409 duplicate when the name is taken, 422 for a team, category or currency that is none."""
    return _respond(request, services.create(request.caller, body), 201)


@router.get("/{budgetId}", response=schemas.BudgetOut, summary="Read a budget")
@requires(scope="bills:read", roles=TEAM_AND_OFFICE, seat=False)
def read_budget(request: ApiRequest, budgetId: str, query: Query[schemas.BudgetPeriodQuery]) -> HttpResponse:  # noqa: N803
    """One budget with its figures in the period in which a day lies; 404 when the business has none such, 400 for a day
    that has not come yet."""
    budget = selectors.get_budget(request.caller, budgetId)
    return answer(selectors.budget_details(request.caller, [budget], query.on)[0])


@router.put("/{budgetId}", response=schemas.BudgetOut, summary="Update a budget", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=ADMINS)
@idempotent()
def update_budget(request: ApiRequest, budgetId: str, body: schemas.ChangedBudget) -> HttpResponse:  # noqa: N803
    """Changes what is given; 404, and 409 duplicate when the new name is taken."""
    return _respond(request, services.change(request.caller, budgetId, body))
