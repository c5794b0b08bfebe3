"""What is changed: an export begun, and mappings stored."""

import zlib
from collections.abc import Mapping as Mapped
from collections.abc import Sequence
from datetime import date

from django.db import transaction

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict
from dashboard.journal_exports.mapped_lines import MappedCode
from dashboard.journal_exports.models import JournalExport, JournalExportFile, Mapping
from dashboard.journal_files.mappings import correctable_exports, mappings_of

CHANGED_MEANWHILE = "Somebody has changed these mappings since you opened the page: nothing was stored."


def start_export(actor: Actor, key: str, first: date, last: date, formats: Sequence[str]) -> tuple[JournalExport, bool]:
    """Writes an export down before anything is asked for, and whether it is a new one: the same form twice is the same."""
    row, is_new = JournalExport.objects.get_or_create(
        business=actor.business,
        key=key,
        defaults={
            "first_day": first, "last_day": last, "formats": list(formats), "mapping": {},
            "created_by_id": actor.member_id, "correctable": correctable_exports(actor),
        },
    )  # fmt: skip
    return row, is_new


def content_of(export_file: JournalExportFile) -> bytes:
    """The file as it was written."""
    return zlib.decompress(bytes(export_file.packed))


def save_mappings(actor: Actor, source: str, targets: Mapped[str, MappedCode], seen: str = "") -> int:
    """Stores what these are called; one with an empty code is not mapped any more. How many have changed.

    Conflict, and nothing is stored, where the source's mappings are not those that `seen` is the digest of any more."""
    changed: dict[str, str] = {}
    before: dict[str, str] = {}
    with transaction.atomic():
        # One at a time: what is compared stays so until it is stored.
        Business.objects.select_for_update(no_key=True, of=("self",)).get(pk=actor.business.pk)
        rows = Mapping.objects.select_for_update(no_key=True).filter(business=actor.business, source=source)
        stored = {row.source_id: row for row in rows}
        if seen and seen != mappings_of(actor).digest(source):
            raise Conflict(CHANGED_MEANWHILE, code="changed_meanwhile")
        for source_id, target in targets.items():
            row = stored.get(source_id)
            if target == (MappedCode(row.code, row.name) if row else MappedCode("")):
                continue
            changed[source_id] = target.code or "not mapped"
            before[source_id] = row.code if row else "not mapped"
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
                actor, operations_accounting.CREATE_JOURNAL_EXPORT, None, Outcome.DONE,
                sentence=f"changed {len(changed)} mappings of journal exports ({source})", before=before, after=changed,
            )  # fmt: skip
    return len(changed)
