"""The files of a pack, by name: what is known of its subject, the lines of the audit, and how a stranger verifies it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from pathlib import Path

from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.audit.verify import Verification, verify
from dashboard.decisions.models import Decision, DecisionState
from dashboard.errors import NotFound
from dashboard.evidence.audit_lines import (
    lines_of_items,
    lines_of_period,
    lines_of_person,
    moments_of,
    sealed,
)
from dashboard.evidence.collected_items import CollectedItems
from dashboard.evidence.current_rows import CurrentRows, ReadBudget, current_rows
from dashboard.evidence.decision_records import DecisionRecord, decision_records
from dashboard.evidence.document import Report, report_pdf
from dashboard.evidence.entered_bills import lines_of_entry
from dashboard.evidence.item_evidence import evidence_key, is_known_kind
from dashboard.evidence.item_records import NO_READ, OWN_ITEM, PACK_SUBJECT, OmittedItem, item_record
from dashboard.evidence.models import EvidencePack, Scope
from dashboard.evidence.moments import EvidenceMoment, listed_moments, moments_of_item
from dashboard.evidence.own_items import OwnItems, own_items
from dashboard.evidence.pack_archive import PackArchive
from dashboard.evidence.pack_documents import DocumentRecord, PackDocuments
from dashboard.evidence.rules_in_force import AuditTrail, Beat, RulesInForce, moment_text, notes_at, rules_at
from dashboard.evidence.rules_of_decisions import rules_of_decisions
from dashboard.mirror.models import Bill
from dashboard.signing.signature import key_fingerprint, sign, signing_key_of

VERSION = 1
SCRIPT = "verify.py"
MANIFEST, SIGNATURE, AUDIT, DOCUMENT = "manifest.json", "manifest.sig", "audit.json", "evidence.pdf"
NO_ITEM = "The copy of the finance service's data has no such thing: the lines of the audit log are all that is known."
NO_MOMENT = "Policies are those in force when this pack was made: it is not known when this was spent, entered, requested or decided."
PACK_MOMENT, PERIOD_END = "this pack was made", "end of the period"
LEFT_OUT = "Documents that are not in this pack, each with the reason in the manifest: {count:,} of {all:,}."
READ_LIVE = "Read at the finance service when this pack was made: {count:,} of {all:,} items."
AS_COPIED = "As the copy of the finance service's data has them, since these are not read by themselves for a pack: {count:,} of {all:,} items."
UNANSWERED = "As the copy has them, since they could not be read, each with the reason in the manifest: {count:,} of {all:,} items."
OWN_ITEMS = (
    "Own items in the days of this pack: expenses {expenses:,}, bills entered {bills:,}, requests {requests:,}, "
    "requests for approval {votes:,}."
)


@dataclass
class Gathered:
    """What a pack holds before it is signed, but for items, documents and lines of the audit, which are in its archive: its sentences of
    what is not in it stand in `notes`."""

    decisions: list[DecisionRecord]
    rules: list[RulesInForce]
    omitted: list[OmittedItem] = field(default_factory=list)
    documents: list[DocumentRecord] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack as it is stored: the ZIP file, its signed manifest, how many files and lines of the audit it has."""

    content: bytes
    manifest: str
    file_count: int
    line_count: int


def script_text() -> str:
    """The script that verifies a pack, as it is in every pack and on its page."""
    return (Path(__file__).parent / SCRIPT).read_text()


def make(actor: Actor, pack: EvidencePack, beat: Beat) -> Packed:
    """Gathers, signs and packs what is known of the subject of a pack; `beat` is called between the steps and may stop it.

    Raises the FinanceError tree: NotFound where nothing is known of the subject, Rejected for more than a pack can hold,
    Unavailable where a document cannot be read now.
    """
    with PackArchive.opened() as archive:
        gathered = GATHERERS[Scope(pack.scope)](actor, pack, beat, archive)
        if not archive.line_rows.count and not archive.items:
            raise NotFound("Nothing is known of this: there is no line of the audit log about it.", code="nothing")
        moments = [datetime.fromisoformat(then["at"]) for then in gathered.rules]
        gathered.notes.extend(dict.fromkeys(note for at in moments for note in notes_at(actor, at)))
        gathered.notes.extend(_counted(gathered, archive))
        beat()
        chain = verify(actor.business, beat)
        _put_in_files(actor, pack, gathered, chain, archive)
        key = signing_key_of(actor.business)
        manifest = _manifest(actor, pack, gathered, chain, archive, key_fingerprint(key.public_key))
        beat()
        signature = sign(actor.business, manifest.encode())
        content = archive.finish((MANIFEST, manifest.encode()), (SIGNATURE, signature))
        return Packed(content, manifest, len(archive.files), archive.line_rows.count)


