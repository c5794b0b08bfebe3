"""The sealer: numbers and hashes committed lines, per business, a moment after they were written.

Never in the writer's transaction: a number taken there would make all writers of a business wait for each other.
"""

import hashlib
from datetime import UTC

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from dashboard.audit.anchors import Anchor, AnchorsUnavailable, append, append_missing, has_store, put
from dashboard.audit.chain import FIRST, link
from dashboard.audit.models import AuditEntry, AuditHead, AuditSeal, AuditWaiting

log = structlog.get_logger(__name__)

BATCH_SIZE = 1000


def has_waiting() -> bool:
    """Whether a committed line of any chain waits for its seal."""
    return AuditWaiting.objects.exists()


def seal_waiting() -> int:
    """Seals what waits in every chain; how many lines were sealed. Several may run: a chain has one sealer at a time."""
    sealed = 0
    for chain in AuditWaiting.objects.order_by().values_list("chain", flat=True).distinct():
        try:
            while (count := seal_chain(chain)) == BATCH_SIZE:
                sealed += count
            sealed += count
        except IntegrityError:
            # Somebody wrote a link where the next one belongs: verify names it, and the other chains go on.
            log.exception("chain cannot be sealed", chain=chain)
    return sealed


def seal_chain(chain: int) -> int:
    """Seals up to a thousand waiting lines of one chain; how many. 0 also where somebody else is sealing it.

    The new head is appended to the anchors once it is committed, never before: an anchor of a head that was rolled
    back would accuse a chain that is whole.
    """
    with transaction.atomic():
        head = _lock_head(chain)
        if head is None:
            return 0
        number, last = head
        waiting = AuditWaiting.objects.filter(chain=chain).order_by("entry_id").values_list("entry_id", flat=True)
        ids = list(waiting[:BATCH_SIZE])
        entries = AuditEntry.objects.filter(pk__in=ids, seal__isnull=True).order_by("pk")
        now, seals = timezone.now(), []
        for entry in entries:
            number += 1
            last = link(last or FIRST, number, entry)
            seals.append(AuditSeal(chain=chain, number=number, entry=entry, hash=last, sealed_at=now))
        AuditSeal.objects.bulk_create(seals)
        AuditWaiting.objects.filter(pk__in=ids).delete()
        if seals:
            _advance_head(chain, number, last)
            head_now = Anchor(chain, number, last, now)
            # What cannot be appended now is appended by the next look at all heads: sealing never waits for it.
            transaction.on_commit(lambda: append([head_now]), robust=True)
    return len(ids)


def _lock_head(chain: int) -> tuple[int, str] | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT head_number, head_hash FROM audit_lock_head(%s)", [chain])
        row = cursor.fetchone()
    return (row[0], row[1]) if row else None


def _advance_head(chain: int, number: int, last: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT audit_advance_head(%s, %s, %s)", [chain, number, last])


def anchor_heads() -> None:
    """Anchors each chain's head where it is not yet: in the file, and once an hour in the store.

    For what the sealer could not append (the disk was full, it died after its commit), and for chains on which
    nothing was written: their head of this hour says that they had not grown. AnchorsUnavailable where a place cannot
    be written; the other one was tried.
    """
    problems = []
    heads = [
        Anchor(head.chain, head.number, head.hash, timezone.now()) for head in AuditHead.objects.filter(number__gt=0)
    ]
    try:
        append_missing(heads)
    except AnchorsUnavailable as problem:
        problems.append(problem)
    if has_store():
        try:
            for head in heads:
                _put(head)
        except AnchorsUnavailable as problem:
            problems.append(problem)
    if problems:
        raise AnchorsUnavailable("; ".join(map(str, problems)))


def _put(head: Anchor) -> None:
    # By the store as well: one that is configured anew has none of what an earlier one has.
    store = hashlib.sha256(settings.AUDIT_ANCHOR_URL.encode()).hexdigest()[:16]
    checked_key = f"audit:anchored:{store}:{head.chain}:{head.at.astimezone(UTC):%Y-%m-%dT%H}"
    if cache.get(checked_key):
        return
    present = put(head)
    if not AuditSeal.objects.filter(chain=head.chain, number=present.number, hash=present.hash).exists():
        # Nothing is repaired here: verify says the same to whoever asks, and what is outside stands.
        log.error("chain is not as it was anchored", chain=head.chain, number=present.number)
    cache.set(checked_key, True, 2 * 60 * 60)
