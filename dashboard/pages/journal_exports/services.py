"""What is changed: an export begun, and mappings stored."""

import zlib
from collections.abc import Mapping as Mapped
from collections.abc import Sequence
from datetime import date

from django.db import transaction

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.journal_exports.journal import Target
from dashboard.journal_exports.models import JournalExport, JournalExportFile, Mapping


def start_export(actor: Actor, key: str, first: date, last: date, formats: Sequence[str]) -> tuple[JournalExport, bool]:
    """Writes an export down before anything is asked for, and whether it is a new one: the same form twice is the same."""
    row, is_new = JournalExport.objects.get_or_create(
        business=actor.business,
        key=key,
        defaults={
            "first_day": first, "last_day": last, "formats": list(formats), "mapping": {},
            "created_by_id": actor.member_id,
        },
    )  # fmt: skip
    return row, is_new


def content_of(file: JournalExportFile) -> bytes:
    """The file as it was written."""
    return zlib.decompress(bytes(file.packed))


def save_mappings(actor: Actor, source: str, targets: Mapped[str, Target]) -> int:
    """Stores what these are called; one with an empty code is not mapped any more. How many have changed."""
    changed: dict[str, str] = {}
    with transaction.atomic():
        rows = Mapping.objects.select_for_update(no_key=True).filter(business=actor.business, source=source)
        stored = {row.source_id: row for row in rows}
        for source_id, target in targets.items():
            row = stored.get(source_id)
            if target == (Target(row.code, row.name) if row else Target("")):
                continue
            changed[source_id] = target.code or "not mapped"
            if not target.code:
                if row is not None:
                    row.delete()
            else:
                Mapping.objects.update_or_create(
                    business=actor.business, source=source, source_id=source_id,
                    defaults={"code": target.code, "name": target.name},
                )  # fmt: skip
        if changed:
            record(
                actor, operations_extra.CREATE_JOURNAL_EXPORT, None, Outcome.DONE,
                sentence=f"changed {len(changed)} mappings of journal exports ({source})", after=changed,
            )  # fmt: skip
    return len(changed)
