"""The weekly sample on the screen: what was approved, by whom or by nobody, and what the second look has found."""

from dataclasses import dataclass
from typing import TypedDict

from django.core.paginator import Page, Paginator

from dashboard.access.actor import Actor
from dashboard.decisions.models import WeeklyDraw, WeeklySample
from dashboard.decisions.weekly import LOOKBACK, MOST_DRAWN, weekly_samples_of
from dashboard.decisions.weekly_checks import SampleView, sample_views
from dashboard.mirror.item_kinds import ITEM_KINDS, item_path
from dashboard.money import text
from dashboard.pages.approvals.forms import CheckedSampleForm
from dashboard.times import day_and_time

ROWS = 50


@dataclass(frozen=True, slots=True)
class WeeklyRow:
    """A drawn approval as text; title and amount "" where this person may not see the item, `refusal` why they cannot mark
    it, `checked` by whom and when ("" for nobody)."""

    id: int
    week: str
    noun: str
    title: str
    address: str
    amount: str
    approved: str
    is_automatic: bool
    checked: str
    is_in_order: bool
    note: str
    refusal: str
    form: CheckedSampleForm


class WeeklySamplesContext(TypedDict):
    """What approvals/weekly_samples.html reads; `share` is in percent, `days` how far a draw looks back, `newest`
    what the newest draw was of, "" before one."""

    rows: list[WeeklyRow]
    pages: Page[WeeklySample]
    only: str
    share: int
    most: int
    days: int
    newest: str


def weekly_samples_context(
    actor: Actor, number: str | None, *, refused: tuple[int, CheckedSampleForm] | None = None
) -> WeeklySamplesContext:
    """A page of the samples; `refused` is the form of a sample as it was sent in and was wrong."""
    pages = Paginator(weekly_samples_of(actor), ROWS).get_page(number)
    forms = dict([refused]) if refused else {}
    draw = WeeklyDraw.objects.filter(business=actor.business).order_by("-monday").first()
    return {
        "rows": [_row(actor, view, forms) for view in sample_views(actor, list(pages))],
        "pages": pages,
        "only": "",
        "share": actor.business.sample_percent,
        "most": MOST_DRAWN,
        "days": LOOKBACK.days,
        "newest": _draw_text(draw) if draw else "",
    }


def _draw_text(draw: WeeklyDraw) -> str:
    return (
        f"The draw for the week from {draw.monday.day} {draw.monday:%b %Y} counted {draw.decided_count:,} "
        f"item{'s' * (draw.decided_count != 1)} that people approved through this dashboard and {draw.automatic_count:,} "
        "approved by nobody, as far as the copy showed."
    )


def _row(actor: Actor, view: SampleView, forms: dict[int, CheckedSampleForm]) -> WeeklyRow:
    sample, item, business = view.sample, view.item, actor.business
    noun = ITEM_KINDS[sample.object_type].label if sample.object_type in ITEM_KINDS else "Item"
    amount = "" if sample.amount_minor is None else text(sample.amount_minor, sample.currency, business.locale)
    decision, checked_at = sample.decision, sample.checked_at
    by = f"Approved by {decision.membership.user}, {day_and_time(decision.created_at, business)}." if decision else ""
    return WeeklyRow(
        id=sample.pk, week=f"Week from {sample.draw.monday.day} {sample.draw.monday:%b %Y}", noun=noun,
        title=sample.title if item else "",
        address=item_path(business.slug, sample.object_type, sample.object_id) if item else "",
        amount=amount if item else "", approved=by or sample.route, is_automatic=decision is None,
        checked=f"{sample.checked_by_name}, {day_and_time(checked_at, business)}" if checked_at else "",
        is_in_order=bool(sample.is_in_order), note=sample.note if item else "", refusal=view.refusal,
        form=forms.get(sample.pk) or CheckedSampleForm(auto_id=f"id_{sample.pk}_%s"),
    )  # fmt: skip
