"""The files of a pack, by name: what is known of its subject, the lines of the audit, and how a stranger verifies it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.audit.verify import Verification, verify
from dashboard.decisions.models import Decision, DecisionState
from dashboard.errors import NotFound
from dashboard.evidence.audit_lines import (
    SealedLine,
    lines_of_items,
    lines_of_period,
    lines_of_person,
    moments_of,
    sealed,
)
from dashboard.evidence.collected_items import CollectedItems, collect_items
from dashboard.evidence.current_rows import CurrentRows, current_rows
from dashboard.evidence.decision_records import DecisionRecord, decision_records
from dashboard.evidence.document import Report, report_pdf
from dashboard.evidence.item_evidence import evidence_key, is_known_kind, rows_of
from dashboard.evidence.item_records import ItemRecord, OmittedItem, item_record
from dashboard.evidence.models import EvidencePack, Scope
from dashboard.evidence.moments import EvidenceMoment, listed_moments, moments_of_item
from dashboard.evidence.pack_documents import DocumentRecord, PackDocuments
from dashboard.evidence.rules_in_force import AuditTrail, Beat, RulesInForce, moment_text, notes_at, rules_at
from dashboard.evidence.rules_of_decisions import rules_of_decisions
from dashboard.signing.signature import key_fingerprint, sign, signing_key_of

VERSION = 1
SCRIPT = "verify.py"
MANIFEST, SIGNATURE, AUDIT, DOCUMENT = "manifest.json", "manifest.sig", "audit.json", "evidence.pdf"
NO_ITEM = "The copy of the finance service's data has no such thing: the lines of the audit log are all that is known."
NO_MOMENT = (
    "Policies are those in force when this pack was made: it is not known when this was spent, requested or decided."
)
PACK_MOMENT = "this pack was made"
LEFT_OUT = "Documents that are not in this pack, each with the reason in the manifest: {count:,} of {all:,}."
AS_COPIED = "As the copy of the finance service's data has them, since the service was not read for them now: {count:,} of {all:,} items."


@dataclass
class Gathered:
    """What a pack holds before it is signed: its sentences of what is not in it stand in `notes`."""

    title: str
    lines: list[SealedLine]
    decisions: list[DecisionRecord]
    rules: list[RulesInForce]
    items: list[ItemRecord] = field(default_factory=list)
    omitted: list[OmittedItem] = field(default_factory=list)
    documents: list[DocumentRecord] = field(default_factory=list)
    document_files: dict[str, bytes] = field(default_factory=dict)
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
    gathered = GATHERERS[Scope(pack.scope)](actor, pack, beat)
    if not gathered.lines and not gathered.items:
        raise NotFound("Nothing is known of this: there is no line of the audit log about it.", code="nothing")
    moments = [datetime.fromisoformat(then["at"]) for then in gathered.rules]
    gathered.notes.extend(dict.fromkeys(note for at in moments for note in notes_at(actor, at)))
    gathered.notes.extend(_counted(gathered))
    beat()
    chain = verify(actor.business, beat)
    files = _files(actor, pack, gathered, chain)
    key = signing_key_of(actor.business)
    manifest = _manifest(actor, pack, gathered, chain, files, key_fingerprint(key.public_key))
    beat()
    content = _zip(files | {MANIFEST: manifest.encode(), SIGNATURE: sign(actor.business, manifest.encode())})
    return Packed(content, manifest, len(files), len(gathered.lines))


def _counted(gathered: Gathered) -> Iterator[str]:
    """How much of what the pack is about it does not have, or has as it was read before."""
    left_out = [row for row in gathered.documents if not row["file"]]
    copied = [row for row in gathered.items if not row["answered"]]
    for sentence, rows, among in ((LEFT_OUT, left_out, gathered.documents), (AS_COPIED, copied, gathered.items)):
        if rows:
            yield sentence.format(count=len(rows), all=len(among))


def _of_item(actor: Actor, pack: EvidencePack, beat: Beat) -> Gathered:
    kind, remote_id = pack.object_type, pack.object_id
    current = current_rows(actor, kind, remote_id, beat) if is_known_kind(kind) else CurrentRows([])
    rows = current.rows
    subjects = [(kind, remote_id), *map(evidence_key, rows)]
    lines = sealed(actor.business, lines_of_items(actor.business, subjects))
    decided = Decision.objects.filter(_about(subjects), business=actor.business)
    decisions = decision_records(decided)
    # What was undone before it was sent has decided nothing.
    counting = [row for row in decisions if row["state"] != DecisionState.CANCELLED]
    moments = moments_of_item(rows, [(datetime.fromisoformat(row["decided_at"]), row["by"]) for row in counting])
    listed = listed_moments(moments) or [EvidenceMoment(timezone.now(), PACK_MOMENT)]
    for row in counting:
        at = datetime.fromisoformat(row["decided_at"])
        row["policies_at"] = row["decided_at"] if any(moment.at == at for moment in listed) else ""
    items = [item_record(mirrored, current) for mirrored in rows]
    gathered = Gathered(pack.title, lines, decisions, _rules(actor, listed, beat), items, notes=current.notes)
    if not rows:
        gathered.notes.append(NO_ITEM)
    if not moments:
        gathered.notes.append(NO_MOMENT)
    if len(listed) < len(moments):
        gathered.notes.append(f"Policies and workflows are listed at {len(listed)} of {len(moments)} moments.")
    documents = PackDocuments(actor, beat)
    documents.add(rows)
    gathered.documents, gathered.document_files = documents.records, documents.files
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


def _of_person(actor: Actor, pack: EvidencePack, beat: Beat) -> Gathered:
    rows = rows_of(actor, "employee", pack.object_id)
    lines = sealed(actor.business, lines_of_person(actor.business, pack.object_id))
    members = Membership.objects.filter(business=actor.business, employee_id=pack.object_id)
    decided = Decision.objects.filter(membership__in=members)
    gathered = _of_many(actor, pack, lines, decided, EvidenceMoment(timezone.now(), PACK_MOMENT), beat)
    gathered.items[:0] = [item_record(row, CurrentRows([])) for row in rows]
    return gathered


def _of_period(actor: Actor, pack: EvidencePack, beat: Beat) -> Gathered:
    if pack.first_day is None or pack.last_day is None:
        raise ValueError("a pack of a period has days")
    begin, end = moments_of(actor.business, pack.first_day, pack.last_day)
    lines = sealed(actor.business, lines_of_period(actor.business, pack.first_day, pack.last_day))
    decided = Decision.objects.filter(business=actor.business, created_at__gte=begin, created_at__lt=end)
    last = EvidenceMoment(min(end, timezone.now()), "end of the period")
    return _of_many(actor, pack, lines, decided, last, beat)


def _of_many(
    actor: Actor,
    pack: EvidencePack,
    lines: list[SealedLine],
    decided: QuerySet[Decision],
    last: EvidenceMoment,
    beat: Beat,
) -> Gathered:
    """The pack of a person or a period: with the items that its decisions and lines are about."""
    collected: CollectedItems = collect_items(actor, decision_records(decided), lines, beat)
    # Once its items were read, the copy knows references of payments that it had not heard of.
    decisions = decision_records(decided)
    rules = rules_of_decisions(AuditTrail(actor, beat), decisions, last)
    return Gathered(
        pack.title, lines, decisions, rules.rules, collected.items, collected.omitted, collected.documents.records,
        collected.documents.files, [*collected.notes, *rules.notes],
    )  # fmt: skip


GATHERERS: Mapping[Scope, Callable[[Actor, EvidencePack, Beat], Gathered]] = {
    Scope.ITEM: _of_item, Scope.PERSON: _of_person, Scope.PERIOD: _of_period,
}  # fmt: skip


def _files(actor: Actor, pack: EvidencePack, gathered: Gathered, chain: Verification) -> dict[str, bytes]:
    key = signing_key_of(actor.business)
    report = Report(
        business=actor.business, title=str(pack), author=actor.name, at=timezone.now(),
        notes=gathered.notes, items=[(row["kind"], row["title"], row["references"]) for row in gathered.items],
        decisions=[(row["decided_at"], row["by"], row["role_then"], row["operation"], row["title"], row["reason"], row["state"], row["references"]) for row in gathered.decisions],
        rules=[(datetime.fromisoformat(then["at"]), then["event"], [(row["kind"], row["name"], row["version"], row["source"]) for row in then["rules"]]) for then in gathered.rules],
        documents=[(row["file"] or row["name"], row["sha256"], row["why"]) for row in gathered.documents],
        lines=[(row["number"], row["line"], row["hash"]) for row in gathered.lines], chain=chain.sentence,
        fingerprint=key_fingerprint(key.public_key), script=script_text(),
    )  # fmt: skip
    return {
        AUDIT: _json(gathered.lines), "decisions.json": _json(gathered.decisions),
        "policies.json": _json(gathered.rules),
        "item.json": _json(gathered.items), **gathered.document_files,
        "public-key.pem": key.public_key.encode(), SCRIPT: script_text().encode(), DOCUMENT: report_pdf(report),
    }  # fmt: skip


def _manifest(
    actor: Actor, pack: EvidencePack, gathered: Gathered, chain: Verification, files: Mapping[str, bytes], key: str
) -> str:
    manifest = {
        "evidence_pack": VERSION, "id": str(pack.pk), "title": str(pack), "business": actor.business.name,
        "scope": pack.scope, "subject": f"{pack.object_type}/{pack.object_id}" if pack.object_id else "",
        "from": str(pack.first_day or ""), "to": str(pack.last_day or ""), "made_by": actor.name,
        "made_at": moment_text(timezone.now()), "audit_lines": len(gathered.lines), "decisions": len(gathered.decisions),
        "chain": {"ok": chain.ok, "compared_outside": chain.compared, "finding": chain.sentence},
        "notes": gathered.notes, "key_sha256": key, "documents": gathered.documents,
        "items_not_read": [f"{row['kind']}/{row['id']}" for row in gathered.items if not row["answered"]],
        "items_not_included": gathered.omitted,
        "files": [
            {"name": name, "bytes": len(content), "sha256": sha256(content).hexdigest()}
            for name, content in sorted(files.items())
        ],
    }  # fmt: skip
    return json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n").encode()


def _zip(files: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(name, content)
    return file.getvalue()
