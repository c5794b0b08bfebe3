"""Makes packs in a worker that may be killed at any moment: the state is a row, and whoever makes one holds a `run`."""

from __future__ import annotations

import uuid
from datetime import timedelta
from hashlib import sha256
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import FinanceError, TooMany, Unavailable
from dashboard.evidence.contents import make
from dashboard.evidence.models import EvidencePack, PackState
from dashboard.evidence.services import OPERATION, pack_subject
from dashboard.operations_pages import AUDIT_LOG

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=120)
FILES_LIFETIME = timedelta(days=30)
MOST_TRIES = 3


class StoppedError(Exception):
    """Another worker has taken it over."""


def run(pack_id: uuid.UUID | str) -> bool:
    """Makes one pack, as whoever asked for it, as they stand now; False where another worker has it or it is over."""
    pack = _claim(pack_id)
    if pack is None:
        return False
    try:
        _make(pack)
    except StoppedError:
        # Also where it ends or is put off: another worker has it.
        return False
    return True


def _make(pack: EvidencePack) -> None:
    try:
        actor = Actor.for_membership(pack.membership, fresh=True)
        check_open(actor, AUDIT_LOG)
        packed = make(actor, pack, lambda: _beat(pack))
        digest = sha256(packed.manifest.encode()).hexdigest()
        with transaction.atomic():
            _end(
                pack, PackState.DONE, content=packed.content, manifest=packed.manifest, file_count=packed.file_count,
                line_count=packed.line_count, trouble="",
            )  # fmt: skip
            # The audit is chained and anchored outside: the manifest cannot be exchanged for another later.
            record(
                actor, OPERATION, pack_subject(pack), Outcome.DONE, sentence=f"made an evidence pack of {pack.title}"[:500],
                after={"manifest (SHA-256)": digest, "files": packed.file_count, "audit lines": packed.line_count},
            )  # fmt: skip
    except (Unavailable, TooMany) as away:
        _put_off(pack, away)
    except FinanceError as refusal:
        _end(pack, PackState.FAILED, trouble=refusal.user_message[:300])


def _claim(pack_id: uuid.UUID | str) -> EvidencePack | None:
    now = timezone.now()
    free = Q(state=PackState.QUEUED) | Q(state=PackState.RUNNING, heartbeat_at__lt=now - LOST_AFTER)
    claimed = EvidencePack.objects.filter(free, pk=pack_id, attempts__lt=MOST_TRIES).update(
        state=PackState.RUNNING, run=uuid.uuid4(), attempts=F("attempts") + 1, heartbeat_at=now
    )
    rows = EvidencePack.objects.select_related("business", "membership__user", "membership__business").defer("content")
    return rows.get(pk=pack_id) if claimed else None


def _mine(pack: EvidencePack) -> Any:
    return EvidencePack.objects.filter(pk=pack.pk, run=pack.run, state=PackState.RUNNING)


def _beat(pack: EvidencePack) -> None:
    if not _mine(pack).update(heartbeat_at=timezone.now()):
        raise StoppedError


def _end(pack: EvidencePack, state: PackState, **more: Any) -> None:
    if not _mine(pack).update(state=state, run=None, finished_at=timezone.now(), **more):
        raise StoppedError


def _put_off(pack: EvidencePack, away: FinanceError) -> None:
    """Tried again later, or given up with the reason."""
    if pack.attempts >= MOST_TRIES:
        _end(pack, PackState.FAILED, trouble=away.user_message[:300])
        return
    log.warning("evidence pack waits", pack=str(pack.pk), trouble=type(away).__name__)
    _mine(pack).update(state=PackState.QUEUED, run=None, heartbeat_at=timezone.now(), trouble=away.detail[:300])


def lost() -> list[str]:
    """Packs that no worker has begun or gone on with; those that were tried three times are given up."""
    old = timezone.now() - LOST_AFTER
    queued = Q(state=PackState.QUEUED, created_at__lt=old) & (Q(heartbeat_at=None) | Q(heartbeat_at__lt=old))
    stale = EvidencePack.objects.filter(queued | Q(state=PackState.RUNNING, heartbeat_at__lt=old))
    stale.filter(attempts__gte=MOST_TRIES).update(
        state=PackState.FAILED,
        run=None,
        trouble="It was started three times and not finished.",
        finished_at=timezone.now(),
    )
    return [str(pk) for pk in stale.filter(attempts__lt=MOST_TRIES).values_list("pk", flat=True)[:20]]


def forget_old() -> int:
    """Deletes the files of packs older than 30 days: how many. Their manifests stay."""
    old = EvidencePack.objects.filter(state=PackState.DONE, finished_at__lt=timezone.now() - FILES_LIFETIME)
    return old.update(state=PackState.EXPIRED, content=b"")
