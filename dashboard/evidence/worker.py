"""Makes packs in a worker that may be killed at any moment: the state is a row, and whoever makes one holds its lease."""

from __future__ import annotations

import uuid
from datetime import timedelta
from hashlib import sha256

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from dashboard import worker_lease
from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import FinanceError, TooMany, Unavailable
from dashboard.evidence.contents import make
from dashboard.evidence.models import UNFINISHED, EvidencePack, PackState
from dashboard.evidence.services import OPERATION, pack_subject
from dashboard.operations_pages import AUDIT_LOG
from dashboard.worker_lease import LeaseLostError, claim, release, renew, revoke, stale

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=120)
FILES_LIFETIME = timedelta(days=30)
MOST_TRIES = 3


def run(pack_id: uuid.UUID | str) -> bool:
    """Makes one pack, as whoever asked for it, as they stand now; False where another worker has it or it is over."""
    pack = _claimed(pack_id)
    if pack is None:
        return False
    try:
        _make(pack)
    except LeaseLostError:
        # Also where it ends or is put off: another worker has it.
        return False
    return True


def _make(pack: EvidencePack) -> None:
    try:
        actor = Actor.for_membership(pack.membership, fresh=True)
        check_open(actor, AUDIT_LOG)
        packed = make(actor, pack, lambda: renew(pack))
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


def _claimed(pack_id: uuid.UUID | str) -> EvidencePack | None:
    rows = EvidencePack.objects.select_related("business", "membership__user", "membership__business").defer("content")
    return claim(
        rows, pack_id, Q(state__in=UNFINISHED), lost_after=LOST_AFTER, most_tries=MOST_TRIES, state=PackState.RUNNING
    )


def _end(pack: EvidencePack, state: PackState, **more: object) -> None:
    release(pack, state=state, finished_at=timezone.now(), **more)


def _put_off(pack: EvidencePack, away: FinanceError) -> None:
    """Tried again later, or given up with the reason."""
    if pack.attempts >= MOST_TRIES:
        _end(pack, PackState.FAILED, trouble=away.user_message[:300])
        return
    log.warning("evidence pack waits", pack=str(pack.pk), trouble=type(away).__name__)
    release(pack, state=PackState.QUEUED, trouble=away.detail[:300])


def has_unfinished() -> bool:
    """Whether any pack is unfinished: one of which a worker may have been lost."""
    return EvidencePack.objects.filter(state__in=UNFINISHED).exists()


def lost() -> list[str]:
    """Packs that no worker has begun or gone on with; those that were tried three times are given up."""
    packs = EvidencePack.objects.filter(state__in=UNFINISHED)
    revoke(
        stale(packs, lost_after=LOST_AFTER).filter(attempts__gte=MOST_TRIES),
        state=PackState.FAILED, trouble="Three attempts did not finish.", finished_at=timezone.now(),
    )  # fmt: skip
    return worker_lease.lost(packs, lost_after=LOST_AFTER)


def forget_old() -> int:
    """Deletes the files of packs older than 30 days: how many. Their manifests stay."""
    old = EvidencePack.objects.filter(state=PackState.DONE, finished_at__lt=timezone.now() - FILES_LIFETIME)
    return old.update(state=PackState.EXPIRED, content=b"")
