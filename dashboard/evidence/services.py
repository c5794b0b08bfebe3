"""Asking for a pack, and giving its files out: both are lines of the audit themselves."""

from __future__ import annotations

import io
import zipfile
from datetime import date

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.subject import Subject
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import record
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import NotFound, Rejected
from dashboard.evidence.contents import DOCUMENT
from dashboard.evidence.item_evidence import is_known_kind
from dashboard.evidence.models import UNFINISHED, EvidencePack, PackState, Scope
from dashboard.mirror.item_kinds import item_at, item_title
from dashboard.mirror.models import Employee
from dashboard.operations_pages import AUDIT_LOG
from dashboard.times import local

OPERATION = "evidence_pack"
TASK, WAITS_S = "dashboard.evidence.make", 600
MOST_UNFINISHED = 5


def request_item_pack(actor: Actor, kind: str, remote_id: str, *, key: str) -> EvidencePack:
    """Asks for a pack of one item, by its kind and id as the audit names it.

    NotAllowed for who may not read the audit, NotFound where the actor may not see it or nothing is known of it.
    """
    check_open(actor, AUDIT_LOG)
    title = title_of_item(actor, kind, remote_id)
    return _request(actor, Scope.ITEM, key, object_type=kind, object_id=remote_id, title=title)


def title_of_item(actor: Actor, kind: str, remote_id: str) -> str:
    """What a sentence calls the item; NotFound where the actor may not see it or nothing is known of it."""
    if is_known_kind(kind) and (row := item_at(actor, kind, remote_id)) is not None:
        return item_title(kind, row)[:300]
    lines = AuditEntry.objects.filter(chain=actor.business.pk, object_type=kind, object_id=remote_id)
    newest = lines.order_by("-pk").first()
    if newest is None:
        raise NotFound(code="not_found")
    noun = kind.replace("_", " ")
    title = newest.object_title
    return (title if title.lower().startswith(noun) else f"{noun} {title}").strip()[:300]


def request_person_pack(actor: Actor, employee: Employee, first: date, last: date, *, key: str) -> EvidencePack:
    """Asks for a pack of what somebody spent, asked for and did here from one day to another, and what was done with them.

    NotAllowed for who may not read the audit, Rejected for days to come or in the wrong order.
    """
    check_open(actor, AUDIT_LOG)
    days = _days(actor, first, last)
    return _request(
        actor, Scope.PERSON, key, object_type="employee", object_id=employee.remote_id,
        title=f"{employee.name[:250]}, {days}", first_day=first, last_day=last,
    )  # fmt: skip


def request_period_pack(actor: Actor, first: date, last: date, *, key: str) -> EvidencePack:
    """Asks for a pack of all that was done from one day to another. Rejected for days to come or in the wrong order."""
    check_open(actor, AUDIT_LOG)
    return _request(actor, Scope.PERIOD, key, title=_days(actor, first, last), first_day=first, last_day=last)


def _days(actor: Actor, first: date, last: date) -> str:
    """The days in words; Rejected for days to come or in the wrong order."""
    if first > last:
        raise Rejected("The end date is before the start date.", code="days")
    if first > local(timezone.now(), actor.business).date():
        raise Rejected("This period has not begun.", code="days")
    return f"{first.day} {first:%b %Y} to {last.day} {last:%b %Y}"


def _request(actor: Actor, scope: Scope, key: str, **about: object) -> EvidencePack:
    mine = EvidencePack.objects.filter(business=actor.business, membership_id=actor.member_id, state__in=UNFINISHED)
    if mine.exclude(key=key).count() >= MOST_UNFINISHED:
        raise Rejected(
            f"{MOST_UNFINISHED} packs are already in progress: wait until one has finished.", code="too_many"
        )
    pack, is_new = EvidencePack.objects.get_or_create(
        business=actor.business, key=key, defaults={"membership_id": actor.member_id, "scope": scope, **about}
    )
    if is_new:
        enqueue_on_commit(TASK, str(pack.pk), expires_s=WAITS_S)
    return pack


def pack_subject(pack: EvidencePack) -> Subject:
    """What the audit says that lines about a pack are about: the pack, never its item, whose evidence stays as it was."""
    return Subject(business_id=pack.business_id, kind=OPERATION, id=str(pack.pk), title=pack.title)


def archive_of(actor: Actor, pack: EvidencePack) -> bytes:
    """The ZIP file; giving it out is audited. NotFound where there is none (yet, or any more)."""
    content = _content(actor, pack)
    record(
        actor,
        OPERATION,
        pack_subject(pack),
        Outcome.DONE,
        sentence=f"downloaded the evidence pack of {pack.title}"[:500],
    )
    return content


def document_of(actor: Actor, pack: EvidencePack) -> bytes:
    """The PDF of a pack; giving it out is audited. NotFound as for the ZIP file."""
    with zipfile.ZipFile(io.BytesIO(_content(actor, pack))) as archive:
        document = archive.read(DOCUMENT)
    sentence = f"downloaded the PDF of the evidence pack of {pack.title}"
    record(actor, OPERATION, pack_subject(pack), Outcome.DONE, sentence=sentence[:500])
    return document


def _content(actor: Actor, pack: EvidencePack) -> bytes:
    check_open(actor, AUDIT_LOG)
    content = EvidencePack.objects.filter(pk=pack.pk, state=PackState.DONE).values_list("content", flat=True).first()
    if not content:
        raise NotFound(code="not_found")
    return bytes(content)
