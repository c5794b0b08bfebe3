"""From a typed change to its preview, its replay, or its being made or proposed."""

from collections.abc import Callable
from dataclasses import replace

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from dashboard.access.actor import ActorRequest
from dashboard.pages.policies.forms.reach import REACH, reaches_waiting
from dashboard.pages.policies.presenters.previews import GovernedPreview
from dashboard.policies import replays
from dashboard.web import change_steps
from dashboard.web.change_steps import Again, is_sent, preview_or_submit, render_form

REPLAY = "replay"


def proceed(request: ActorRequest, preview: GovernedPreview, form: forms.Form, again: Again) -> HttpResponse:
    """The preview of a valid change, its replay where that was asked for, or the change itself once it is confirmed."""
    if request.POST.get("step") != REPLAY:
        return preview_or_submit(request, preview, form, again)
    typed = [(name, request.POST.getlist(name)) for name in request.POST if name not in change_steps.OWN]
    replay = replays.start(
        request.actor, target_type=preview.target_type, title=preview.title, sentences=preview.sentences,
        before=preview.before, after=preview.after,
        form={"address": request.get_full_path(), "fields": replays.typed_fields(typed)},
    )  # fmt: skip
    return redirect("policies_replay", request.actor.business.slug, replay.pk)


def proceed_with_reach(
    request: ActorRequest, form: forms.Form, preview_of: Callable[..., GovernedPreview]
) -> HttpResponse:
    """The same for what ends a policy or a workflow. Where something waits that it can hold for as well, that is chosen first,
    in a form of `offer_reach`; `preview_of` gives the preview, also with `also_waiting`."""
    if REACH not in form.fields:
        return proceed_at_once(request, preview_of())
    is_chosen = is_sent(request) and form.is_valid()
    preview = preview_of(also_waiting=is_chosen and reaches_waiting(form))

    def again(reach_form: forms.Form) -> HttpResponse:
        return render_form(request, reach_form, preview.heading, preview.title, preview.leave, preview.trouble)

    return proceed(request, replace(preview, has_form=True), form, again) if is_chosen else again(form)


def proceed_at_once(request: ActorRequest, preview: GovernedPreview) -> HttpResponse:
    """The same for a change without fields of its own: where nothing would change, the way back, with a word."""

    def leave(_: forms.Form) -> HttpResponse:
        messages.info(request, "There are no changes: it is already so.")
        return redirect(preview.leave)

    return proceed(request, preview, forms.Form({}), leave)
