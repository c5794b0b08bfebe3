"""Laying a red flag aside: by whoever may decide on the item, with the reason, until the number in it changes.

What a policy flags cannot be laid aside: it ends by an override, which its roles alone may give and which is counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.conversation.models import Dismissal
from dashboard.decisions.desk_items import DeskItem, ItemFlag, desk_item_of
from dashboard.decisions.scores import write_dismissed
from dashboard.errors import InvalidState, NotAllowed
from dashboard.mirror.models import Approval, Expense
from dashboard.times import day_and_time

DISMISS = "dismiss_flag"
OF_POLICY = "A policy flag cannot be dismissed: the roles that the policy names can override it with a reason."
# The kinds whose score a dismissed flag leaves.
SCORED: dict[str, type[Expense] | type[Approval]] = {"expense": Expense, "approval": Approval}


@dataclass(frozen=True)
class Marked:
    """A flag with who has laid it aside, where somebody has."""

    flag: ItemFlag
    key: str
    by: str = ""
    role: str = ""
    when: str = ""
    reason: str = ""

    @property
    def stands(self) -> bool:
        """Whether it is red and nobody has laid it aside."""
        return self.flag.red and not self.by


def dismissed_keys(business: Business, kind: str, remote_ids: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The keys of the flags that were dismissed, by the item's id: of items of one kind, in one query."""
    rows = Dismissal.objects.filter(business=business, kind=kind, remote_id__in=list(remote_ids))
    keys: dict[str, set[str]] = defaultdict(set)
    for remote_id, flag in rows.values_list("remote_id", "flag"):
        keys[remote_id].add(flag)
    return {remote_id: frozenset(flags) for remote_id, flags in keys.items()}


def write_dismissed_of(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Listens to the copy: where rows with dismissed flags were written, their points are reckoned anew."""
    model = SCORED.get(kind)
    if model is None:
        return
    touched = Q(remote_id__in=dismissed_keys(business, kind, ids)) | ~Q(dismissed_risk=0)
    write_dismissed(business, list(model.objects.filter(touched, business=business, remote_id__in=list(ids))))


def marked(actor: Actor, kind: str, remote_id: str, flags: list[ItemFlag]) -> list[Marked]:
    """The flags of an item that the caller has fetched through its scope, with what was laid aside."""
    rows = Dismissal.objects.filter(business=actor.business, kind=kind, remote_id=remote_id)
    aside = {dismissal.flag: dismissal for dismissal in rows} if any(flag.is_dismissible for flag in flags) else {}
    marks = []
    for flag in flags:
        key = flag.key
        dismissal = aside.get(key) if flag.is_dismissible else None
        if dismissal is None:
            marks.append(Marked(flag, key))
            continue
        when = day_and_time(dismissal.dismissed_at, actor.business)
        marks.append(Marked(flag, key, dismissal.by_name, dismissal.get_role_display(), when, dismissal.reason))
    return marks


def why_not(desk_item: DeskItem) -> str:
    """Why this person cannot lay its flags aside: only who may decide on it can. "" where they can."""
    if not desk_item.choices:
        return "This is already decided."
    return "" if any(choice.verdict for choice in desk_item.choices) else desk_item.choices[0].verdict.reason


def dismiss(actor: Actor, kind: str, row: Any, key: str, reason: str) -> Dismissal:
    """Lays a red flag aside with a reason; a second time changes nothing.

    NotAllowed for whoever may not decide on the item, and for a policy's flag (audited); InvalidState where the flag is not as it was seen.
    """
    item = desk_item_of(actor, row)
    flag = next((flag for flag in item.flags if flag.red and flag.key == key), None)
    if refusal := why_not(item) or (OF_POLICY if flag is not None and flag.of_policy else ""):
        record(actor, DISMISS, row, Outcome.DENIED, sentence="tried to dismiss a flag", reason=refusal)
        raise NotAllowed(refusal, code=DISMISS)
    if flag is None:
        raise InvalidState("This flag has changed since you opened it. Review it again.", code="flag_changed")
    about = {"business": actor.business, "kind": kind, "remote_id": row.remote_id, "flag": key}
    try:
        with transaction.atomic():
            dismissal = Dismissal.objects.create(
                **about,
                membership_id=actor.member_id,
                by_name=actor.name[:254],
                by_role=actor.role,
                words=flag.text[:500],
                reason=reason,
            )
            sentence = f"dismissed the flag “{flag.text}”"
            record(actor, DISMISS, row, Outcome.NOTED, sentence=sentence, reason=reason)
            if isinstance(row, Expense | Approval):
                write_dismissed(actor.business, [row])
    except IntegrityError:
        # Somebody was faster, or this is the same form again: it is laid aside.
        return Dismissal.objects.get(**about)
    return dismissal
