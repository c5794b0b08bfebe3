"""Weighing the items of a replay, in a worker that may be killed at any moment.

The state is a row, and whoever weighs holds its lease: a worker thought lost that comes back finds that gone and stops.
"""

from __future__ import annotations

import statistics
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.errors import FinanceError
from dashboard.mirror.cached_responses import read_or_cached
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Approval, Bill
from dashboard.policies import models
from dashboard.policies.models import Replay, ReplayDraft, ReplayItem, ReplayState
from dashboard.policies.replays import LOST_AFTER, MOST_TRIES
from dashboard.policies.results import Tally, outcome_text, replayed
from dashboard.policies.rulebook import Rulebook, rulebook_for
from dashboard.policies.usage import Usage
from dashboard.policies.weighed_items import (
    Lookups,
    Weighed,
    WeighedPeriod,
    bills_in,
    expenses_in,
    lookups_for,
    payments_in,
    weighed_bills,
    weighed_expenses,
    weighed_payments,
)
from dashboard.policies.weighing import PolicyOutcome
from dashboard.proposals import targets
from dashboard.proposals.models import POLICY
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.wallet_policies import Mandate
from dashboard.schemas.workflows import OF_BILLS, Workflow
from dashboard.worker_lease import LeaseLostError, claim, release, renew

MOST_ITEMS = 1000
BATCH = 500
LEAST_SAMPLE = 5


def run(replay_id: uuid.UUID | str) -> bool:
    """Weighs the items of a replay, if it waits for somebody; False where another has it or it is over."""
    rows = Replay.objects.select_related("business", "membership__user", "membership__business")
    replay = claim(
        rows, replay_id, Q(state__in=models.UNFINISHED), lost_after=LOST_AFTER, most_tries=MOST_TRIES, state=ReplayState.RUNNING,
        items_done=0,
    )  # fmt: skip
    if replay is None:
        return False
    try:
        _weigh_or_fail(replay)
    except LeaseLostError:
        # Also where it failed: somebody cancelled it, or another worker has it.
        return False
    return True


def _weigh_or_fail(replay: Replay) -> None:
    try:
        _weigh(replay)
    except FinanceError as refused:
        _end(replay, ReplayState.FAILED, trouble=refused.user_message[:300])


@dataclass
class _Work:
    """Everything that a replay weighs with, and what it has found so far."""

    replay: Replay
    period: WeighedPeriod
    before: Rulebook
    after: Rulebook
    mandates: Sequence[Mandate]
    usage: Usage
    tally: Tally = field(default_factory=Tally)
    stored: dict[str, int] = field(default_factory=dict)
    batch: list[ReplayItem] = field(default_factory=list)

    def __post_init__(self) -> None:
        policies = {policy.id: policy for policy in self.before.policies}
        self.policies_before = policies
        self.policies_after = {policy.id: policy for policy in self.after.policies}

    def count(self, weighed: Weighed, before: PolicyOutcome, after: PolicyOutcome) -> None:
        """Counts an item, and keeps it where it would have gone another way; of many, the first thousand of a kind."""
        change = self.tally.add(weighed, before, after)
        if change is None or self.stored.get(change.value, 0) >= MOST_ITEMS:
            return
        self.stored[change.value] = self.stored.get(change.value, 0) + 1
        self.batch.append(
            ReplayItem(
                replay=self.replay, kind=weighed.kind, remote_id=weighed.page_id, title=weighed.title[:300],
                person_id=weighed.person_id, team_id=weighed.team_id, amount_minor=weighed.routed.amount_minor,
                currency=weighed.routed.currency, happened_at=weighed.at, change=change,
                before=outcome_text(before, self.policies_before, self.before.names)[:300],
                after=outcome_text(after, self.policies_after, self.after.names)[:300],
            )
        )  # fmt: skip


def _weigh(replay: Replay) -> None:
    reader, business = Actor.reader_for(replay.business), replay.business
    before, after = rulebooks_of(replay.draft, rulebook_for(reader))
    zone = ZoneInfo(business.time_zone)
    period = WeighedPeriod(replay.first_day, replay.last_day, zone)
    usage = Usage.of([*before.rules, *after.rules], zone)
    usage.load(business, period)
    vendor_ids = {rule.target for rule in (*before.rules, *after.rules) if rule.type == "VENDOR"} - {"SELF"}
    work = _Work(replay, period, before, after, current_mandates(reader), usage)
    kinds = kinds_of(replay.draft)
    total = _count(replay, period, kinds)
    with transaction.atomic():
        renew(replay, items_done=0, items_total=total)
        ReplayItem.objects.filter(replay=replay).delete()
    lookups = lookups_for(business, sorted(vendor_ids))
    for done, (weighed, was, becomes) in enumerate(
        replayed(_items(replay, period, lookups, kinds), before, after, work.mandates, usage), 1
    ):
        work.count(weighed, was, becomes)
        if done % BATCH == 0:
            _store(work, done)
    _store(work, work.tally.weighed.total())
    minutes, sample = wait_of(replay)
    missing = _missing_bills(replay, period) if "payments" in kinds else 0
    _end(replay, ReplayState.DONE, result=dict(work.tally.result(minutes, sample, missing)))