def _counted(gathered: Gathered, archive: PackArchive) -> Iterator[str]:
    """How much of what the pack is about was read now, how much is as it was read before, and how much it does not have."""
    left_out = [row for row in gathered.documents if not row["file"]]
    live = [row for row in archive.items if row.answered]
    copied = [row for row in archive.items if row.why_copied == NO_READ]
    unanswered = [row for row in archive.items if row.why_copied not in ("", NO_READ)]
    counts = (
        (LEFT_OUT, len(left_out), len(gathered.documents)),
        *((sentence, len(rows), len(archive.items)) for sentence, rows in ((READ_LIVE, live), (AS_COPIED, copied), (UNANSWERED, unanswered))),
    )  # fmt: skip
    for sentence, count, among in counts:
        if count:
            yield sentence.format(count=count, all=among)


def _of_item(actor: Actor, pack: EvidencePack, beat: Beat, archive: PackArchive) -> Gathered:
    kind, remote_id = pack.object_type, pack.object_id
    current = current_rows(actor, kind, remote_id, beat) if is_known_kind(kind) else CurrentRows([])
    rows = current.rows
    subjects = [(kind, remote_id), *map(evidence_key, rows)]
    lines = lines_of_items(actor.business, subjects)
    for entered in (row for row in rows if isinstance(row, Bill)):
        lines |= lines_of_entry(actor.business, entered)
    archive.add_lines(sealed(actor.business, lines, beat))
    decided = Decision.objects.filter(_about(subjects), business=actor.business)
    decisions = decision_records(decided)
    # What was undone before it was sent has decided nothing.
    counting = [row for row in decisions if row["state"] != DecisionState.CANCELLED]
    moments = moments_of_item(rows, [(datetime.fromisoformat(row["decided_at"]), row["by"]) for row in counting])
    listed = listed_moments(moments) or [EvidenceMoment(timezone.now(), PACK_MOMENT)]
    for row in counting:
        at = datetime.fromisoformat(row["decided_at"])
        row["policies_at"] = row["decided_at"] if any(moment.at == at for moment in listed) else ""
    for mirrored in rows:
        archive.add_item(item_record(mirrored, current, PACK_SUBJECT))
    gathered = Gathered(decisions, _rules(actor, listed, beat), notes=current.notes)
    if not rows:
        gathered.notes.append(NO_ITEM)
    if not moments:
        gathered.notes.append(NO_MOMENT)
    if len(listed) < len(moments):
        gathered.notes.append(f"Policies and workflows are listed at {len(listed)} of {len(moments)} moments.")
    documents = PackDocuments(actor, beat, archive)
    documents.add(rows)
    gathered.documents = documents.records
    gathered.notes.extend(documents.notes)
    return gathered


def _rules(actor: Actor, moments: Sequence[EvidenceMoment], beat: Beat) -> list[RulesInForce]:
    trail = AuditTrail(actor, beat)
    return [
        {"at": moment_text(moment.at), "event": moment.event, "rules": rules_at(trail, moment.at)} for moment in moments
    ]


def _about(subjects: Sequence[tuple[str, str]]) -> Q:
    about = Q()
    for kind, remote_id in subjects:
        about |= Q(object_type=kind, object_id=remote_id)
    return about


def _of_person(actor: Actor, pack: EvidencePack, beat: Beat, archive: PackArchive) -> Gathered:
    """Of the days of the pack; of all, where it has none."""
    begin = end = None
    if pack.first_day is not None and pack.last_day is not None:
        begin, end = moments_of(actor.business, pack.first_day, pack.last_day)
    current = current_rows(actor, "employee", pack.object_id, beat, ReadBudget())
    for row in current.rows:
        archive.add_item(item_record(row, current, PACK_SUBJECT))
    own = own_items(actor, pack.object_id, begin, end)
    members = Membership.objects.filter(business=actor.business, employee_id=pack.object_id)
    decided = Decision.objects.filter(_between("created_at", begin, end), membership__in=members)
    lines = lines_of_person(actor.business, pack.object_id).filter(_between("at", begin, end))
    last = EvidenceMoment(min(end or timezone.now(), timezone.now()), PACK_MOMENT if end is None else PERIOD_END)
    archive.add_lines(sealed(actor.business, lines, beat))
    gathered = _of_many(actor, decided, last, beat, archive, own)
    counts = OWN_ITEMS.format(
        expenses=len(own.expenses), bills=len(own.bills), requests=len(own.requests), votes=len(own.votes)
    )
    gathered.notes[:0] = [counts, *current.notes]
    return gathered


