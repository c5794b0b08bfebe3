"""Saved views of any list: saved under a name, opened with, removed."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists import saved
from dashboard.lists.query import LONGEST_QUERY
from dashboard.lists.view import redirect_to_list
from dashboard.pages.lists.forms import ViewForm
from dashboard.pages.lists.selectors import permitted_list


def _list_query(request: ActorRequest) -> str:
    return request.POST.get("list", "")[:LONGEST_QUERY]


@require_POST
@needs(operations_pages.LISTS)
def save_view(request: ActorRequest, business: str, list_name: str) -> HttpResponse:
    """Saves what the list shows now under a name."""
    listed, form = permitted_list(request.actor, list_name), ViewForm(request.POST)
    query = listed.parse(_list_query(request))
    if form.is_valid():
        view = saved.save(
            request.actor, list_name, query, form.cleaned_data["name"], shared=form.cleaned_data["shared"]
        )
        messages.success(request, f"The view “{view.name}” is saved.")
    else:
        messages.error(request, "The view was not saved: give it a name of at most 60 letters.")
    return redirect_to_list(request.actor, listed, query.query())


@require_POST
@needs(operations_pages.LISTS)
def open_with_view(request: ActorRequest, business: str, list_name: str, view_id: int) -> HttpResponse:
    """Makes a view the one that the list opens with, or the list open with everything again."""
    listed = permitted_list(request.actor, list_name)
    default_id = None if request.POST.get("default") == "no" else view_id
    if not saved.open_with(request.actor, list_name, default_id):
        raise Http404("no such view")
    sentence = "The list opens with all items." if default_id is None else "This view is now the default."
    messages.success(request, sentence)
    return redirect_to_list(request.actor, listed, listed.parse(_list_query(request)).query())


@require_POST
@needs(operations_pages.LISTS)
def remove_view(request: ActorRequest, business: str, list_name: str, view_id: int) -> HttpResponse:
    """Removes one of one's own views."""
    listed = permitted_list(request.actor, list_name)
    if not saved.remove(request.actor, list_name, view_id):
        raise Http404("no such view")
    messages.success(request, "The view is deleted.")
    return redirect_to_list(request.actor, listed, listed.parse(_list_query(request)).query())
