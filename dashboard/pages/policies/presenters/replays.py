"""Replays as they are shown: what would have gone another way, by team and person, with the items as links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict

from django.core.paginator import Page, Paginator
from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.mirror.models import Employee, Team
from dashboard.money import text
from dashboard.policies import weighed_items
from dashboard.policies.models import Replay, ReplayChange, ReplayItem, ReplayState
from dashboard.policies.replay_text import replay_summary
from dashboard.policies.replays import visible_replays
from dashboard.policies.results import GroupCount
from dashboard.times import day, day_and_time

TONES = {
    ReplayState.QUEUED: "info", ReplayState.RUNNING: "info", ReplayState.DONE: "ok", ReplayState.FAILED: "bad", ReplayState.CANCELLED: "",
}  # fmt: skip
CHANGE_TONES = {
    ReplayChange.NOBODY: "bad",
    ReplayChange.BLOCKED: "bad",
    ReplayChange.APPROVAL: "info",
    ReplayChange.FLAGGED: "warn",
}
ON_A_PAGE, MOST_REPLAYS, MOST_GROUPS = 50, 100, 10
METHOD = (
    "Both sides are weighed with what the copy has: the policies, workflows and mandates in force now, and the same with "
    "the change.",
    "Limits over a period count what was spent then, whether or not it would have been blocked; a purchase with a card "
    "counts from when it was posted.",
    "Items count with the category that they have now; card purchases are weighed without a category, as when the card was used. "
    "Approvers are those of today, and the extra approval for a high risk is not weighed.",
    "What was blocked or refused back then never became an item, so it is not among these.",
)


@dataclass(frozen=True, slots=True)
class ReplayLine:
    """A replay as a line of the list."""

    replay: Replay
    state: tuple[str, str]
    who: str
    when: str
    summary: str


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item that would have gone another way; `address` leads to it."""

    item: ReplayItem
    address: str
    amount: str
    when: str
    who: str
    change: tuple[str, str]


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A team or a person with how many of its items would have gone another way, in words."""

    name: str
    text: str


class ReplaysContext(TypedDict):
    """What policies/replays.html reads."""

    here: str
    lines: list[ReplayLine]


class ReplayContext(TypedDict):
    """What policies/replay.html reads; `changes` are the filters with their counts, `fields` what was typed."""

    here: str
    replay: Replay
    state: tuple[str, str]
    who: str
    when: str
    days: str
    sentences: list[tuple[str, bool]]
    wait: str
    method: tuple[str, ...]
    teams: list[GroupLine]
    people: list[GroupLine]
    changes: list[tuple[str, str, int]]
    only: str
    lines: list[ItemLine]
    pages: Page[ReplayItem]
    cut: int
    is_mine: bool
    may_change: bool
    fields: list[tuple[str, str]]


def replays_context(actor: Actor) -> ReplaysContext:
    """The replays of the business, the newest first."""
    rows = visible_replays(actor).order_by("-created_at")[:MOST_REPLAYS]
    return {"here": "replays", "lines": [_line(actor, row) for row in rows]}


def _line(actor: Actor, row: Replay) -> ReplayLine:
    summary = replay_summary(row)
    return ReplayLine(
        row, _state(row), row.membership.user.get_full_name(), day_and_time(row.created_at, actor.business),
        summary[0][0] if summary else "",
    )  # fmt: skip


def _state(row: Replay) -> tuple[str, str]:
    return ReplayState(row.state).label, TONES[ReplayState(row.state)]


def replay_context(actor: Actor, row: Replay, change: str, number: str | None) -> ReplayContext:
    """One replay, with a page of the items of a kind of change."""
    counts: Mapping[str, int] = row.result.get("changes", {})
    change = change if change in ReplayChange.values else ""
    items = row.items.order_by("change", "-happened_at", "pk")
    if change:
        items = items.filter(change=change)
    pages = Paginator(items, ON_A_PAGE).get_page(number)
    names = _names(actor)
    stored = row.items.count() if row.is_done else 0
    return {
        "here": "replays",
        "replay": row,
        "state": _state(row),
        "who": row.membership.user.get_full_name(),
        "when": day_and_time(row.created_at, actor.business),
        "days": f"{days_of_replay(row)}",
        "sentences": replay_summary(row),
        "wait": _wait(row),
        "method": METHOD,
        "teams": _groups(row.result.get("teams", []), names, "no team"),
        "people": _groups(row.result.get("people", []), names, "nobody in particular"),
        "changes": [(code.value, code.label, counts[code.value]) for code in ReplayChange if counts.get(code.value)],
        "only": change,
        "lines": [_item(actor, item, names) for item in pages.object_list],
        "pages": pages,
        "cut": max(0, sum(counts.values()) - stored),
        "is_mine": row.membership_id == actor.membership_id,
        "may_change": bool(can_open(actor, operations.UPDATE_POLICY)) and bool(row.form.get("address")),
        "fields": [(name, value) for name, value in row.form.get("fields", [])],
    }


def days_of_replay(row: Replay) -> str:
    """The days of a replay: "27 Aug to 24 Nov 2026"."""
    return f"{row.first_day.day} {row.first_day:%b %Y} to {row.last_day.day} {row.last_day:%b %Y}"


def _names(actor: Actor) -> dict[str, str]:
    people = Employee.objects.filter(business=actor.business).values_list("remote_id", "name")
    teams = Team.objects.filter(business=actor.business).values_list("remote_id", "name")
    return {**dict(people), **dict(teams)}


def _groups(groups: Iterable[GroupCount], names: Mapping[str, str], nobody: str) -> list[GroupLine]:
    return [
        GroupLine(
            names.get(group["id"], nobody if not group["id"] else "not known here"),
            ", ".join(
                f"{count:,} {ReplayChange(code).label.lower()}"
                for code, count in sorted(group["counts"].items())
                if count
            ),
        )
        for group in list(groups)[:MOST_GROUPS]
    ]


def _item(actor: Actor, replay_item: ReplayItem, names: Mapping[str, str]) -> ItemLine:
    address = reverse(
        "expenses_item" if replay_item.kind == weighed_items.EXPENSE else "bills_item",
        args=[actor.business.slug, replay_item.remote_id],
    )
    return ItemLine(
        replay_item, address, text(replay_item.amount_minor, replay_item.currency, actor.business.locale),
        day(replay_item.happened_at, actor.business), names.get(replay_item.person_id, ""),
        (ReplayChange(replay_item.change).label, CHANGE_TONES.get(ReplayChange(replay_item.change), "")),
    )  # fmt: skip


def _wait(row: Replay) -> str:
    """How long requests take now, which each request more would wait as well."""
    minutes, sample = row.result.get("wait_minutes"), row.result.get("wait_sample", 0)
    if not row.is_done or minutes is None:
        return ""
    hours = f"{minutes / 60:.1f} hours" if minutes >= 60 else f"{minutes} minutes"
    return f"A request waits {hours} for its decision: the median of {sample:,} decided in these days."