def rulebooks_of(replay_draft: ReplayDraft, rulebook: Rulebook) -> tuple[Rulebook, Rulebook]:
    """The rulebook in force, and the one that a draft makes of it; both have the draft's version as the one before."""
    before, after = replay_draft["before"], replay_draft["after"]
    if replay_draft["target_type"] == POLICY:
        base = rulebook.with_policy(SpendPolicy.model_validate(before)) if before else rulebook
        return base, base.with_policy(SpendPolicy.model_validate(after))
    base = rulebook.with_workflow(Workflow.model_validate(before)) if before else rulebook
    if after is None:
        gone = Workflow.model_validate(before)
        return base, base.without_workflow(gone.id)
    return base, base.with_workflow(Workflow.model_validate(after))


def kinds_of(replay_draft: ReplayDraft) -> frozenset[str]:
    """Which items a draft can be about: a workflow of bills sees no expense, and only that sees bills without payment."""
    workflow = replay_draft["after"] or replay_draft["before"] or {}
    if replay_draft["target_type"] != POLICY and workflow.get("action_type") == OF_BILLS:
        return frozenset({"payments", "bills"})
    return frozenset({"expenses", "payments"})


def _items(replay: Replay, weighed_period: WeighedPeriod, lookups: Lookups, kinds: frozenset[str]) -> Iterator[Weighed]:
    if "expenses" in kinds:
        yield from weighed_expenses(replay.business, weighed_period, lookups)
    if "payments" in kinds:
        yield from weighed_payments(replay.business, weighed_period, lookups)
    if "bills" in kinds:
        yield from weighed_bills(replay.business, weighed_period, weighed_period.zone)


def _count(replay: Replay, weighed_period: WeighedPeriod, kinds: frozenset[str]) -> int:
    rows: dict[str, QuerySet[Any]] = {
        "expenses": expenses_in(replay.business, weighed_period),
        "payments": payments_in(replay.business, weighed_period),
        "bills": bills_in(replay.business, weighed_period),
    }
    return sum(query.count() for kind, query in rows.items() if kind in kinds)


def _missing_bills(replay: Replay, weighed_period: WeighedPeriod) -> int:
    """Payments whose bill the copy has not: nothing is known of what they are for."""
    paid = payments_in(replay.business, weighed_period).values_list("payload__bill_id", flat=True)
    bill_ids = set(paid)
    known = Bill.objects.filter(business=replay.business, remote_id__in=bill_ids).values_list("remote_id", flat=True)
    return len(bill_ids - set(known))


def current_mandates(actor: Actor) -> list[Mandate]:
    """The mandates as they are now, or were when they were last read; [] where they never were."""
    cached = read_or_cached(actor, operations.LIST_MANDATES, query={"limit": targets.MOST})
    return [] if cached.data is None else typed(read_page(cached.data).rows, Mandate)


def wait_of(replay: Replay) -> tuple[int | None, int]:
    """How many minutes a request waits for its decision, the middle one of those of the replay's days, and of how many;
    None for fewer than five."""
    rows = Approval.objects.filter(
        business=replay.business, requested_at__date__gte=replay.first_day, status__in=("APPROVED", "REJECTED")
    )
    waits = [
        (decided - at).total_seconds() / 60
        for at, payload in rows.values_list("requested_at", "payload__decided_at")
        if (decided := moment(payload)) is not None
    ]
    return (round(statistics.median(waits)) if len(waits) >= LEAST_SAMPLE else None), len(waits)


def _store(work: _Work, done: int) -> None:
    # The lease first, which locks the row until the items are in: nobody else's stand beside them.
    with transaction.atomic():
        renew(work.replay, items_done=done)
        ReplayItem.objects.bulk_create(work.batch)
    work.batch = []


def _end(replay: Replay, state: ReplayState, **more: object) -> None:
    release(replay, state=state, finished_at=timezone.now(), **more)
