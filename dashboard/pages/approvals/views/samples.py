"""The samples of what was approved, of what looked clean and of each week: what is drawn, and its second look."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.decisions.samples import check_sample
from dashboard.decisions.weekly_checks import check_weekly_sample
from dashboard.pages.approvals.forms import CheckedSampleForm
from dashboard.pages.approvals.presenters.samples import samples_context
from dashboard.pages.approvals.presenters.weekly_samples import weekly_samples_context
from dashboard.web.respond import page

TEMPLATE, WEEKLY = "approvals/samples.html", "approvals/weekly_samples.html"


@require_GET
@needs(operations_pages.SAMPLES)
def samples(request: ActorRequest, business: str) -> HttpResponse:
    """The drawn approvals that one may see: those to check first."""
    return page(request, TEMPLATE, samples_context(request.actor, request.GET.get("page")))


@require_POST
@needs(operations_pages.SAMPLES)
def check(request: ActorRequest, business: str, sample_id: int) -> HttpResponse:
    """Marks a drawn approval as checked, with the result and what was found."""
    form = CheckedSampleForm(request.POST)
    if not form.is_valid():
        context = samples_context(request.actor, None, refused=(sample_id, form))
        return page(request, TEMPLATE, context, status=422)
    is_in_order = form.cleaned_data["found"] == "in_order"
    sample = check_sample(request.actor, sample_id, form.cleaned_data["note"], is_in_order=is_in_order)
    messages.success(request, f"Check saved: {sample.decision.title}.")
    return redirect("approvals_samples", business)


@require_GET
@needs(operations_pages.SAMPLES)
def weekly_samples(request: ActorRequest, business: str) -> HttpResponse:
    """What was drawn of each week's approvals, by people and by nobody: those to check first."""
    return page(request, WEEKLY, {**weekly_samples_context(request.actor, request.GET.get("page"))})


@require_POST
@needs(operations_pages.SAMPLES)
def check_weekly(request: ActorRequest, business: str, sample_id: int) -> HttpResponse:
    """Marks a drawn approval of a week as checked, with the result and what was found."""
    form = CheckedSampleForm(request.POST)
    if not form.is_valid():
        context = weekly_samples_context(request.actor, None, refused=(sample_id, form))
        return page(request, WEEKLY, {**context}, status=422)
    is_in_order = form.cleaned_data["found"] == "in_order"
    sample = check_weekly_sample(request.actor, sample_id, form.cleaned_data["note"], is_in_order=is_in_order)
    messages.success(request, f"Check saved: {sample.title}.")
    return redirect("approvals_weekly_samples", business)
