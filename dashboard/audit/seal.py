"""The sealer: numbers and hashes committed lines, per business, a moment after they were written.

Never in the writer's transaction: a number taken there would make all writers of a business wait for each other.
"""

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.audit.chain import FIRST, link
from dashboard.audit.models import AuditEntry, AuditHead, AuditSeal, AuditWaiting

log = structlog.get_logger(__name__)

AT_ONCE = 1000


def seal_waiting() -> int:
    """Seals what waits in every chain; how many lines were sealed. Several may run: a chain has one sealer at a time."""
    sealed = 0
    for chain in AuditWaiting.objects.order_by().values_list("chain", flat=True).distinct():
        try:
            while (done := seal_chain(chain)) == AT_ONCE:
                sealed += done
            sealed += done
        except IntegrityError:
            # Somebody wrote a link where the next one belongs: verify names it, and the other chains go on.
            log.exception("chain cannot be sealed", chain=chain)
    return sealed


def seal_chain(chain: int) -> int:
    """Seals up to a thousand waiting lines of one chain; how many. 0 also where somebody else is sealing it."""
    AuditHead.objects.get_or_create(chain=chain)
    with transaction.atomic():
        head = AuditHead.objects.select_for_update(skip_locked=True).filter(chain=chain).first()
        if head is None:
            return 0
        waiting = AuditWaiting.objects.filter(chain=chain).order_by("entry_id").values_list("entry_id", flat=True)
        ids = list(waiting[:AT_ONCE])
        entries = AuditEntry.objects.filter(pk__in=ids, seal__isnull=True).order_by("pk")
        now, seals = timezone.now(), []
        for entry in entries:
            head.number += 1
            head.hash = link(head.hash or FIRST, head.number, entry)
            seals.append(AuditSeal(chain=chain, number=head.number, entry=entry, hash=head.hash, sealed_at=now))
        AuditSeal.objects.bulk_create(seals)
        AuditWaiting.objects.filter(pk__in=ids).delete()
        head.save(update_fields=["number", "hash"])
    return len(ids)
