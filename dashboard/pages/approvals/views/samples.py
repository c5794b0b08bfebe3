"""The sample of what was approved because it looked clean: what is drawn, and its second look."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.decisions.samples import change_share, check_sample
from dashboard.pages.approvals.forms import CheckedSampleForm, SampleShareForm
from dashboard.pages.approvals.presenters.samples import samples_context
from dashboard.web.respond import page

TEMPLATE = "approvals/samples.html"


@require_GET
@needs(operations_pages.SAMPLES)
def samples(request: ActorRequest, business: str) -> HttpResponse:
    """The drawn approvals that one may see: those to check first."""
    return page(request, TEMPLATE, samples_context(request.actor, request.GET.get("page")))


@require_POST
@needs(operations_pages.SAMPLES)
def check(request: ActorRequest, business: str, sample_id: int) -> HttpResponse:
    """Marks a drawn approval as checked, with what was found."""
    form = CheckedSampleForm(request.POST)
    if not form.is_valid():
        context = samples_context(request.actor, None, refused=(sample_id, form))
        return page(request, TEMPLATE, context, status=422)
    sample = check_sample(request.actor, sample_id, form.cleaned_data["note"])
    messages.success(request, f"Verified: {sample.decision.title}.")
    return redirect("approvals_samples", business)


@require_POST
@needs(operations_pages.SAMPLE_SHARE)
def sample_share(request: ActorRequest, business: str) -> HttpResponse:
    """Which share of the approvals of what looked clean is sampled from now on."""
    form = SampleShareForm(request.POST)
    if not form.is_valid():
        return page(request, TEMPLATE, samples_context(request.actor, None, share_form=form), status=422)
    change_share(request.actor, form.cleaned_data["percent"])
    messages.success(request, "Saved.")
    return redirect("approvals_samples", business)
