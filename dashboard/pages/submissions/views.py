"""The address that a page asks when it has lost the answer to a form: what became of it, by the form's key."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs, own_account
from dashboard.access.person import user_of
from dashboard.pages.submissions.selectors import Submitter, status_of
from dashboard.pages.submissions.services import withdraw
from dashboard.web.arrivals import ATTEMPT, read_only_post, storable_key
from dashboard.web.respond import json_to_print
from dashboard.web.signin.sessions import polls

# Further sendings of a form that a page still waits for: more than anybody presses a button.
MOST_OTHERS = 20
# Stands in the address for a form without a key: what it is asked by is the attempt alone.
NO_KEY = "-"


@polls
@read_only_post
@require_http_methods(["GET", "POST"])
@needs(operations_pages.SUBMISSIONS)
def submission(request: ActorRequest, business: str, key: str) -> HttpResponse:
    """What became of a form of one's own in this business; a POST withdraws it where it has not arrived."""
    return _respond(request, Submitter(user_of(request), request.actor), key)


@polls
@read_only_post
@require_http_methods(["GET", "POST"])
@own_account
def own_submission(request: HttpRequest, key: str) -> HttpResponse:
    """What became of a form of one's own account, which belongs to no business; a POST withdraws it where it has not
    arrived."""
    return _respond(request, Submitter(user_of(request), None), key)


def _respond(request: HttpRequest, submitter: Submitter, key: str) -> HttpResponse:
    """{"known": selectors.Known, "sentence", "address", "toast"}; 400 without an attempt to withdraw."""
    key = "" if key == NO_KEY else storable_key(key)
    attempt = request.GET.get("attempt", "")
    if attempt and not ATTEMPT.fullmatch(attempt):
        return json_to_print({"attempt": "8 to 64 letters, digits and hyphens"}, status=400)
    path = request.GET.get("path", "")
    if request.method == "POST":
        if not attempt:
            return json_to_print({"attempt": "which sending of it is withdrawn"}, status=400)
        # Without a key nothing says that they are of the same form.
        others = [sending for sending in request.GET.getlist("other") if key and ATTEMPT.fullmatch(sending)]
        status = withdraw(submitter, key, attempt, path, others[:MOST_OTHERS])
    else:
        status = status_of(submitter, key, attempt, path)
    answer = {"known": status.known, "sentence": status.sentence, "address": status.address, "toast": status.toast}
    return json_to_print(answer)
