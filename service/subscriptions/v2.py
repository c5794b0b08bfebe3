"""Subscriptions in v2: translates between the wire and the services of this area."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.expenses import serializers as expenses
from service.expenses.schemas import PaginatedExpenseResponseDto
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer
from service.subscriptions import charges, proposals, schemas, selectors, serializers, services
from service.subscriptions.models import Subscription, SubscriptionStatus

router = Router(tags=["Subscriptions"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})
MOST_AT_ONCE = 500


def _respond(row: Subscription, status: int = 200) -> HttpResponse:
    return answer(serializers.subscription(row), status)


@router.get("", response=schemas.SubscriptionPage, summary="List subscriptions")
@requires(scope="subscriptions:read", roles=TEAM_AND_OFFICE)
def list_subscriptions(request: ApiRequest, query: Query[schemas.SubscriptionQuery]) -> HttpResponse:
    """A page of the subscriptions that the filters let through."""
    return page_of(selectors.filter_subscriptions(request.caller, query), request, query, serializers.subscription)


@router.get("/expenses", response=PaginatedExpenseResponseDto, summary="List the expenses of a subscription")
@requires(scope="subscriptions:read", roles=TEAM_AND_OFFICE)
def list_subscription_expenses(request: ApiRequest, query: Query[schemas.ExpensesQuery]) -> HttpResponse:
    """A page of the charges of one subscription; 404 when it is not the caller's to see."""
    rows = charges.of(selectors.get_subscription(request.caller, query.subscription_id))
    return page_of(
        rows,
        request,
        query,
        show_all=expenses.page,
        order="transaction_date",
        time_zone=request.caller.business.time_zone,
    )


@router.post("/amount-spent", response=schemas.SpentList, summary="What was spent per subscription and period")
@requires(scope="subscriptions:read", roles=TEAM_AND_OFFICE)
def read_amount_spent(request: ApiRequest, body: schemas.SpentBody) -> HttpResponse:
    """Of at most 500 subscriptions, the newest; ids of none that is seen are left out."""
    rows = selectors.visible(request.caller)
    if body.subscription_ids is not None:
        rows = rows.filter(id__in=body.subscription_ids)
    newest = list(rows.order_by("-created_at", "-id")[:MOST_AT_ONCE])
    docs = charges.spent(request.caller, newest, body.from_, body.to, body.period)
    return answer({"period": body.period, "docs": docs, "total": len(docs)})


@router.post("/create", response={201: schemas.SubscriptionOut}, summary="Create a subscription")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def create_subscription(request: ApiRequest, body: schemas.NewSubscription) -> HttpResponse:
    """A subscription with the past charges of its vendor; 409 duplicate where there is one of vendor and card."""
    return _respond(services.create(request.caller, body), 201)


@router.put("/status", response=schemas.SubscriptionOut, summary="Pause or resume a subscription")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def set_subscription_status(request: ApiRequest, body: schemas.SetStatus) -> HttpResponse:
    """ACTIVE or PAUSED, from any state; setting what it is already changes nothing. 409 invalid_state for resuming one
    whose card has ended: it is given another first."""
    return _respond(services.set_status(request.caller, body.subscription_id, SubscriptionStatus(body.status)))


@router.put("/team", response=schemas.SubscriptionOut, summary="Set the team of a subscription")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def set_subscription_team(request: ApiRequest, body: schemas.SetTeam) -> HttpResponse:
    """Moves it to a team, or to none; 422 for a team that is none."""
    return _respond(services.set_team(request.caller, body.subscription_id, body.team_id))


@router.put("/limits-billing-frequency", response=schemas.SubscriptionOut, summary="Set limit and billing frequency")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def set_subscription_limits(request: ApiRequest, body: schemas.SetLimits) -> HttpResponse:
    """Changes the limit, the frequency, or both."""
    return _respond(services.set_limits(request.caller, body))


@router.put("/assign-employee", response=schemas.SubscriptionOut, summary="Assign an employee and card")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def assign_subscription_employee(request: ApiRequest, body: schemas.SetEmployee) -> HttpResponse:
    """Whose it is and on which card; 422 for a person who is not active or a card that is not theirs or is gone."""
    return _respond(services.assign_employee(request.caller, body))


@router.put("/subcategory", response=schemas.SubscriptionOut, summary="Set the subcategory of a subscription")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def set_subscription_subcategory(request: ApiRequest, body: schemas.SetSubcategory) -> HttpResponse:
    """What its charges are filed under; 422 for a subcategory that is not active."""
    return _respond(services.set_subcategory(request.caller, body.subscription_id, body.subcategory_id))


@router.post("/auto-generate", response=schemas.GeneratedOut, summary="Generate subscriptions from patterns")
@requires(scope="subscriptions:write", roles=BUYERS)
@idempotent()
def auto_generate_subscriptions(request: ApiRequest, body: schemas.GenerateBody) -> HttpResponse:
    """Proposals with their evidence; with `dry_run` false those that are sure enough are made."""
    created: list[Subscription] = []
    if body.dry_run:
        proposed = proposals.propose(request.caller)
    else:
        proposed, created = proposals.generate(request.caller, body.min_confidence)
    return answer(
        {
            "dry_run": body.dry_run,
            "proposals": [serializers.proposal(proposal) for proposal in proposed],
            "created": [serializers.subscription(subscription) for subscription in created],
        }
    )
