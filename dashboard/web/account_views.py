"""Pages of no business: where `/` leads, the choice of a business, one's own account, a form stored over a sign-in."""

from allauth.account.models import EmailAddress
from allauth.account.views import email as allauth_email
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from dashboard import operations_pages
from dashboard.access.decorators import own_account
from dashboard.access.models import Business, Membership, User
from dashboard.access.person import user_of
from dashboard.web.respond import page, private
from dashboard.web.signin.providers import ONLY_BUSINESS
from dashboard.web.signin.sessions import STORED_FORM, polls, session_seconds_left

# Fields of our own forms that a person has not typed: carried along unseen.
UNSEEN = frozenset({"key", "attempt", "fingerprint", "ids", "seen", "list", "next", "step", "verb", "kind"})


def businesses_of(request: HttpRequest) -> list[Business]:
    """The businesses this session's person may enter, by name."""
    mine = Business.objects.filter(memberships__user_id=user_of(request), memberships__is_active=True).order_by("name")
    only = request.session.get(ONLY_BUSINESS)
    return list(mine.filter(slug=only) if only else mine)


@own_account
def email_addresses(request: HttpRequest) -> HttpResponseBase:
    """allauth's page of one's addresses. Only one that was confirmed by the mail to it becomes the one that signs in: invitations
    and the domains of single sign-on go by that address, and allauth alone would take any for whoever has confirmed none."""
    address = request.POST.get("email", "")
    if "action_primary" in request.POST and not EmailAddress.objects.filter(
        user_id=user_of(request), email__iexact=address, verified=True
    ):
        messages.error(request, f"{address[:254]} is not confirmed: open the link in the email to it first.")
        return redirect("account_email")
    answer: HttpResponseBase = allauth_email(request)
    return answer


@require_GET
@own_account
def entry(request: HttpRequest) -> HttpResponse:
    """`/`: the business last worked in, else the only one, else the choice."""
    mine = businesses_of(request)
    last = request.user.last_business_id if isinstance(request.user, User) else None
    chosen = next((business for business in mine if business.pk == last), mine[0] if len(mine) == 1 else None)
    if chosen and not request.GET.get("all"):
        return redirect("home", chosen.slug)
    return page(request, "entry/businesses.html", {"businesses": mine})


@require_GET
@own_account
def alive(request: HttpRequest) -> HttpResponse:
    """Says that a person is still there; calling it is what extends the session."""
    return private(HttpResponse(status=204))


@own_account
def you(request: HttpRequest) -> HttpResponse:
    """One's own account: theme, password, second factor, sessions."""
    if request.method == "POST":
        theme = request.POST.get("theme", "")
        User.objects.filter(pk=user_of(request)).update(theme=theme if theme in {"light", "dark"} else "")
        return redirect("you")
    memberships = Membership.objects.filter(user_id=user_of(request), is_active=True).select_related("business")
    if only := request.session.get(ONLY_BUSINESS):
        # Whoever came by one business's identity provider is shown that business alone.
        memberships = memberships.filter(business__slug=only)
    return page(
        request,
        "entry/you.html",
        {"memberships": memberships, "staff": operations_pages.DELEGATION.roles, "own_sign_in": not only},
    )


@polls
@require_GET
@own_account
def session(request: HttpRequest) -> JsonResponse:
    """How the session stands: {"left": seconds until it ends of itself, "person": the id of whose it is}.

    Every page asks by itself (static/js/session.js): this is where a tab learns that the session has ended elsewhere.
    """
    left = max(0.0, round(session_seconds_left(request), 1))
    return private(JsonResponse({"left": left, "person": user_of(request)}))


@polls
@require_GET
@own_account
def restored_form(request: HttpRequest) -> HttpResponse:
    """Shows a form that was posted as its session ended: the same person sends it, or lets it go."""
    stored = request.session.pop(STORED_FORM, None)
    if not stored or stored["user"] != str(request.user.pk):
        return HttpResponseRedirect(reverse("entry"))
    fields = [
        {"name": name, "value": value, "label": name.replace("_", " ").capitalize(), "unseen": name in UNSEEN}
        for name, value in stored["fields"]
    ]
    return page(request, "entry/kept.html", {"action": stored["action"], "fields": fields})
