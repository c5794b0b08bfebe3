"""Entering a business: membership, an identity provider's limits, and the second factor that its roles must have."""

import time
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from dashboard.access.actor import Actor, ActorMiddleware, to_sign_in
from dashboard.access.models import Business, Membership, User
from dashboard.errors import FinanceError
from dashboard.web.errors import answer
from dashboard.web.outcome import State, with_outcome
from dashboard.web.respond import is_fragment_request, page, toast
from dashboard.web.signin.backend import hand_over
from dashboard.web.signin.factors import has_factor
from dashboard.web.signin.providers import ONLY_BUSINESS
from dashboard.web.signin.sessions import store_form

# {slug: id} of the businesses this session has entered: what a poll may ask about without a query.
ENTERED = "entered"
SEEN_EVERY = timedelta(minutes=15)
VERIFY = "This requires verification: verify it's you first."


class BusinessEntry(ActorMiddleware):
    """Sets `request.actor` and keeps out whoever the business's rules of entry keep out."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: dict[str, object]
    ) -> HttpResponseBase | None:
        """404 for strangers; a page that explains for a member without the second factor that the role needs."""
        slug = kwargs.get("business")
        if slug is None:
            return None
        membership = membership_at(request, str(slug))
        signed_in = request.user.is_authenticated
        hand_over(None)
        if not signed_in:
            return to_sign_in(request)
        if membership is None or membership.user_id != request.user.pk:
            raise Http404("no such business for this person")
        try:
            actor = Actor.for_membership(membership, session_key=request.session.session_key or "")
        except FinanceError as error:
            return answer(request, error)
        request.actor = actor  # type: ignore[attr-defined]
        refused = self.check_entry(request, actor)
        if refused is None and not getattr(view, "polls", False):
            note_seen(membership)
        return refused

    def check_entry(self, request: HttpRequest, actor: Actor) -> HttpResponseBase | None:
        """The response that keeps a person out by the business's rules of entry; None lets them in."""
        if request.session.get(ONLY_BUSINESS, actor.business.slug) != actor.business.slug:
            raise Http404("this session belongs to another business's identity provider")
        if actor.roles_held & set(actor.business.second_factor_roles) and not has_factor(request):
            return require_factor(request, actor)
        entered = request.session.get(ENTERED, {})
        if entered.get(actor.business.slug) != actor.business.pk:
            request.session[ENTERED] = {**entered, actor.business.slug: actor.business.pk}
            remember(request, actor.business)
        return None


def note_seen(membership: Membership) -> None:
    """Notes that a member is here, once in SEEN_EVERY: who has access and does not use it is told by it."""
    now = timezone.now()
    if membership.last_seen_at is None or now - membership.last_seen_at > SEEN_EVERY:
        Membership.objects.filter(pk=membership.pk).update(last_seen_at=now)


def membership_at(request: HttpRequest, slug: str) -> Membership | None:
    """The membership of whoever the session names, with the person and the business: one query for the three.

    The person is handed to the sign-in backend, which checks them against the session as ever.
    """
    user_id = request.session.get(SESSION_KEY)
    if user_id is None:
        return None
    memberships = Membership.objects.select_related("business", "user")
    membership = memberships.filter(user_id=user_id, business__slug=slug, is_active=True).first()
    if membership is not None:
        hand_over(membership.user)
    return membership


def require_factor(request: HttpRequest, actor: Actor) -> HttpResponse:
    """403: this business requires a second factor of this role. A page with how to set one up, or a toast in a swap."""
    request.actor = None  # type: ignore[attr-defined]
    if is_fragment_request(request):
        return toast(request, f"{actor.business} requires a second factor. Reload the page.", bad=True, status=403)
    return page(request, "account/second_factor.html", {"business": actor.business, "role": actor.role}, status=403)


def stepped_up(request: HttpRequest) -> bool:
    """True when the person has shown within the last minutes that it is them, as is needed before money moves."""
    proofs = [proof for proof in request.session.get("account_authentication_methods", []) if proof.get("at")]
    return (
        bool(proofs) and time.time() - max(proof["at"] for proof in proofs) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    )


def step_up(request: HttpRequest, back: str) -> HttpResponseRedirect:
    """Leads to showing again that it is them, then back to the page where the decision is then taken."""
    factor = has_factor(request)
    where = reverse("mfa_reauthenticate" if factor else "account_reauthenticate")
    return with_outcome(HttpResponseRedirect(f"{where}?{urlencode({'next': back})}"), VERIFY, State.REFUSED)


def confirm_first(request: HttpRequest, action: str) -> HttpResponse | None:
    """None when the person has just shown that it is them; else leads there, the form waiting unsent meanwhile."""
    if stepped_up(request):
        return None
    store_form(request, str(request.user.pk), action)
    return step_up(request, reverse("kept_form"))


def remember(request: HttpRequest, business: Business) -> None:
    """Notes the business as the one `/` leads to; writes only when it has changed."""
    if isinstance(request.user, User) and request.user.last_business_id != business.pk:
        User.objects.filter(pk=request.user.pk).update(last_business=business)
