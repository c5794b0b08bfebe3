"""The plan of a bulk action: what will pass, what will not and why, what it comes to. Nothing is sent."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.subject import subject_of
from dashboard.errors import NotFound, Rejected
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List
from dashboard.lists.models import Batch, BatchRow
from dashboard.lists.query import Query
from dashboard.lists.registry import find
from dashboard.lists.selection import mark_of
from dashboard.lists.totals import COUNTED
from dashboard.money import text

State = BatchRow.State
MOST = COUNTED
TOGETHER = 1_000
PLAN_LIFETIME = timedelta(days=1)
RESULTS_LIFETIME = timedelta(days=90)
# What can be tried again once a batch is over: nothing of it was done, or nobody knows.
IN_DOUBT = (State.UNKNOWN, State.SENDING)
FAILED = (*IN_DOUBT, State.REFUSED, State.CHANGED, State.NOT_DONE)


@dataclass(frozen=True)
class RowVerdict:
    """Whether a row passes: the state that it has in the plan, why not in a few words and in a sentence."""

    state: BatchRow.State = State.WAITING
    why: str = ""
    sentence: str = ""
    denied: bool = False


@dataclass
class Plan:
    """A batch that is being planned: its rows as they come, and the sums of those that pass."""

    actor: Actor
    of: List
    action: Action
    batch: Batch
    seen: Mapping[str, str] = field(default_factory=dict)
    # Rows of which nobody knows whether they were done keep the key that they were sent with.
    keys: Mapping[str, str] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)
    count: int = 0

    def rows(self, items: Iterable[Any]) -> Iterator[BatchRow]:
        """A row of the batch for each item, not saved."""
        for item in items:
            self.count += 1
            yield self._row(item)

    def _row(self, item: Any) -> BatchRow:
        mark = self.seen.get(item.remote_id) or None
        verdict = row_verdict(self.actor, self.of, self.action, item, mark)
        if verdict.state == State.WAITING and self.of.money:
            currency, minor = self.of.money
            self.sums[getattr(item, currency)] += getattr(item, minor) or 0
        return BatchRow(
            batch=self.batch,
            number=self.count,
            remote_id=item.remote_id,
            title=subject_of(item).title[:300],
            amount=amount_of(self.actor, self.of, item),
            seen=seen_of(self.of, item),
            key=self.keys.get(item.remote_id) or str(uuid.uuid5(self.batch.pk, item.remote_id)),
            state=verdict.state,
            why=verdict.why[:60],
            sentence=verdict.sentence[:500],
            denied=verdict.denied,
        )


def plan_ticked(actor: Actor, of: List, action: Action, query: Query, ticks: Mapping[str, str]) -> Batch | None:
    """What the action would do to the rows that were ticked, as the actor sees them now; None where there is none.

    The boxes say which rows, whatever the filters would let through by now.
    """
    items = _in_order(actor, query, list(ticks))
    return _store(Plan(actor, of, action, _batch(actor, of, action, query), ticks), items, len(ticks))


def plan_matching(actor: Actor, of: List, action: Action, query: Query) -> Batch | None:
    """What it would do to all that match; Rejected where these are too many, or the query is not understood."""
    if query.refused:
        raise Rejected(" ".join(query.problems.values()), code="query")
    items = list(query.ordered(actor)[: MOST + 1])
    if len(items) > MOST:
        sentence = f"More than {MOST:,} {of.noun[1]} match: narrow the filters, so that at most {MOST:,} do."
        raise Rejected(sentence, code="too_many_rows")
    batch = _batch(actor, of, action, query)
    batch.whole = True
    return _store(Plan(actor, of, action, batch), items, len(items))


def plan_again(actor: Actor, of: List, action: Action, before: Batch) -> Batch | None:
    """What trying again would do to the rows of a batch that failed, seen afresh, with what was given then."""
    failed = before.rows.filter(state__in=FAILED)
    ids = list(failed.values_list("remote_id", flat=True))
    keys = dict(failed.filter(state__in=IN_DOUBT).values_list("remote_id", "key"))
    query = Query.parse(of, before.query)
    batch = _batch(actor, of, action, query)
    batch.retry_of, batch.given, batch.given_said = before, before.given, before.given_said
    return _store(Plan(actor, of, action, batch, keys=keys), _in_order(actor, query, ids), len(ids))


def _in_order(actor: Actor, query: Query, ids: list[str]) -> list[Any]:
    name, falling = query.sorted_by
    order = (f"-{name}", "-pk") if falling else (name, "pk")
    return list(query.of.rows(actor).filter(remote_id__in=ids).order_by(*order))


def _batch(actor: Actor, of: List, action: Action, query: Query) -> Batch:
    return Batch(
        business=actor.business,
        membership_id=actor.member_id,
        list_name=of.name,
        verb=action.name,
        query=query.query()[:1500],
    )


def _store(plan: Plan, items: list[Any], requested: int) -> Batch | None:
    if not items:
        return None
    batch = plan.batch
    with transaction.atomic():
        batch.save(force_insert=True)
        BatchRow.objects.bulk_create(plan.rows(items), batch_size=TOGETHER)
        locale = plan.actor.business.locale
        batch.totals = [text(minor, currency, locale) for currency, minor in sorted(plan.sums.items()) if currency]
        batch.unseen = max(0, requested - plan.count)
        batch.save(update_fields=["totals", "unseen"])
    return batch


def row_verdict(actor: Actor, of: List, action: Action, item: Any, mark: str | None = None) -> RowVerdict:
    """What the plan says of one row: `mark` is what was seen of it on the list."""
    if not (verdict := can(actor, action.operation, item)):
        return RowVerdict(State.LEFT_OUT, "no permission to change", verdict.reason, denied=True)
    if action.states and item.status not in action.states:
        word = _state_word(actor, of, item).lower()
        already = "already " if item.status == action.becomes else ""
        return RowVerdict(State.LEFT_OUT, f"{already}{word}", f"It is {already}{word}.")
    if unfit := action.unfit(item):
        return RowVerdict(State.LEFT_OUT, *unfit)
    if mark is not None and mark != mark_of(seen_of(of, item).values()):
        return RowVerdict(State.LEFT_OUT, "changed since you looked", "It changed after the list was shown to you.")
    return RowVerdict()


def seen_of(of: List, item: Any) -> dict[str, str]:
    """The values of an item that its viewer decides by, by field name."""
    return {name: str(getattr(item, name)) for name in of.seen}


def differences(of: List, seen: Mapping[str, str], item: Any) -> str:
    """What differs between what was seen and what is there now, in words; "" where nothing does."""
    titles = {column.field: column.title for column in reversed(of.columns)}
    now = seen_of(of, item)
    return "; ".join(
        f"{titles.get(name, name)}: {seen[name] or 'nothing'} → {now[name] or 'nothing'}"
        for name in now
        if name in seen and seen[name] != now[name]
    )


def amount_of(actor: Actor, of: List, item: Any) -> str:
    """A row's amount as the list prints it; "" where rows are no money."""
    if not of.money:
        return ""
    currency, minor = (getattr(item, name) for name in of.money)
    return text(minor, currency, actor.business.locale) if currency and minor is not None else ""


