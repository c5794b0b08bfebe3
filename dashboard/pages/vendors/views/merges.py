"""Vendors that may be the same: the pairs, and one merged into the other after its plan was seen."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import vendor_records as commands
from dashboard.commands.run import add_refusal
from dashboard.commands.vendors import REFUSALS
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.forms.vendors import MergeForm
from dashboard.pages.vendors.presenters.merges import duplicates_context, merge_context, merge_draft
from dashboard.pages.vendors.selectors.vendors import vendor_for
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.services import propose
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

DUPLICATES, MERGE = "vendors/duplicates.html", "vendors/merge.html"


@require_GET
@needs(operations_payables.LIST_DUPLICATE_VENDORS)
def duplicates(request: ActorRequest, business: str) -> HttpResponse:
    """The pairs of vendors that may be the same one."""
    return page(request, DUPLICATES, duplicates_context(request.actor))


@require_http_methods(["GET", "POST"])
@needs(operations_payables.READ_VENDOR_MERGE, operations_payables.MERGE_VENDOR)
def merge(request: ActorRequest, business: str, remote_id: str, duplicate_id: str) -> HttpResponse:
    """Merges a duplicate into a vendor: first what moves, then the merge."""
    row, other = vendor_for(request.actor, remote_id), vendor_for(request.actor, duplicate_id)
    form, status = MergeForm(request.POST or None), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                return _merged(request, row, other, form)
            except REFUSALS as refused:
                if not form.errors:
                    add_refusal(form, refused)
                status = refused.status
    return page(request, MERGE, merge_context(request.actor, row, other, form, posted_key(request)), status=status)


def _merged(request: ActorRequest, vendor: Vendor, duplicate: Vendor, form: MergeForm) -> HttpResponse:
    """Merges at once; where changes need a second admin, the merge waits for one."""
    actor, reason = request.actor, form.cleaned_data["reason"]
    if requires_second_admin(actor.business):
        proposal = propose(actor, merge_draft(actor, vendor, duplicate, reason, posted_key(request)))
        messages.success(request, "The merge waits for a second admin. Nothing has changed yet.")
        return redirect("wallet-policies_proposal", actor.business.slug, proposal.pk)
    commands.merge_vendor(actor, vendor, duplicate, reason, key=form_key_of(request), form=form)
    messages.success(request, f"{duplicate.name} was merged into {vendor.name}.")
    return redirect("vendors_item", actor.business.slug, vendor.remote_id)
