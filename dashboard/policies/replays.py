"""Replays of a draft: begun by a person, found again, stopped; what weighs them is replay_run.py."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TypeAlias, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from dashboard import operations, worker_lease
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import Rejected
from dashboard.policies import models
from dashboard.policies.models import Replay, ReplayDraft, ReplayState
from dashboard.schemas.base import JsonObject
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.workflows import Workflow
from dashboard.worker_lease import revoke, stale

DAYS = 90
LOST_AFTER = timedelta(seconds=60)
LIFETIME = timedelta(days=90)
MOST_TRIES = 3
MOST_UNFINISHED = 3
# What is drafted: what spend is judged by, or what it is approved by.
Governing: TypeAlias = SpendPolicy | Workflow


def visible_replays(actor: Actor) -> QuerySet[Replay]:
    """All of the business, for those whose role reads policies: it says of people and teams what they spent."""
    rows = Replay.objects.filter(business=actor.business).select_related("membership__user")
    return rows if can_open(actor, operations.READ_POLICY) else rows.none()


class TypedForm(TypedDict):
    """The form that a draft was typed into: the address it is posted to, and its fields as `typed_fields` gives them."""

    address: str
    fields: list[list[str]]


def change_digest(target_type: str, before: Governing | None, after: Governing | None) -> str:
    """What names a change: 64 characters, the same for the same change of the same version."""
    text = json.dumps([target_type, _stored(before), _stored(after)], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _stored(governing: Governing | None) -> JsonObject | None:
    return None if governing is None else governing.model_dump(mode="json", by_alias=True)


def replay_of(actor: Actor, digest: str) -> Replay | None:
    """The newest replay of a change that was not stopped; None where there is none."""
    rows = visible_replays(actor).filter(digest=digest).exclude(state__in=(ReplayState.CANCELLED, ReplayState.FAILED))
    newest: Replay | None = rows.order_by("-created_at").first()
    return newest


def start(
    actor: Actor, *, target_type: str, title: str, sentences: Sequence[str], before: Governing | None,
    after: Governing | None, form: TypedForm,
) -> Replay:  # fmt: skip
    """Queues a replay of a change over the last 90 days, of a policy or a workflow as it is (`before`) and as it would be
    (`after`), None where there is none; the same one that is unfinished already is answered. Rejected where too many of the person's are under way."""
    digest = change_digest(target_type, before, after)
    mine = Replay.objects.filter(membership_id=actor.member_id, state__in=models.UNFINISHED)
    same = mine.filter(digest=digest).first()
    if same is not None:
        return same
    if mine.count() >= MOST_UNFINISHED:
        raise Rejected(
            f"{MOST_UNFINISHED} replays are already under way: wait until one has finished.", code="too_many"
        )
    last = timezone.now().astimezone(ZoneInfo(actor.business.time_zone)).date()
    replay = Replay.objects.create(
        business=actor.business,
        membership_id=actor.member_id,
        title=title[:200],
        sentences=list(sentences),
        draft=ReplayDraft(target_type=target_type, before=_stored(before), after=_stored(after)),
        digest=digest,
        form=dict(form),
        first_day=last - timedelta(days=DAYS - 1),
        last_day=last,
    )
    enqueue_on_commit("dashboard.policies.replay", str(replay.pk), expires_s=600)
    return replay


def cancel_replay(actor: Actor, replay: Replay) -> bool:
    """Stops a replay that is not finished: whoever began it may. False where it was over already."""
    mine = Replay.objects.filter(pk=replay.pk, membership_id=actor.member_id, state__in=models.UNFINISHED)
    return bool(revoke(mine, state=ReplayState.CANCELLED, finished_at=timezone.now()))


def has_unfinished() -> bool:
    """Whether any replay is unfinished: one of which a worker may have been lost."""
    return Replay.objects.filter(state__in=models.UNFINISHED).exists()


def lost() -> list[str]:
    """Those that no worker has begun or gone on with for a minute; one that was tried three times is given up."""
    replays = Replay.objects.filter(state__in=models.UNFINISHED)
    revoke(
        stale(replays, lost_after=LOST_AFTER).filter(attempts__gte=MOST_TRIES),
        state=ReplayState.FAILED, trouble="Three attempts were interrupted.", finished_at=timezone.now(),
    )  # fmt: skip
    return worker_lease.lost(replays, lost_after=LOST_AFTER)


def forget_old() -> int:
    """Deletes what is older than 90 days: how many."""
    deleted, _ = Replay.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()
    return deleted


def typed_fields(pairs: Iterable[tuple[str, Sequence[str]]]) -> list[list[str]]:
    """What was typed into a form, as a replay stores it: [name, value] for each value."""
    return [[name, value] for name, values in pairs for value in values]
