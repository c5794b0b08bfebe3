"""Replays: the list, and one with how far it is and what came of it; left and found again."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.policies.presenters.replays import replay_context, replays_context
from dashboard.policies.models import Replay
from dashboard.policies.replays import cancel_replay, visible_replays
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

REPLAY = "policies/replay.html"


@require_GET
@needs(operations.READ_POLICY)
def replays(request: ActorRequest, business: str) -> HttpResponse:
    """The replays of the business, the newest first."""
    return page(request, "policies/replays.html", replays_context(request.actor))


@require_GET
@needs(operations.READ_POLICY)
def replay(request: ActorRequest, business: str, replay_id: UUID) -> HttpResponse:
    """One replay: how far it is, and once it is done what would have gone another way."""
    return _render(request, replay_id)


@polls
@require_GET
@needs(operations.READ_POLICY)
def progress(request: ActorRequest, business: str, replay_id: UUID) -> HttpResponse:
    """How far it is by now: the page asks by itself while it is under way."""
    return _render(request, replay_id)


def _render(request: ActorRequest, replay_id: UUID) -> HttpResponse:
    row: Replay = get_object_or_404(visible_replays(request.actor), pk=replay_id)
    context = replay_context(request.actor, row, request.GET.get("only", ""), request.GET.get("page"))
    return page(request, REPLAY, context, fragments=("result",))


@require_POST
@needs(operations.READ_POLICY)
def stop(request: ActorRequest, business: str, replay_id: UUID) -> HttpResponse:
    """Stops a replay: whoever began it may."""
    row: Replay = get_object_or_404(visible_replays(request.actor), pk=replay_id)
    if cancel_replay(request.actor, row):
        messages.success(request, "The replay is stopped.")
    return redirect("policies_replay", business, replay_id)
