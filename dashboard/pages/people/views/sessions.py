"""Where somebody is signed in, and signing them out there."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.people.selectors.people import person_of
from dashboard.web.signin.member_sessions import end_member_session
from dashboard.web.signin.middleware import confirm_first


@require_POST
@needs(operations_pages.MEMBER_SESSIONS)
def end_session(request: ActorRequest, business: str, remote_id: str, session_id: int) -> HttpResponse:
    """Signs somebody out of one browser, at once."""
    row = person_of(request.actor, remote_id)
    if verification := confirm_first(request, request.path):
        return verification
    device = end_member_session(request.actor, row, session_id)
    if device:
        messages.success(request, f"{row.name} is signed out: {device}.")
    else:
        messages.info(request, "That session had ended already. Nothing was changed.")
    return redirect("people_item", business, remote_id)
