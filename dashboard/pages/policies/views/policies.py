"""Spend policies, read: in their groups, by category, for a person, one of them, and as a list."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.view import list_page, totals_part
from dashboard.pages.policies.forms.policy import AppliesForm
from dashboard.pages.policies.presenters.history import history_context
from dashboard.pages.policies.presenters.policies import (
    applies_context,
    categories_context,
    group_context,
    overview_context,
    policy_context,
)
from dashboard.pages.policies.selectors.history import moment_in, versions_of_policy
from dashboard.pages.policies.selectors.policies import (
    category_policies_of,
    group_of,
    people_choices,
    policy_groups,
    policy_summary,
    spend_policy_for,
)
from dashboard.pages.policies.tables import POLICIES
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

TYPES = ("CATEGORY", "SUBCATEGORY")
STATUSES = ("ACTIVE", "INACTIVE", "DELETED")


@require_GET
@needs(operations.LIST_POLICY_GROUPS)
def policies(request: ActorRequest, business: str) -> HttpResponse:
    """Every policy as a sentence, in its group."""
    actor = request.actor
    return page(request, "policies/policies.html", overview_context(actor, policy_groups(actor), policy_summary(actor)))


@require_GET
@needs(operations.READ_POLICY_GROUP)
def group(request: ActorRequest, business: str, group_id: str) -> HttpResponse:
    """One group with its policies."""
    return page(request, "policies/group.html", group_context(request.actor, group_of(request.actor, group_id)))


@require_GET
@needs(operations.LIST_CATEGORY_POLICIES)
def categories(request: ActorRequest, business: str) -> HttpResponse:
    """The policies on categories and subcategories, of one type and status where the address says so."""
    type_ = request.GET.get("type", "") if request.GET.get("type") in TYPES else ""
    status = request.GET.get("status", "") if request.GET.get("status") in STATUSES else ""
    read = category_policies_of(request.actor, type_, status)
    return page(request, "policies/categories.html", categories_context(request.actor, read, type_, status))


@require_GET
@needs(operations.READ_POLICY_SUMMARY)
def applies(request: ActorRequest, business: str) -> HttpResponse:
    """What applies to a person, or to what is filed under a subcategory."""
    # Whom an address names is there to choose whatever became of them.
    named = [value for value in (request.GET.get("person", ""),) if value.isalnum()]
    form = AppliesForm(request.GET, people=people_choices(request.actor, named))
    person = form.cleaned_data["person"] if form.is_valid() else ""
    category = request.GET.get("category", "")[:64]
    context = applies_context(request.actor, policy_summary(request.actor), person, category)
    return page(request, "policies/applies.html", {**context, "form": form})


@require_GET
@needs(operations.READ_POLICY)
def policy(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """One policy: its sentence, what is wrong with it, what can be done with it."""
    return page(
        request, "policies/policy.html", policy_context(request.actor, spend_policy_for(request.actor, policy_id))
    )


@require_GET
@needs(operations.READ_POLICY)
def history(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """The versions of a policy: who made what of it, and when."""
    read = spend_policy_for(request.actor, policy_id)
    at = moment_in(request.GET.get("at", ""))
    context = history_context(request.actor, versions_of_policy(request.actor, read.value), read.value, at)
    return page(request, "policies/history.html", context)


@require_GET
@needs(operations.READ_POLICY)
def all_policies(request: ActorRequest, business: str) -> HttpResponseBase:
    """The list of policies: filters, saved views and exports."""
    return list_page(request, POLICIES, template="policies/list.html")


@polls
@require_GET
@needs(operations.READ_POLICY)
def all_policies_totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many policies there are under the filters of the address."""
    return totals_part(request, POLICIES)
