"""The items of a pack as its files have them: what the service sent of each, the references in it, and its documents."""

from __future__ import annotations

from typing import TypedDict

from dashboard.evidence.current_rows import CurrentRows
from dashboard.evidence.item_evidence import evidence_key, evidence_title
from dashboard.evidence.references import references_of
from dashboard.evidence.rules_in_force import moment_text
from dashboard.mirror.models import Mirrored

# Why an item is in a pack.
PACK_SUBJECT, OWN_ITEM, DECIDED_ITEM, NAMED_ITEM = "subject of the pack", "own", "decided on", "named in the audit log"
NO_READ = "It is not read by itself for a pack, so it is as the copy has it."


class ItemRecord(TypedDict):
    """A row as the finance service sent it, and the references of payments in it. `answered` says whether the service was read for it
    when the pack was made; else it is as the copy has it, last read at `last_read`, and `why_copied` says why. `included_as` is why
    it is in the pack; what belongs to an item is in it as that is. Of a person's own `own_because` says why it is theirs
    ("entered by them", "belongs to bill/…"), else it is "". `policies_at` is the moment of policies.json whose policies were in force
    when it was spent, requested or entered, "" where none is listed for it."""

    kind: str
    id: str
    title: str
    version: int | None
    last_read: str
    included_as: str
    own_because: str
    answered: bool
    why_copied: str
    policies_at: str
    references: list[str]
    data: object


class OmittedItem(TypedDict):
    """An item that a pack of a person or a period is about and does not have, by its kind and id, and why."""

    item: str
    why: str


def item_record(
    row: Mirrored, current: CurrentRows, included_as: str, *, policies_at: str = "", own_because: str = ""
) -> ItemRecord:
    """A row with what belongs into it where that was read: what a payout pays, the movements of an opt-in's fund account."""
    kind, remote_id = evidence_key(row)
    data: dict[str, object] = {**row.payload}
    if remote_id in current.payments:
        data["items"] = [*current.payments[remote_id]]
    if remote_id in current.movements:
        data["movements"] = [*current.movements[remote_id]]
    is_answered = (kind, remote_id) in current.answered
    return {
        "kind": kind, "id": remote_id, "title": evidence_title(row), "version": row.remote_version,
        "last_read": moment_text(row.last_seen), "included_as": included_as, "own_because": own_because, "answered": is_answered,
        "why_copied": "" if is_answered else current.unread.get((kind, remote_id), NO_READ), "policies_at": policies_at,
        "references": references_of(data), "data": data,
    }  # fmt: skip
