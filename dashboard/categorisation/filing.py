"""The job that files by rules: each item once, under a key of its own, through the command that a person's click uses.

It acts in the name of whoever switched the rule on, as they stand now: who may not any more switches the rule off by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.categorisation.closed_periods import closed_day, wait_anew
from dashboard.categorisation.conditions import NAMED_BY, condition_of, sentence_of
from dashboard.categorisation.models import CategoryRule, FilingState, RuleFiling
from dashboard.categorisation.rules import switch_off
from dashboard.categorisation.trials import DAYS, MOMENTS
from dashboard.categorisation.uncategorised import (
    EXPENSE_KIND,
    TRANSACTION_KIND,
    expenses_to_file,
    transactions_to_file,
    with_subcategory,
)
from dashboard.client.models import OutboundState
from dashboard.client.outbox_keys import newest_outbound_of
from dashboard.commands import expenses as expense_commands
from dashboard.commands import transactions as transaction_commands
from dashboard.errors import AlreadyDone, FinanceError, NotAllowed, TooMany, Unavailable, Unknown
from dashboard.mirror.scopes import visible_expenses, visible_transactions
from dashboard.worker_lease import LeaseLostError, claim, is_free, release

log = structlog.get_logger(__name__)

AT_ONCE = 100
WAITING = Q(state=FilingState.WAITING)
LOST_AFTER = timedelta(minutes=2)
DEADLINE_S = 8.0
MOST_ATTEMPTS = 10
TO_FILE: dict[str, Callable[[Actor], QuerySet[Any]]] = {
    EXPENSE_KIND: expenses_to_file,
    TRANSACTION_KIND: transactions_to_file,
}
COMMANDS: dict[str, tuple[Operation, Callable[..., object]]] = {
    EXPENSE_KIND: (operations.CATEGORISE_EXPENSE, expense_commands.categorise),
    TRANSACTION_KIND: (operations.TAG_TRANSACTION, transaction_commands.recategorise_transaction),
}


def has_rules() -> bool:
    """Whether any rule is on, or something that one has begun is not settled."""
    return _with_work().exists()


def _with_work() -> QuerySet[CategoryRule]:
    """The rules that are on, and those that are off of which something was sent whose answer is not known yet."""
    begun = RuleFiling.objects.filter(rule=OuterRef("pk"), state=FilingState.WAITING)
    return CategoryRule.objects.filter(Q(is_on=True) | Exists(begun))


def file_due() -> int:
    """Files what the rules that are on fit, of every business, at most a hundred of each at a time; how many."""
    filed = 0
    for business in Business.objects.filter(pk__in=_with_work().values("business")):
        filed += file_business(business)
    return filed


def file_business(business: Business) -> int:
    """What the rules of one business have to file now; how many were filed."""
    try:
        wait_anew(business)
    except FinanceError as away:
        log.warning("closed periods not known", business=business.slug, code=away.code)
    rows = _with_work().filter(business=business).select_related("switched_on_by__user", "switched_on_by__business")
    rules, filed = list(rows.order_by("position", "pk")), 0
    for place, rule in enumerate(rules):
        try:
            actor = _actor_of(rule)
        except NotAllowed as ended:
            trouble = f"Whoever switched it on can no longer act here: {ended.user_message} Switch it on again."
            switch_off(Actor.reader_for(business), rule, trouble)
            continue
        if rule.is_on:
            _write_down(actor, rule, [other for other in rules[:place] if other.is_on])
        filed += sum(_file(actor, rule, filing_id) for filing_id in _waiting(rule))
    return filed


def _actor_of(rule: CategoryRule) -> Actor:
    if rule.switched_on_by is None:
        raise NotAllowed("Their membership was removed.")
    return Actor.for_membership(rule.switched_on_by, fresh=True)


def _write_down(actor: Actor, rule: CategoryRule, earlier: Iterable[CategoryRule]) -> None:
    """Stores what the rule is to file before anything is sent: what fits it, is nobody's yet, and no earlier rule's.

    An item that is not older than 90 days when the rule was switched on: those it was tried on, and all after.
    """
    assert rule.switched_on_at is not None
    since, sentence = rule.switched_on_at - timedelta(days=DAYS), sentence_of(rule, actor.business.locale)
    room = AT_ONCE - RuleFiling.objects.filter(rule=rule, state=FilingState.WAITING).count()
    if room <= 0:
        return
    for kind, to_file in TO_FILE.items():
        condition = condition_of(rule, kind)
        if condition is None:
            continue
        begun = RuleFiling.objects.filter(business=actor.business, kind=kind, remote_id=OuterRef("remote_id"))
        rows = to_file(actor).filter(condition, ~Exists(begun), **{f"{MOMENTS[kind]}__gte": since})
        for other in earlier:
            if (before := condition_of(other, kind)) is not None:
                rows = rows.exclude(pk__in=to_file(actor).filter(before).values("pk"))
        titles = rows.order_by(f"-{MOMENTS[kind]}").values_list("remote_id", NAMED_BY[kind])[:room]
        RuleFiling.objects.bulk_create(
            (
                RuleFiling(
                    business=actor.business, rule=rule, sentence=sentence[:1000], kind=kind, remote_id=remote_id,
                    title=title or remote_id, subcategory_id=rule.subcategory_id, key=f"rule-{rule.pk}-{kind}-{remote_id}",
                )
                for remote_id, title in titles
            ),
            ignore_conflicts=True,
        )  # fmt: skip


def _waiting(rule: CategoryRule) -> list[int]:
    rows = RuleFiling.objects.filter(WAITING, is_free(LOST_AFTER), rule=rule).order_by("created_at", "pk")
    return list(rows.values_list("pk", flat=True)[:AT_ONCE])


def _file(actor: Actor, rule: CategoryRule, filing_id: int) -> bool:
    """Files one item, if nobody else is at it; whether it is filed now. What cannot be reached is tried again later, under
    the same key."""
    # Counted, and never too often: a service that is away is no try.
    filing = claim(RuleFiling.objects.all(), filing_id, WAITING, lost_after=LOST_AFTER, attempts=F("attempts") + 1)
    if filing is None:
        return False
    try:
        return _file_claimed(actor, rule, filing)
    except LeaseLostError:
        # It took too long: another worker has it, or has settled it under the same key.
        return False


def _file_claimed(actor: Actor, rule: CategoryRule, filing: RuleFiling) -> bool:
    item = _item(actor, filing)
    if item is None:
        return _settle_out_of_sight(filing)
    standing = str(item.filed_id or "")
    # An earlier try of ours may be what has filed it, whose answer was lost: under the same key it is asked for again.
    if standing and not (filing.attempts > 1 and standing == filing.subcategory_id):
        return _settle(filing, FilingState.OVERTAKEN)
    operation, command = COMMANDS[filing.kind]
    try:
        with suppress(AlreadyDone):
            command(actor, item, filing.subcategory_id, key=filing.key, deadline=DEADLINE_S)
    except (Unknown, Unavailable, TooMany) as away:
        return _try_later(filing, away)
    except FinanceError as refused:
        return _settle_refused(actor, filing, item, refused)
    # Said by whoever settles it, once.
    with transaction.atomic():
        _settle(filing, FilingState.DONE)
        record(
            actor, operation, item, Outcome.NOTED,
            sentence=f"categorised {filing.kind} {filing.title} by rule {rule.position}: {filing.sentence}"[:500],
        )  # fmt: skip
    return True


def _settle_refused(actor: Actor, filing: RuleFiling, item: Any, refused: FinanceError) -> bool:
    """What is refused since its period is closed waits until that is open again; anything else stays refused."""
    sentence = refused.detail or refused.user_message
    try:
        day = closed_day(actor.business, filing.kind, item, refused)
    except FinanceError as away:
        return _try_later(filing, away)
    if day is None:
        return _settle(filing, FilingState.REFUSED, sentence)
    outcome = f"{day:%B %Y} is closed. It is categorised once that period is open again."
    release(filing, state=FilingState.CLOSED, outcome=outcome, item_day=day, settled_at=timezone.now())
    return False


def _settle_out_of_sight(filing: RuleFiling) -> bool:
    """That an item cannot be seen any more says nothing of what was sent for it before."""
    # What was refused in a closed period was sent again under a key that follows the first.
    sent = newest_outbound_of(filing.business_id, filing.key)
    if sent is not None and sent.state == OutboundState.CONFIRMED:
        return _settle(filing, FilingState.DONE)
    if sent is not None and sent.in_doubt:
        doubt = "It was sent, but no answer came back; it is no longer there, or no longer in sight."
        return _settle(filing, FilingState.UNKNOWN, doubt)
    return _settle(filing, FilingState.REFUSED, "It is no longer there.")


def _item(actor: Actor, filing: RuleFiling) -> Any:
    rows: QuerySet[Any]
    if filing.kind == EXPENSE_KIND:
        rows = visible_expenses(actor).annotate(filed_id=F("subcategory_id"))
    else:
        rows = with_subcategory(visible_transactions(actor))
    return rows.filter(remote_id=filing.remote_id).first()


def _try_later(filing: RuleFiling, trouble: FinanceError) -> bool:
    log.warning("not filed yet", filing=filing.pk, code=trouble.code)
    # A service that is away refuses nothing: however long that lasts, the item is tried again.
    if isinstance(trouble, Unknown) and filing.attempts >= MOST_ATTEMPTS:
        return _settle(filing, FilingState.UNKNOWN, trouble.user_message)
    release(filing, outcome=trouble.user_message[:300])
    return False


def _settle(filing: RuleFiling, state: FilingState, outcome: str = "") -> bool:
    release(filing, state=state, outcome=outcome[:300], settled_at=timezone.now())
    return state is FilingState.DONE
