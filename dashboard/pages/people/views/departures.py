"""Offboarding somebody: what they leave behind with an heir or an action for each, and how far it is."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.errors import FAILED, FinanceError, NotAllowed, Rejected
from dashboard.mirror.models import Employee
from dashboard.offboarding import services
from dashboard.offboarding.holdings import left_behind_by
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.offboarding.selectors import newest_of, visible_offboardings
from dashboard.operations_pages import OFFBOARDING
from dashboard.pages.people.forms.departures import OffboardingForms
from dashboard.pages.people.presenters.departures import (
    offboard_context,
    offboarding_context,
    offboardings_context,
    successor_form,
)
from dashboard.pages.people.selectors.people import person_of
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import posted_key

PLAN, PROGRESS, OPEN = "people/offboard.html", "people/offboarding.html", "people/offboardings.html"
WRONG = "Something below needs a successor or another action. Nothing was done."


@require_http_methods(["GET", "POST"])
@needs(OFFBOARDING, operations.SUSPEND_EMPLOYEE)
def offboard(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Everything that somebody leaves behind; once each has an heir or an action, they are suspended and the rest follows."""
    row = person_of(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.SUSPEND_EMPLOYEE, row)
    job = newest_of(request.actor, remote_id)
    if job is not None and (job.is_open or job.key == request.POST.get("key")):
        return redirect("people_offboarding", business, job.pk)
    try:
        filled = _forms(request, row)
    except NotAllowed:
        raise
    except FinanceError as trouble:
        return page(request, PLAN, {"person": row, "unread": trouble.user_message}, status=trouble.status)
    if request.method == "GET":
        return _render(request, row, filled)
    return _begin(request, row, filled)


def _forms(request: ActorRequest, row: Employee) -> OffboardingForms:
    posted = request.POST if request.method == "POST" else None
    holdings = left_behind_by(request.actor, row)
    return OffboardingForms.of(request.actor, row, holdings, posted, request.GET.get("heir", ""))


def _begin(request: ActorRequest, row: Employee, filled: OffboardingForms) -> HttpResponse:
    if not filled.is_valid():
        return _render(request, row, filled, 422, WRONG)
    if verification := confirm_first(request, request.path):
        return verification
    try:
        job = services.start(request.actor, row, filled.chosen(), key=posted_key(request))
    except FAILED as refusal:
        return _render(request, row, filled, refusal.status, refusal.user_message)
    messages.success(request, f"The offboarding of {row.name} has started.")
    return redirect("people_offboarding", request.actor.business.slug, job.pk)


def _render(
    request: ActorRequest, row: Employee, filled: OffboardingForms, status: int = 200, problem: str = ""
) -> HttpResponse:
    context = {**offboard_context(request.actor, row, filled), "key": posted_key(request), "problem": problem}
    return page(request, PLAN, context, status=status)


@require_GET
@needs(OFFBOARDING)
def offboardings(request: ActorRequest, business: str) -> HttpResponse:
    """The offboardings of which something is left, and for whom."""
    return page(request, OPEN, {**offboardings_context(request.actor)})


@require_GET
@needs(OFFBOARDING)
def offboarding(request: ActorRequest, business: str, offboarding_id: object) -> HttpResponse:
    """How far an offboarding is, step by step, and what is left."""
    return _progress(request, offboarding_id)


@polls
@require_GET
@needs(OFFBOARDING)
def progress(request: ActorRequest, business: str, offboarding_id: object) -> HttpResponse:
    """The fragment with how far it is by now."""
    return _progress(request, offboarding_id)


def _job(request: ActorRequest, offboarding_id: object) -> Offboarding:
    job: Offboarding = get_object_or_404(visible_offboardings(request.actor), pk=offboarding_id)
    return job


def _progress(request: ActorRequest, offboarding_id: object) -> HttpResponse:
    job = _job(request, offboarding_id)
    context = offboarding_context(request.actor, job, person_of(request.actor, job.employee_id))
    return page(request, PROGRESS, context, fragments=("progress",))


@require_POST
@needs(OFFBOARDING)
def go_on(request: ActorRequest, business: str, offboarding_id: object) -> HttpResponse:
    """Takes on what is left and needs the actor's role, what was refused, and asks again about what has no answer."""
    job = _job(request, offboarding_id)
    if verification := confirm_first(request, request.path):
        return verification
    continued = services.go_on(request.actor, job)
    if continued:
        messages.success(
            request, f"{continued} step{'s' * (continued != 1)} continue{'s' * (continued == 1)} in the background."
        )
    else:
        messages.info(request, "Nothing is left that you can do.")
    return redirect("people_offboarding", business, job.pk)


@require_POST
@needs(OFFBOARDING, operations.SUSPEND_EMPLOYEE)
def change_successor(request: ActorRequest, business: str, offboarding_id: object, step_number: int) -> HttpResponse:
    """Gives a step that is stuck another successor, and goes on with it."""
    job = _job(request, offboarding_id)
    step = get_object_or_404(job.steps.select_related("offboarding"), number=step_number)
    person = person_of(request.actor, job.employee_id)
    if not services.may_reassign(step):
        messages.info(request, "This step is no longer stuck.")
        return redirect("people_offboarding", business, job.pk)
    form = successor_form(request.actor, person, step, request.POST)
    if not form.is_valid():
        context = offboarding_context(request.actor, job, person, {step.number: form})
        return page(request, PROGRESS, {**context, "first_wrong": form}, status=422)
    return confirm_first(request, request.path) or _reassign(request, step, form.cleaned_data["heir"])


def _reassign(request: ActorRequest, step: OffboardingStep, heir: Employee) -> HttpResponse:
    try:
        services.reassign(request.actor, step, heir)
        messages.success(request, f"{heir.name} is the successor for this step.")
    except Rejected as refused:
        messages.error(request, refused.detail)
    return redirect("people_offboarding", request.actor.business.slug, step.offboarding_id)
