"""Saved views of any list: kept under a name, opened with, removed."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists import saved
from dashboard.lists.query import LONGEST_QUERY
from dashboard.lists.view import redirect_to_list
from dashboard.pages.lists.opened import opened
from dashboard.web.fields import Name


class ViewForm(forms.Form):
    """The name of a view, and whether everybody is offered it."""

    name = Name(max_length=60)
    shared = forms.BooleanField(required=False)


def _list_query(request: ActorRequest) -> str:
    return request.POST.get("list", "")[:LONGEST_QUERY]


@require_POST
@needs(operations_pages.LISTS)
def save_view(request: ActorRequest, business: str, list_name: str) -> HttpResponse:
    """Keeps what the list shows now under a name."""
    of, form = opened(request.actor, list_name), ViewForm(request.POST)
    asked = of.parse(_list_query(request))
    if form.is_valid():
        kept = saved.save(
            request.actor, list_name, asked, form.cleaned_data["name"], shared=form.cleaned_data["shared"]
        )
        messages.success(request, f"The view “{kept.name}” is saved.")
    else:
        messages.error(request, "The view was not saved: give it a name of at most 60 letters.")
    return redirect_to_list(request.actor, of, asked.query())


@require_POST
@needs(operations_pages.LISTS)
def open_with_view(request: ActorRequest, business: str, list_name: str, view_id: int) -> HttpResponse:
    """Makes a view the one that the list opens with, or the list open with everything again."""
    of = opened(request.actor, list_name)
    wanted = None if request.POST.get("default") == "no" else view_id
    if not saved.open_with(request.actor, list_name, wanted):
        raise Http404("no such view")
    messages.success(request, "The list opens with this view now." if wanted else "The list opens with everything.")
    return redirect_to_list(request.actor, of, of.parse(_list_query(request)).query())


@require_POST
@needs(operations_pages.LISTS)
def forget_view(request: ActorRequest, business: str, list_name: str, view_id: int) -> HttpResponse:
    """Removes one of one's own views."""
    of = opened(request.actor, list_name)
    if not saved.remove(request.actor, list_name, view_id):
        raise Http404("no such view")
    messages.success(request, "The view is removed.")
    return redirect_to_list(request.actor, of, of.parse(_list_query(request)).query())