def _state_word(actor: Actor, of: List, item: Any) -> str:
    column: Column = next(column for column in of.columns if column.kind == "state")
    return column.cell({column.field: getattr(item, column.field)}, actor)[-1]


def summary_of(batch: Batch) -> str:
    """ "23 will be deleted · 1 already deleted · 1 changed since you looked": a plan in one line."""
    groups = batch.rows.order_by().values_list("state", "why").annotate(many=Count("pk"))
    left_out: Counter[str] = Counter()
    passing = 0
    for state, why, many in groups:
        if state == State.WAITING:
            passing += many
        else:
            left_out[why] += many
    parts = [
        f"{passing:,} will be {declared(batch)[1].done}",
        *(f"{many:,} {why}" for why, many in sorted(left_out.items())),
    ]
    if batch.unseen:
        parts.append(f"{batch.unseen:,} no access, or deleted")
    return " · ".join(parts)


def declared(batch: Batch) -> tuple[List, Action]:
    """The list and the action of a batch; NotFound where they are declared no more."""
    listed = find(batch.list_name)
    if listed is not None and listed.declared is not None:
        for action in listed.declared.actions:
            if action.name == batch.verb:
                return listed.declared, action
    raise NotFound("This action is no longer available.")


def forget_old() -> int:
    """Deletes plans that nobody carried out within a day, and results after 90 days; how many."""
    now = timezone.now()
    old = Batch.objects.filter(state=Batch.State.PLANNED, created_at__lt=now - PLAN_LIFETIME)
    over = Batch.objects.filter(finished_at__lt=now - RESULTS_LIFETIME)
    return sum(batches.delete()[1].get("lists.Batch", 0) for batches in (old, over))
