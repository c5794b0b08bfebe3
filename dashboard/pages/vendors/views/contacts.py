"""The people to speak to at a vendor: added, changed, and removed."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import vendor_contacts as commands
from dashboard.commands.vendors import REFUSALS
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.forms.contacts import ContactForm
from dashboard.pages.vendors.selectors.vendors import vendor_for
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

CONTACT = "vendors/contact.html"


@require_http_methods(["GET", "POST"])
@needs(operations_payables.ADD_VENDOR_CONTACT)
def add_contact(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The form of a new contact; added, the page of the vendor."""
    row, form = vendor_for(request.actor, remote_id), _form(request)
    if request.method == "GET" or not form.is_valid():
        return _render(request, row, form, 200 if request.method == "GET" else 422)
    try:
        commands.add_contact(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except REFUSALS as refused:
        return _render(request, row, form, refused.status)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("vendors_item", business, remote_id)


@require_http_methods(["GET", "POST"])
@needs(operations_payables.CHANGE_VENDOR_CONTACT)
def change_contact(request: ActorRequest, business: str, remote_id: str, contact_id: str) -> HttpResponse:
    """The form of a contact as it is; changed, the page of the vendor."""
    row = vendor_for(request.actor, remote_id)
    contact = _contact_of(row, contact_id)
    form = _form(request, contact)
    if request.method == "GET" or not form.is_valid():
        return _render(request, row, form, 200 if request.method == "GET" else 422, contact)
    try:
        commands.change_contact(request.actor, row, contact_id, form.body(), key=form_key_of(request), form=form)
    except REFUSALS as refused:
        return _render(request, row, form, refused.status, contact)
    messages.success(request, "Changes saved.")
    return redirect("vendors_item", business, remote_id)


@require_POST
@needs(operations_payables.REMOVE_VENDOR_CONTACT)
def remove_contact(request: ActorRequest, business: str, remote_id: str, contact_id: str) -> HttpResponse:
    """Removes a contact for good."""
    row = vendor_for(request.actor, remote_id)
    contact = _contact_of(row, contact_id)
    commands.remove_contact(request.actor, row, contact_id, key=form_key_of(request))
    messages.success(request, f"{contact['name']} was removed.")
    return redirect("vendors_item", business, remote_id)


def _contact_of(vendor: Vendor, contact_id: str) -> dict[str, str]:
    """The contact by its columns in the copy; Http404 where the vendor has none of that id."""
    for contact in vendor.contacts:
        if contact["id"] == contact_id:
            return dict(contact)
    raise Http404("the vendor has no such contact")


def _form(request: ActorRequest, contact: dict[str, str] | None = None) -> ContactForm:
    data = request.POST if request.method == "POST" else None
    return ContactForm(data, initial=contact, locale=request.actor.business.locale)


def _render(
    request: ActorRequest, row: Vendor, form: ContactForm, status: int, contact: dict[str, str] | None = None
) -> HttpResponse:
    context = {"vendor": row, "contact": contact, "form": form, "key": posted_key(request)}
    return page(request, CONTACT, context, status=status)
