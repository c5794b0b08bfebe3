"""The simulator: one example of spending, and what the policies and workflows in force say to it."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.policies.forms.simulator import ExampleForm
from dashboard.pages.policies.presenters.simulator import simulated, simulator_context
from dashboard.pages.policies.selectors.examples import example_choices
from dashboard.web.respond import page


@require_GET
@needs(operations.READ_POLICY_SUMMARY)
def simulator(request: ActorRequest, business: str) -> HttpResponse:
    """The example's form, and once it is typed the trace rule by rule; nothing is changed, so its address can be shared."""
    typed = request.GET if "amount" in request.GET else None
    form = ExampleForm(typed, choices=example_choices(request.actor), business=request.actor.business)
    is_valid = form.is_valid()
    context = simulated(request.actor, form) if is_valid else simulator_context(request.actor, form)
    return page(request, "policies/simulator.html", context, status=422 if typed is not None and not is_valid else 200)
