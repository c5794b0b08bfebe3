"""Notifications: the list, marking as read, choosing which and how, the devices that show them; and the bell, which asks at no query but the session's."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest, to_sign_in
from dashboard.access.decorators import needs, public
from dashboard.access.models import Membership
from dashboard.notifications.bell import cached_count, recount
from dashboard.notifications.devices import MOST_DEVICES, add_device, browser_id_of, new_browser_id, own_devices
from dashboard.notifications.digest import choose
from dashboard.notifications.mail import place_of
from dashboard.notifications.vapid import public_key
from dashboard.pages.notifications.forms import ChoicesForm, DeviceForm
from dashboard.pages.notifications.presenters import choices_context, notices_page
from dashboard.pages.notifications.selectors import own_notices
from dashboard.pages.notifications.services import mark_all_read, mark_read, with_browser_id
from dashboard.web.respond import page
from dashboard.web.signin.middleware import ENTERED
from dashboard.web.signin.sessions import polls

LIST, CHOICES = "notifications/notifications.html", "notifications/choices.html"


@require_GET
@needs(operations_pages.NOTIFICATIONS)
def notifications(request: ActorRequest, business: str) -> HttpResponse:
    """One's own notices, the newest first."""
    only_unread = "unread" in request.GET
    sheet = notices_page(request.actor, request.GET.get("after", ""), unread=only_unread)
    return page(request, LIST, {"sheet": sheet, "only_unread": only_unread})


@require_POST
@needs(operations_pages.NOTIFICATIONS)
def open_notice(request: ActorRequest, business: str, notice_id: UUID) -> HttpResponse:
    """Marks a notice as read and leads to what it is about."""
    notice = get_object_or_404(own_notices(request.actor), pk=notice_id)
    mark_read(notice)
    return redirect(place_of(business, notice.topic, notice.kind, notice.remote_id))


@require_POST
@needs(operations_pages.NOTIFICATIONS)
def read_all(request: ActorRequest, business: str) -> HttpResponse:
    """Marks all of one's own notices as read."""
    mark_all_read(request.actor)
    return redirect("notifications", business)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.NOTIFICATIONS)
def choices(request: ActorRequest, business: str) -> HttpResponse:
    """The topics that one is notified of, through which channel, and when the daily mail comes."""
    membership = Membership.objects.select_related("business", "user").get(pk=request.actor.member_id)
    form = (
        ChoicesForm(request.POST)
        if request.method == "POST"
        else ChoicesForm(initial=ChoicesForm.initial_for(membership))
    )
    if not form.is_valid():
        context = choices_context(request.actor, membership, form, browser_id_of(request))
        return page(request, CHOICES, context, status=422 if request.method == "POST" else 200)
    form.save(membership)
    choose(membership, enabled=form.cleaned_data["digest"], hour=form.cleaned_data["hour"])
    messages.success(request, "Notification settings saved.")
    return redirect("notifications_choices", business)


@require_POST
@needs(operations_pages.NOTIFICATIONS)
def add_own_device(request: ActorRequest, business: str) -> HttpResponse:
    """Turns push notifications on in this browser; the sentence says why where they stay off."""
    form, browser_id = DeviceForm(request.POST), browser_id_of(request) or new_browser_id()
    response = redirect("notifications_choices", business)
    if not public_key() or not form.is_valid():
        messages.error(request, form.refusal() if public_key() else "No push notifications are sent here.")
        return response
    agent = request.headers.get("User-Agent", "")
    if not add_device(request.actor, form.subscription(), form.host, browser_id=browser_id, user_agent=agent):
        messages.error(request, f"You have {MOST_DEVICES} devices already. Remove one first.")
        return response
    messages.success(request, "Push notifications are on for this device.")
    return with_browser_id(response, browser_id)


@require_POST
@needs(operations_pages.NOTIFICATIONS)
def remove_own_device(request: ActorRequest, business: str, device_id: UUID) -> HttpResponse:
    """Turns push notifications off on one of one's own devices."""
    device = get_object_or_404(own_devices(request.actor), pk=device_id)
    device.delete()
    messages.success(request, f"Push notifications are off for {device.label}.")
    return redirect("notifications_choices", business)


@polls
@require_GET
@needs(operations_pages.NOTIFICATIONS)
def count(request: ActorRequest, business: str) -> JsonResponse:
    """How many are unread, counted: asked only when the bell does not know."""
    return JsonResponse({"unread": recount(request.actor.member_id)})


@polls
@require_GET
@public
def bell(request: HttpRequest, slug: str) -> HttpResponse:
    """How many are unread, as it is kept in the cache: no query but the session's. null where it has to be counted.

    Who may ask is known from the session, which has entered the business before; 404 for any other.
    """
    user_id = request.session.get("_auth_user_id")
    if user_id is None:
        return to_sign_in(request)
    business_id = request.session.get(ENTERED, {}).get(slug)
    if business_id is None:
        raise Http404("not a business that this session has entered")
    return JsonResponse({"unread": cached_count(business_id, user_id)})
