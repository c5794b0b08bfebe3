"""The items of a person's or a period's pack: what is the person's own, and what decisions and lines are about, as many as a pack can
hold, and the others named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dashboard.access.actor import Actor
from dashboard.evidence.current_rows import CurrentRows, ReadBudget, current_rows
from dashboard.evidence.decision_records import DecisionRecord
from dashboard.evidence.item_evidence import evidence_key
from dashboard.evidence.item_records import DECIDED_ITEM, NAMED_ITEM, OWN_ITEM, OmittedItem, item_record
from dashboard.evidence.own_items import BELONGS, OwnItems, own_rows
from dashboard.evidence.pack_archive import PackArchive
from dashboard.evidence.pack_documents import PackDocuments
from dashboard.mirror.item_kinds import ITEM_KINDS

# So many that could not be read are named in the notes; the manifest names all.
MOST_ITEMS, MOST_UNREAD = 200, 50
# What money moves by, and who is paid: rows of people, teams and settings are no items of a pack.
KINDS = frozenset({
    "expense", "transaction", "bill", "bill_payment", "approval", "payout", "card_order", "card_request", "fund_opt_in",
    "hand_transaction", "vendor",
})  # fmt: skip
TOO_MANY = "This pack holds {most} items at most, those that were decided on first."
NOT_COPIED = "The copy of the finance service's data has no such thing that whoever made this pack may see."
MORE_UNREAD = "{count:,} more items could not be read: the manifest names each with the reason."
OMITTED = (
    "{count:,} of the items that these decisions and lines are about are not in this pack: the manifest names them."
)


@dataclass
class CollectedItems:
    """What is collected for a pack: its items go into the archive as they come, with their documents; those that it does not have,
    and what was not read, in sentences."""

    actor: Actor
    beat: Callable[[], None]
    archive: PackArchive
    documents: PackDocuments
    known: set[tuple[str, str]] = field(default_factory=set)
    omitted: list[OmittedItem] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """What was not read and what is not in the pack, in sentences, each once."""
        notes = [*self.unread[:MOST_UNREAD], *self.others, *self.documents.notes]
        if len(self.unread) > MOST_UNREAD:
            notes.append(MORE_UNREAD.format(count=len(self.unread) - MOST_UNREAD))
        if self.omitted:
            notes.append(OMITTED.format(count=len(self.omitted)))
        return [*dict.fromkeys(notes)]

    @classmethod
    def begin(cls, actor: Actor, beat: Callable[[], None], archive: PackArchive) -> CollectedItems:
        """The collection of a pack before the first item, whose documents go into the same archive."""
        return cls(actor, beat, archive, PackDocuments(actor, beat, archive, ReadBudget()))

    def add_own(self, owned: OwnItems, policies_at: Callable[[datetime], str]) -> None:
        """Takes in what a person spent, entered and asked for, with the moment whose policies were in force at each; what it reads
        live is counted by itself, and documents apart: many transactions leave none of their receipts out."""
        self.documents.budget, read_budget = ReadBudget(), ReadBudget()
        reasons = owned.reasons()
        for at, current in own_rows(self.actor, owned, self.beat, read_budget, self.known):
            self._add(current, OWN_ITEM, policies_at(at), reasons)

    def add_subjects(self, decisions: Iterable[DecisionRecord]) -> None:
        """Takes in each item that these and the lines of the archive are about, those that were decided on first, with what belongs to it."""
        self.documents.budget = read_budget = ReadBudget()
        count = 0
        for kind, remote_id, included_as in _subjects(decisions, self.archive.line_subjects):
            if (kind, remote_id) in self.known:
                continue
            if count >= MOST_ITEMS:
                self.omitted.append({"item": f"{kind}/{remote_id}", "why": TOO_MANY.format(most=MOST_ITEMS)})
                continue
            count += 1
            self.beat()
            current = current_rows(self.actor, kind, remote_id, self.beat, read_budget)
            self._add(current, included_as)
            if not current.rows:
                self.omitted.append({"item": f"{kind}/{remote_id}", "why": NOT_COPIED})

    def _add(
        self,
        current: CurrentRows,
        included_as: str,
        policies_at: str = "",
        reasons: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        """`reasons` says of what is a person's own why it is, by kind and id; what is with it belongs to the first row."""
        new = [row for row in current.rows if evidence_key(row) not in self.known]
        self.known.update(map(evidence_key, new))
        for row in new:
            because = ""
            if reasons is not None:
                belongs = BELONGS.format(item="/".join(evidence_key(current.rows[0])))
                because = reasons.get(evidence_key(row), belongs)
            self.archive.add_item(item_record(row, current, included_as, policies_at=policies_at, own_because=because))
        unread = set(current.unread.values())
        self.unread.extend(note for note in current.notes if note in unread)
        self.others.extend(note for note in current.notes if note not in unread)
        self.documents.add(new)


def _subjects(
    decisions: Iterable[DecisionRecord], line_subjects: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """Kind and id of each item and why it is in the pack, in the order of the decisions and then of the lines, once."""
    about = {decision["about"].partition("/")[::2]: DECIDED_ITEM for decision in decisions}
    for subject in line_subjects:
        about.setdefault(subject, NAMED_ITEM)
    for (kind, remote_id), included_as in about.items():
        # The line of what was entered here was written before it had an id.
        if remote_id and kind in KINDS and kind in ITEM_KINDS:
            yield kind, remote_id, included_as
