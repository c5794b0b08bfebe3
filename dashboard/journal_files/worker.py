"""Long exports carried on by a worker that may be killed at any moment: whoever takes over goes on from where it stands.

The lines are claimed under the export's own key, and all its files are written in one transaction: nothing is done twice.
"""

import uuid
from datetime import timedelta

import structlog
from django.db.models import Q
from django.utils import timezone

from dashboard import worker_lease
from dashboard.access.actor import Actor
from dashboard.commands.journal_exports import NOTHING_CLAIMED
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import FinanceError, NotAllowed, TooMany, Unavailable, Unknown
from dashboard.journal_exports.models import JournalExport
from dashboard.journal_files.writer import carry_on
from dashboard.worker_lease import LeaseLostError, claim, is_free, release, renew, revoke

log = structlog.get_logger(__name__)

TASK, WAITS_S = "dashboard.journal_files.write", 600
# More lines than these are nothing that a person waits for.
BACKGROUND_LINES = 5_000
# Longer than reading a page of lines, and than making the files of the longest export.
LOST_AFTER = timedelta(seconds=180)
# What was put off is tried again at the next look, as its page says: within a minute.
TRIED_AGAIN_AFTER = timedelta()
ABANDONED_AFTER = timedelta(hours=2)
NOT_FINISHED = "It was not finished within two hours."


def hand_over(row: JournalExport, actor: Actor) -> None:
    """Has a worker carry an export on as the actor: the page of the export says how far it is."""
    now = timezone.now()
    row.waits_since, row.trouble, row.lease_id, row.heartbeat_at = now, "", None, now
    row.carried_by_id, row.is_refused = actor.member_id, False
    row.save(update_fields=["waits_since", "trouble", "lease_id", "heartbeat_at", "carried_by", "is_refused"])
    enqueue_on_commit(TASK, str(row.pk), expires_s=WAITS_S)


def run(export_id: uuid.UUID | str) -> bool:
    """Carries an export on; True where its files are written, False where it is not its turn, or was not possible."""
    rows = JournalExport.objects.select_related(
        "business", "created_by__user", "created_by__business", "carried_by__user", "carried_by__business"
    )
    row = claim(rows, export_id, Q(waits_since__isnull=False), lost_after=LOST_AFTER)
    if row is None:
        return False
    try:
        return _write(row)
    except LeaseLostError:
        # Also where it is put off or over: another worker has it.
        return False


def _write(row: JournalExport) -> bool:
    try:
        carry_on(_actor_of(row), row, lambda count: renew(row, lines_read=count))
        release(row, waits_since=None, trouble="")
    except (Unavailable, TooMany, Unknown) as trouble:
        log.warning("journal export waits", export=str(row.pk), trouble=type(trouble).__name__)
        is_over = row.waits_since is None or row.waits_since < timezone.now() - ABANDONED_AFTER
        _end(row, trouble, is_over=is_over)
        return False
    except FinanceError as refusal:
        _end(row, refusal, is_over=True, is_refused=not row.remote_id and refusal.code in NOTHING_CLAIMED)
        return False
    return True


def _actor_of(row: JournalExport) -> Actor:
    """Whoever had it continued. As long as no answer has told which lines it claimed, whoever began it: another person is
    refused under the same key."""
    if row.remote_id and row.carried_by is not None:
        return Actor.for_membership(row.carried_by, fresh=True)
    try:
        return Actor.for_membership(row.created_by, fresh=True)
    except NotAllowed:
        raise NotAllowed(
            f"Only {row.created_by.user}, who began this export, can ask whether its lines were exported, and they can no "
            "longer enter. Undo it, where the list shows it, or export the days anew."
        ) from None


def _end(row: JournalExport, trouble: FinanceError, *, is_over: bool, is_refused: bool = False) -> None:
    ended: dict[str, object] = {"waits_since": None, "is_refused": is_refused} if is_over else {}
    release(row, trouble=trouble.on_form[:400], **ended)


def has_unfinished() -> bool:
    """Whether any export is unfinished: one of which a worker may have been lost."""
    return JournalExport.objects.filter(waits_since__isnull=False).exists()


def lost() -> list[str]:
    """Ids of the exports whose worker was lost, or which wait for another try. One that has waited too long is given up, so
    that a person can have it continued: whatever ends its workers would end the next one, too."""
    waiting = JournalExport.objects.filter(waits_since__isnull=False)
    too_old = waiting.filter(is_free(LOST_AFTER), waits_since__lt=timezone.now() - ABANDONED_AFTER)
    revoke(too_old, waits_since=None, trouble=NOT_FINISHED)
    return worker_lease.lost(waiting, lost_after=LOST_AFTER, again_after=TRIED_AGAIN_AFTER)
