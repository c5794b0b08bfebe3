"""Proposals that change a setting of the whole business: which roles, which provider, which connection."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import write_down


def propose_setting(
    actor: Actor, operation: str, target_type: str, target_id: str, *, body: Any, title: str, sentences: list[str], key: str,
    seen: Any = None, consequences: Sequence[str] = (),
) -> Proposal:  # fmt: skip
    """The proposal that waits for a second admin; Conflict where nobody could confirm it or another such change waits.

    `body` is what the setting becomes, `seen` what it is, `sentences` say it and `consequences` what follows; `key` is the
    form's: sent again, it is the same proposal.
    """
    row = Proposal(
        business=actor.business,
        operation=operation,
        body=body,
        target_type=target_type,
        target_id=target_id,
        seen={} if seen is None else seen,
        title=title,
        sentences=sentences,
        consequences=list(consequences),
        key=f"{operation}-{key}",
        proposed_by_id=actor.member_id,
    )
    return write_down(actor, row, target_of(row))


def save_roles(actor: Actor, column: str, roles: Iterable[str], *, operation: str, sentence: str) -> None:
    """Saves the roles in a column of the business, audited with what they were."""
    before, after = sorted(getattr(actor.business, column)), sorted(roles)
    with transaction.atomic():
        Business.objects.filter(pk=actor.business.pk).update(**{column: after})
        record(
            actor, operation, None, Outcome.DONE, sentence=sentence, before={"roles": labels_of(before)},
            after={"roles": labels_of(after)},
        )  # fmt: skip


def labels_of(roles: Iterable[str]) -> str:
    """Roles in words: "Admin, Approver"; "nobody" for none."""
    return ", ".join(sorted(Role(role).label for role in roles)) or "nobody"
