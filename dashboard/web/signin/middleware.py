"""Entering a business: membership, an identity provider's limits, and the second factor that its roles must have."""

import time
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from dashboard.access.actor import Actor, ActorMiddleware, to_sign_in
from dashboard.access.converters import AddressParts
from dashboard.access.models import Business, Membership, User
from dashboard.access.roles import CONFIGURING
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import FinanceError, NotAllowed
from dashboard.mirror.schedule import watch
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.operations_pages import MEMBERS
from dashboard.web.errors import answer
from dashboard.web.form_outcome import SubmissionState, with_outcome
from dashboard.web.respond import is_fragment_request, page, toast
from dashboard.web.signin.accounts import needs_sign_on
from dashboard.web.signin.backend import hand_over
from dashboard.web.signin.factors import has_factor
from dashboard.web.signin.membership import membership_of_user
from dashboard.web.signin.providers import ONLY_BUSINESS, sign_on_address
from dashboard.web.signin.sessions import store_form

# {slug: id} of the businesses this session has entered: what a poll may ask about without a query.
ENTERED = "entered"
# Set once per session when the break-glass super admin has entered, so that it is told once.
BROKEN_GLASS = "break_glass"
# What a session from an identity provider opens of a person's own account: nothing that changes how they sign in.
ACCOUNT_PAGES = "/-/account/"
OPEN_THROUGH_PROVIDER = frozenset(
    {
        "account_login", "account_logout", "account_reauthenticate", "account_inactive", "mfa_authenticate",
        "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_login_webauthn", "openid_connect_login",
        "openid_connect_callback", "saml_metadata", "saml_consumer", "saml_finish",
        "saml_logout", "saml_sign_out", "account_reset_password", "account_reset_password_done",
        "account_reset_password_from_key", "account_reset_password_from_key_done",
    }
)  # fmt: skip
SEEN_EVERY = timedelta(minutes=15)
VERIFY = "This requires verification: verify it's you first."


class BusinessEntry(ActorMiddleware):
    """Sets `request.actor` and keeps out whoever the business's rules of entry keep out."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: AddressParts
    ) -> HttpResponseBase | None:
        """404 for strangers; a page that explains for a member without the second factor that the role needs."""
        slug = kwargs.get("business")
        if slug is None:
            return check_account_page(request)
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
        refused = self.check_entry(request, actor, membership)
        if refused is None:
            watch(actor.business.pk)
        if refused is None and not getattr(view, "polls", False):
            note_seen(membership)
        return refused

    def check_entry(self, request: HttpRequest, actor: Actor, membership: Membership) -> HttpResponseBase | None:
        """The response that keeps a person out by the business's rules of entry; None lets them in."""
        through = request.session.get(ONLY_BUSINESS)
        if through not in (None, actor.business.slug):
            raise Http404("this session belongs to another business's identity provider")
        if through is None and needs_sign_on(membership):
            return require_sign_on(request, actor)
        breaks_glass = through is None and actor.business.requires_sign_on
        # The identity provider asks for a second factor where the business wants one: it was chosen for that, too.
        needs_factor = through is None and actor.roles_held & set(actor.business.second_factor_roles)
        if (breaks_glass or needs_factor) and not has_factor(request):
            return require_factor(request, actor)
        if breaks_glass and request.session.get(BROKEN_GLASS) != actor.business.slug:
            request.session[BROKEN_GLASS] = actor.business.slug
            report_break_glass(actor)
        entered = request.session.get(ENTERED, {})
        if entered.get(actor.business.slug) != actor.business.pk:
            request.session[ENTERED] = {**entered, actor.business.slug: actor.business.pk}
            remember(request, actor.business)
        return None


def check_account_page(request: HttpRequest) -> HttpResponseBase | None:
    """403 where a session from an identity provider would change how a person signs in everywhere: whoever runs the
    provider of one business would else have a key to the person's other ones. None lets them in."""
    if ONLY_BUSINESS not in request.session or not request.path.startswith(ACCOUNT_PAGES):
        return None
    match = request.resolver_match
    if match is not None and match.url_name in OPEN_THROUGH_PROVIDER:
        return None
    return answer(
        request, NotAllowed("You signed in through an identity provider: sign in with your password to change this.")
    )


def report_break_glass(actor: Actor) -> None:
    """Writes into the audit that the break-glass super admin has entered without single sign-on, and tells the other admins."""
    sentence = f"{actor.name} entered as break-glass super admin, without single sign-on"
    admins = Membership.objects.filter(business=actor.business, is_active=True, role__in=CONFIGURING)
    with transaction.atomic():
        line = record(
            actor, MEMBERS, None, Outcome.DONE, sentence="entered as break-glass super admin, without single sign-on"
        )
        notify(list(admins.exclude(pk=actor.member_id)), ACCESS, f"{sentence}.", key=f"break-glass:{line.pk}")


def require_sign_on(request: HttpRequest, actor: Actor) -> HttpResponse:
    """403: this business is entered through its identity provider alone. A page that leads there, or a toast in a swap."""
    request.actor = None  # type: ignore[attr-defined]
    if is_fragment_request(request):
        return toast(request, f"{actor.business} requires single sign-on. Reload the page.", bad=True, status=403)
    context = {"business": actor.business, "address": sign_on_address(actor.business.slug)}
    return page(request, "account/sign_on_required.html", context, status=403)


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
    membership = membership_of_user(user_id, slug)
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
    # An identity provider may have asked nobody anything as it signed them in: only what it was told to ask proves it.
    proofs = [
        proof
        for proof in request.session.get("account_authentication_methods", [])
        if proof.get("at") and (proof.get("method") != "socialaccount" or proof.get("reauthenticated"))
    ]
    return (
        bool(proofs) and time.time() - max(proof["at"] for proof in proofs) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    )


def step_up(request: HttpRequest, back: str) -> HttpResponseRedirect:
    """Leads to showing again that it is them, then back to the page where the decision is then taken."""
    if has_factor(request):
        where = reverse("mfa_reauthenticate")
    else:
        where = reverse("sign_on_verify" if ONLY_BUSINESS in request.session else "account_reauthenticate")
    return with_outcome(HttpResponseRedirect(f"{where}?{urlencode({'next': back})}"), VERIFY, SubmissionState.REFUSED)


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
