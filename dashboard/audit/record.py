"""Writing the audit: one function, given the actor, the operation, its subject and the outcome."""

import re
from uuid import UUID

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import Opening, check
from dashboard.access.models import User
from dashboard.access.operation import Operation
from dashboard.access.pages import SitePage
from dashboard.access.subject import Subject, subjects_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.naming import AuditFields, with_names
from dashboard.errors import NotAllowed, NotFound

# The words before a name, in a sentence that has none.
DANGLING = re.compile(r"(\s+(in|from|of|to|for|on|with|by|at|as))?\s*\{title\}")


def record(
    actor: Actor,
    opening: Opening | str,
    subject: object | None,
    audit_outcome: Outcome,
    *,
    sentence: str = "",
    name: str = "",
    reason: str = "",
    before: AuditFields | None = None,
    after: AuditFields | None = None,
    request_id: str = "",
    decision_id: UUID | None = None,
) -> AuditEntry:
    """Writes one line into the chain of the actor's business, in the transaction of the caller.

    `opening` is the operation or the page, or a code where it is neither. `subject` is anything the gate can judge,
    several of it, or None; `before` and `after` only what changed, ids in them written as names. Without a `sentence` an
    operation's own is used, with the subject's name or else `name`, that of what is created (`naming.named_in`).
    ValueError for a code alone: a line says in words what was done.
    """
    entry = line(
        actor, opening, subject, audit_outcome, sentence=sentence, name=name, reason=reason, before=before, after=after,
        request_id=request_id, decision_id=decision_id,
    )  # fmt: skip
    entry.save(force_insert=True)
    return entry


def line(
    actor: Actor,
    opening: Opening | str,
    subject: object | None,
    audit_outcome: Outcome,
    *,
    sentence: str = "",
    name: str = "",
    reason: str = "",
    before: AuditFields | None = None,
    after: AuditFields | None = None,
    request_id: str = "",
    decision_id: UUID | None = None,
) -> AuditEntry:
    """The line that `record` writes, not saved yet: for those who save many at once."""
    about, own = _about(actor, subject)
    title = about.title or name
    return AuditEntry(
        chain=actor.business.pk,
        at=timezone.now(),
        user_id=actor.user.pk if actor.user else None,
        actor_name=actor.name[:254],
        # What the dashboard does by itself it does in nobody's role.
        role="" if actor.reads_only and actor.user is None else actor.role,
        employee_id=actor.employee_id,
        operation=(opening if isinstance(opening, str) else opening.name)[:60],
        outcome=audit_outcome,
        sentence=(sentence or _sentence(opening, about, title))[:500],
        object_type=about.kind,
        object_id=about.id,
        object_title=title[:300],
        own_item=own,
        reason=reason,
        before=with_names(actor.business, before),
        after=with_names(actor.business, after),
        request_id=request_id[:80],
        decision_id=decision_id,
    )


def record_denial(
    actor: Actor,
    opening: Opening | str,
    subject: object | None = None,
    *,
    reason: str,
    rule: str = "",
    sentence: str = "",
    name: str = "",
) -> AuditEntry:
    """Writes that something was denied, by which rule and with which reason. Nothing was sent."""
    after = {"rule": rule} if rule else None
    return record(
        actor, opening, subject, Outcome.DENIED, sentence=sentence, name=name, reason=reason, after=after
    )  # fmt: skip


def check_or_record_denial(actor: Actor, operation: Operation, subject: object | None, name: str = "") -> None:
    """The gate in front of a change; NotAllowed and NotFound are audited as a denial before they are raised."""
    try:
        check(actor, operation, subject)
    except (NotAllowed, NotFound) as denied:
        record_denial(actor, operation, subject, reason=denied.detail, rule=denied.code, name=name)
        raise


def record_account(
    user: User | None, sentence: str, *, audit_outcome: Outcome = Outcome.NOTED, reason: str = ""
) -> AuditEntry:
    """Writes what someone did with their own account ("signed in", "added a passkey"): it belongs to no business."""
    return AuditEntry.objects.create(
        chain=0,
        at=timezone.now(),
        user_id=user.pk if user else None,
        actor_name=user.get_full_name()[:254] if user else "Somebody",
        operation="account",
        outcome=audit_outcome,
        sentence=sentence[:500],
        reason=reason,
    )


def _sentence(opening: Opening | str, about: Subject, title: str) -> str:
    if isinstance(opening, Operation):
        noun = about.kind.replace("_", " ")
        several = bool(about.kind) and not about.id and title.endswith(f" {noun}s")
        text = opening.audit_text.replace(f"{noun} {{title}}", "{title}") if several else opening.audit_text
        # A subject without a title: the words that would lead up to the title go with it.
        return (text if title else DANGLING.sub("", text)).replace("{title}", title).strip()
    if isinstance(opening, SitePage):
        return f"tried to open the page {opening.name.replace('_', ' ')}"
    raise ValueError(f"a line about {opening} needs a sentence")


def _about(actor: Actor, subject: object | None) -> tuple[Subject, bool]:
    nothing = Subject(business_id=actor.business.pk, kind="", id="")
    if subject is None:
        return nothing, False
    subjects = subjects_of(subject)
    own = any(actor.employee_id and actor.employee_id in (item.makers or ()) for item in subjects)
    if len(subjects) == 1:
        return subjects[0], own
    kind = subjects[0].kind if subjects else ""
    title = f"{len(subjects)} {kind.replace('_', ' ')}s"
    return Subject(business_id=actor.business.pk, kind=kind, id="", title=title), own