def _of_period(actor: Actor, pack: EvidencePack, beat: Beat, archive: PackArchive) -> Gathered:
    if pack.first_day is None or pack.last_day is None:
        raise ValueError("a pack of a period has days")
    begin, end = moments_of(actor.business, pack.first_day, pack.last_day)
    archive.add_lines(sealed(actor.business, lines_of_period(actor.business, pack.first_day, pack.last_day), beat))
    decided = Decision.objects.filter(_between("created_at", begin, end), business=actor.business)
    return _of_many(actor, decided, EvidenceMoment(min(end, timezone.now()), PERIOD_END), beat, archive, OwnItems())


def _of_many(
    actor: Actor,
    decided: QuerySet[Decision],
    last: EvidenceMoment,
    beat: Beat,
    archive: PackArchive,
    owned: OwnItems,
) -> Gathered:
    """The pack of a person or a period: with what is the person's own, and the items that its decisions and lines are about."""
    trail, spent = (
        AuditTrail(actor, beat),
        [EvidenceMoment(at, "spent, requested or entered") for at in owned.moments()],
    )
    before = decision_records(decided)
    rules = rules_of_decisions(trail, before, last, spent)
    collected = CollectedItems.begin(actor, beat, archive)
    collected.add_own(owned, rules.policies_at)
    collected.add_subjects(before)
    # Once its items were read, the copy knows references of payments that it had not heard of.
    decisions = decision_records(decided)
    moments = {row["decision_id"]: row["policies_at"] for row in before}
    for row in decisions:
        row["policies_at"] = moments.get(row["decision_id"], "")
    return Gathered(
        decisions, rules.rules, collected.omitted, collected.documents.records, [*collected.notes, *rules.notes]
    )


GATHERERS: Mapping[Scope, Callable[[Actor, EvidencePack, Beat, PackArchive], Gathered]] = {
    Scope.ITEM: _of_item, Scope.PERSON: _of_person, Scope.PERIOD: _of_period,
}  # fmt: skip


def _between(moment: str, begin: datetime | None, end: datetime | None) -> Q:
    return Q() if begin is None or end is None else Q(**{f"{moment}__gte": begin, f"{moment}__lt": end})


def _put_in_files(
    actor: Actor, pack: EvidencePack, gathered: Gathered, chain: Verification, archive: PackArchive
) -> None:
    key = signing_key_of(actor.business)
    report = Report(
        business=actor.business, title=str(pack), author=actor.name, at=timezone.now(),
        notes=gathered.notes, items=[(row.kind, row.title, row.state, row.references) for row in archive.items],
        decisions=[(row["decided_at"], row["by"], row["role_then"], row["operation"], row["title"], row["reason"], row["state"], row["references"]) for row in gathered.decisions],
        rules=[(datetime.fromisoformat(then["at"]), then["event"], [(row["kind"], row["name"], row["version"], row["source"]) for row in then["rules"]]) for then in gathered.rules],
        documents=[(row["file"] or row["name"], row["sha256"], row["why"]) for row in gathered.documents],
        lines=[(row["number"], row["line"], row["hash"]) for row in archive.lines], line_count=archive.line_rows.count, chain=chain.sentence,
        fingerprint=key_fingerprint(key.public_key), script=script_text(),
    )  # fmt: skip
    archive.add_rows("item.json", archive.item_rows)
    archive.add_rows(AUDIT, archive.line_rows)
    archive.add("decisions.json", _json(gathered.decisions))
    archive.add("policies.json", _json(gathered.rules))
    archive.add("public-key.pem", key.public_key.encode())
    archive.add(SCRIPT, script_text().encode())
    archive.add(DOCUMENT, report_pdf(report))


def _manifest(
    actor: Actor, pack: EvidencePack, gathered: Gathered, chain: Verification, archive: PackArchive, key: str
) -> str:
    manifest = {
        "evidence_pack": VERSION, "id": str(pack.pk), "title": str(pack), "business": actor.business.name,
        "scope": pack.scope, "subject": f"{pack.object_type}/{pack.object_id}" if pack.object_id else "",
        "from": str(pack.first_day or ""), "to": str(pack.last_day or ""), "made_by": actor.name,
        "made_at": moment_text(timezone.now()), "audit_lines": archive.line_rows.count, "decisions": len(gathered.decisions),
        "chain": {"ok": chain.ok, "compared_outside": chain.compared, "finding": chain.sentence},
        "notes": gathered.notes, "key_sha256": key, "documents": gathered.documents,
        "items_own": [row.name for row in archive.items if row.included_as == OWN_ITEM],
        "items_own_because": {row.name: row.own_because for row in archive.items if row.own_because},
        "items_read": [row.name for row in archive.items if row.answered],
        "items_not_read": [row.name for row in archive.items if not row.answered],
        "items_unanswered": [
            {"item": row.name, "why": row.why_copied} for row in archive.items if row.why_copied not in ("", NO_READ)
        ],
        "items_not_included": gathered.omitted,
        "files": sorted(archive.files, key=itemgetter("name")),
    }  # fmt: skip
    return json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n").encode()
