"""Away without a delegate: who else could decide meanwhile, and what would wait for nobody."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.standing import StandIn
from dashboard.delegation.dead_ends import newly_stuck
from dashboard.delegation.kinds import DECIDED_BY, DELEGATED_KINDS
from dashboard.delegation.presence import presence_of
from dashboard.delegation.selectors import NO_DELEGATE

LISTED = 3
MOST_NAMED = 5


def absence_sentences(actor: Actor, kinds: frozenset[str]) -> list[tuple[str, bool]]:
    """What the actor reads of being away without a delegate: sentences, each with whether it is a warning.

    Who else decides on each kind as far as they are there now, and which waiting items nobody could decide on.
    """
    before = presence_of(actor.business).with_back(actor.employee_id)
    sentences = []
    for kind in (kind for kind in DELEGATED_KINDS if kind in kinds):
        names = sorted(before.name(other) for other in before.there(DECIDED_BY[kind], kind) - {actor.employee_id})
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        who = f"{', '.join(names[:MOST_NAMED])}{more}" if names else "nobody else"
        sentences.append(
            (
                f"While you are away, {DELEGATED_KINDS[kind]} can be decided within their own rights by: {who}.",
                not names,
            )
        )
    now = timezone.now()
    away = StandIn(
        UUID(int=0), actor.member_id, actor.employee_id, actor.name, NO_DELEGATE, "", "", kinds, None, "", now,
        now + timedelta(days=1),
    )  # fmt: skip
    payments, expenses = newly_stuck(actor, before, before.without([away]), kinds)
    if payments:
        listed = ", ".join(f"{approval.ref} {approval.title}" for approval in payments[:LISTED])
        more = f" and {len(payments) - LISTED} more" if len(payments) > LISTED else ""
        sentences.append((f"Without you nobody can decide on {listed}{more}.", True))
    if expenses:
        noun = "expense" if expenses == 1 else "expenses"
        sentences.append((f"Without you nobody can review {expenses:,} waiting {noun}.", True))
    return sentences
