"""The items that the decisions and the lines of a person's or a period's pack are about: as many as a pack can hold, and the others named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dashboard.access.actor import Actor
from dashboard.evidence.audit_lines import SealedLine
from dashboard.evidence.current_rows import ReadBudget, current_rows
from dashboard.evidence.decision_records import DecisionRecord
from dashboard.evidence.item_evidence import evidence_key
from dashboard.evidence.item_records import ItemRecord, OmittedItem, item_record
from dashboard.evidence.pack_documents import PackDocuments
from dashboard.mirror.item_kinds import ITEM_KINDS
from dashboard.mirror.models import Mirrored

MOST_ITEMS = 200
# What money moves by, and who is paid: rows of people, teams and settings are no items of a pack.
KINDS = frozenset({
    "expense", "transaction", "bill", "bill_payment", "approval", "payout", "card_order", "card_request", "fund_opt_in",
    "hand_transaction", "vendor",
})  # fmt: skip
TOO_MANY = "This pack holds {most} items at most, those that were decided on first."
NOT_COPIED = "The copy of the finance service's data has no such thing that whoever made this pack may see."
OMITTED = (
    "{count:,} of the items that these decisions and lines are about are not in this pack: the manifest names them."
)


@dataclass
class CollectedItems:
    """The items of a pack with their documents, those that it does not have, and what was not read, in sentences."""

    documents: PackDocuments
    items: list[ItemRecord] = field(default_factory=list)
    omitted: list[OmittedItem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def collect_items(
    actor: Actor, decisions: Iterable[DecisionRecord], lines: Iterable[SealedLine], beat: Callable[[], None]
) -> CollectedItems:
    """Each item that these are about, those that were decided on first, with what belongs to it and its documents."""
    read_budget = ReadBudget()
    collected, collected_keys = CollectedItems(PackDocuments(actor, beat, read_budget)), set[tuple[str, str]]()
    count = 0
    for kind, remote_id in _subjects(decisions, lines):
        if (kind, remote_id) in collected_keys:
            continue
        if count >= MOST_ITEMS:
            collected.omitted.append({"item": f"{kind}/{remote_id}", "why": TOO_MANY.format(most=MOST_ITEMS)})
            continue
        count += 1
        beat()
        rows = _collect(actor, kind, remote_id, beat, read_budget, collected, collected_keys)
        if not rows:
            collected.omitted.append({"item": f"{kind}/{remote_id}", "why": NOT_COPIED})
    collected.notes = [*dict.fromkeys([*collected.notes, *collected.documents.notes])]
    if collected.omitted:
        collected.notes.append(OMITTED.format(count=len(collected.omitted)))
    return collected


def _collect(
    actor: Actor,
    kind: str,
    remote_id: str,
    beat: Callable[[], None],
    read_budget: ReadBudget,
    collected: CollectedItems,
    collected_keys: set[tuple[str, str]],
) -> Sequence[Mirrored]:
    current = current_rows(actor, kind, remote_id, beat, read_budget)
    new = [row for row in current.rows if evidence_key(row) not in collected_keys]
    collected_keys.update(map(evidence_key, new))
    collected.items.extend(item_record(row, current) for row in new)
    collected.notes.extend(current.notes)
    collected.documents.add(new)
    return current.rows


def _subjects(decisions: Iterable[DecisionRecord], lines: Iterable[SealedLine]) -> Iterator[tuple[str, str]]:
    """Kind and id of each item, in the order of the decisions and then of the lines, once."""
    about = [decision["about"].partition("/")[::2] for decision in decisions]
    about += [(str(row["line"]["object_type"]), str(row["line"]["object_id"])) for row in lines]
    yield from dict.fromkeys((kind, remote_id) for kind, remote_id in about if kind in KINDS and kind in ITEM_KINDS)
