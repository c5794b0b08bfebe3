"""The plan of a bulk action: what will pass, what will not and why, what it comes to. Nothing is carried out.

It is stored as it was shown: what is not in it as one that passes is not carried out, and after a day it has expired.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.subject import subject_of
from dashboard.bulk import actions
from dashboard.bulk.actions import ACTION_SOURCES, BulkAction, RowState, RowVerdict, Seen, action_of
from dashboard.bulk.balances import WalletAfter
from dashboard.bulk.models import Batch, BatchRow
from dashboard.bulk.results import BatchResult
from dashboard.errors import Rejected
from dashboard.money import Money

# Rows of a plan; and boxes of a form, ticked one by one.
MOST = 10_000
MOST_TICKED = 500
TOGETHER = 1_000
PLAN_LIFETIME = timedelta(days=1)


@dataclass(frozen=True)
class PlannedRow:
    """One row of a plan: the item, and whether it passes."""

    subject: Any
    verdict: RowVerdict

    @property
    def why(self) -> str:
        """Why not, in a few words; of one that passes its remark."""
        return self.verdict.why

    @property
    def sentence(self) -> str:
        """Why it does not pass, in a sentence; "" where it does."""
        return self.verdict.sentence


@dataclass(frozen=True)
class Plan:
    """What an action will do, row by row and in sum, not stored. Totals are of the rows that pass, one per currency."""

    actor: Actor
    action: BulkAction
    rows: list[PlannedRow]

    @cached_property
    def passing(self) -> list[PlannedRow]:
        """The rows that will pass if nothing changes before it begins."""
        return [row for row in self.rows if row.verdict.passes]

    @cached_property
    def left_out(self) -> list[PlannedRow]:
        """The rows that will not, each with its sentence."""
        return [row for row in self.rows if not row.verdict.passes]

    @property
    def counts(self) -> Counter[str]:
        """How many rows there are of each kind: why they are left out, or "" for those that pass."""
        return Counter("" if row.verdict.passes else row.why for row in self.rows)

    @cached_property
    def totals(self) -> list[Money]:
        """What the rows that pass come to."""
        sums: Counter[str] = Counter()
        for row in self.passing:
            if amount := self.action.amount_of(row.subject):
                sums[amount.currency] += amount.minor
        return [Money(minor, currency) for currency, minor in sorted(sums.items())]

    @cached_property
    def wallets(self) -> list[WalletAfter]:
        """What wallets hold once the rows that pass are carried out."""
        return self.action.balances(self.actor, [row.subject for row in self.passing])

    @property
    def summary(self) -> str:
        """ "23 will be approved · 1 your own · 1 changed since you looked": the plan in one line."""
        groups = Counter((row.verdict.state, row.why) for row in self.rows)
        return _summary(self.action, [(state, why, count) for (state, why), count in groups.items()])


def plan(actor: Actor, bulk_action: BulkAction, items: Sequence[Any], seen: Mapping[str, Seen] | None = None) -> Plan:
    """What the action would do to these items; nothing is written.

    `items` are rows visible to the actor, `seen` what was seen of them, by remote id (without it, a row counts as seen
    just now). Raises Rejected for too many.
    """
    if len(items) > MOST:
        raise Rejected(f"At most {MOST:,} at a time: narrow the selection.", code="too_many_rows")
    verdicts = bulk_action.verdicts(actor, items, seen or {})
    return Plan(actor, bulk_action, [PlannedRow(item, verdict) for item, verdict in zip(items, verdicts, strict=True)])


def all_matching(parts: Iterable[QuerySet[Any]], noun: str) -> list[Any]:
    """All rows of these queries, on every page; Rejected where that is too much at once."""
    items: list[Any] = []
    for rows in parts:
        items += rows[: MOST + 1 - len(items)]
    if len(items) > MOST:
        sentence = f"More than {MOST:,} {noun} match: narrow the filters, so that at most {MOST:,} do."
        raise Rejected(sentence, code="too_many_rows")
    return items


def store_plan(
    plan: Plan, *, query: str = "", whole: bool = False, chosen: int = 0, key: str | None = None,
    retry_of: Batch | None = None, keys: Mapping[str, str] | None = None,
) -> Batch:  # fmt: skip
    """Stores a plan until it is carried out.

    `whole` where all that match `query` are meant, `chosen` how many rows were ticked; `key` is that of the form that
    begins it; `keys` are those that rows keep, by remote id, which were sent under them before.
    """
    actor, action = plan.actor, plan.action
    batch = Batch(
        business=actor.business, membership_id=actor.member_id, list_name=action.source, verb=action.name, key=key,
        query=query[:1500], whole=whole, unseen=max(0, chosen - len(plan.rows)), retry_of=retry_of,
        given=retry_of.given if retry_of else action.given,
        given_said=retry_of.given_said if retry_of else action.given_text,
        totals=[money.text(actor.business.locale) for money in plan.totals],
        balances=[wallet.stored() for wallet in plan.wallets],
    )  # fmt: skip
    with transaction.atomic():
        batch.save(force_insert=True)
        rows = (_row(batch, plan, number, row, keys or {}) for number, row in enumerate(plan.rows, 1))
        BatchRow.objects.bulk_create(rows, batch_size=TOGETHER)
    return batch


def _row(batch: Batch, plan: Plan, number: int, planned_row: PlannedRow, keys: Mapping[str, str]) -> BatchRow:
    item, verdict, action = planned_row.subject, planned_row.verdict, plan.action
    return BatchRow(
        batch=batch,
        number=number,
        remote_id=item.remote_id,
        title=subject_of(item).title[:300],
        person=action.person_of(item)[:300],
        amount=action.amount_text(plan.actor, item),
        seen=action.seen_of(item),
        key=keys.get(item.remote_id) or str(uuid.uuid5(batch.pk, item.remote_id)),
        state=verdict.state,
        why=verdict.why[:60],
        sentence=verdict.sentence[:500],
        denied=verdict.denied,
    )


def plan_again(actor: Actor, before: Batch, *, key: str | None = None) -> Batch | None:
    """What trying again would do to the rows of a batch that failed, seen afresh, with what was given then; None where
    none of them can be seen."""
    action, failed = action_of(before), BatchResult(before).failed
    visible = {item.remote_id: item for item in action.visible(actor, [row.remote_id for row in failed])}
    items = [visible[row.remote_id] for row in failed if row.remote_id in visible]
    if not items:
        return None
    # Rows of which nobody knows whether they were done keep the key that they were sent with.
    keys = {row.remote_id: row.key for row in failed if row.state in actions.IN_DOUBT}
    planned = plan(actor, action, items)
    return store_plan(planned, query=before.query, chosen=len(failed), key=key, retry_of=before, keys=keys)


def plan_summary(batch: Batch) -> str:
    """A stored plan in one line, with how many of the ticked rows are not among what the person sees."""
    groups = batch.rows.order_by().values_list("state", "why").annotate(many=Count("pk"))
    line = _summary(action_of(batch), groups)
    return f"{line} · {batch.unseen:,} no access, or deleted" if batch.unseen else line


def left_out_of(batch: Batch) -> list[tuple[str, int]]:
    """Why and how many rows of a stored plan are left out, in the order of its line."""
    groups = batch.rows.filter(state=RowState.LEFT_OUT).order_by().values_list("why").annotate(many=Count("pk"))
    return _in_order(action_of(batch), Counter(dict(groups)))


def _summary(bulk_action: BulkAction, groups: Iterable[tuple[str, str, int]]) -> str:
    passing = 0
    remarks: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for state, why, count in groups:
        if state != RowState.WAITING:
            left_out[why] += count
            continue
        passing += count
        if why:
            remarks[why] += count
    parts = [
        f"{passing:,} {bulk_action.outcome}",
        *(bulk_action.remark(why, count) for why, count in _in_order(bulk_action, remarks)),
        *(f"{count:,} {why}" for why, count in _in_order(bulk_action, left_out)),
    ]
    return " · ".join(parts)


def _in_order(bulk_action: BulkAction, counts: Counter[str]) -> list[tuple[str, int]]:
    places = {why: place for place, why in enumerate(bulk_action.order)}
    return sorted(counts.items(), key=lambda group: (places.get(group[0], len(places)), group[0]))


def forget_old() -> int:
    """Deletes plans that nobody carried out within a day, and results as old as their source says; how many batches."""
    now = timezone.now()
    old = [Batch.objects.filter(state=Batch.State.PLANNED, created_at__lt=now - PLAN_LIFETIME)]
    old += [
        Batch.objects.filter(list_name=name, finished_at__lt=now - source.results_last)
        for name, source in ACTION_SOURCES.items()
        if source.results_last is not None
    ]
    return sum(batches.delete()[1].get("bulk.Batch", 0) for batches in old)
