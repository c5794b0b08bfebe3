"""The drawn approvals on the screen: what was approved, by whom, and what the second look has found."""

from dataclasses import dataclass
from typing import Any, TypedDict

from django.core.paginator import Page, Paginator
from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.decisions.clean import RULE
from dashboard.decisions.models import Sample
from dashboard.decisions.samples import samples_of, why_not_checked
from dashboard.money import text
from dashboard.pages.approvals.forms import CheckedSampleForm
from dashboard.times import day_and_time

ROWS = 50


@dataclass(frozen=True)
class SampleRow:
    """A drawn approval as text; `refusal` why this person cannot mark it, `checked` by whom and when ("" for nobody)."""

    id: int
    title: str
    address: str
    amount: str
    approved: str
    checked: str
    is_in_order: bool
    note: str
    refusal: str
    form: CheckedSampleForm


class SamplesContext(TypedDict):
    """What approvals/samples.html reads; `share` is in percent."""

    pages: Page[SampleRow]
    share: int
    clean_rule: str


def samples_context(
    actor: Actor,
    number: str | None,
    *,
    refused: tuple[int, CheckedSampleForm] | None = None,
) -> SamplesContext:
    """A page of the samples that the actor may see; `refused` is the form of a sample as it was sent in and was wrong."""
    pages: Page[Any] = Paginator(samples_of(actor), ROWS).get_page(number)
    forms = dict([refused]) if refused else {}
    pages.object_list = [_row(actor, sample, forms) for sample in pages.object_list]
    return {"pages": pages, "share": actor.business.sample_percent, "clean_rule": RULE}


def _row(actor: Actor, sample: Sample, forms: dict[int, CheckedSampleForm]) -> SampleRow:
    decision, business = sample.decision, actor.business
    checked = f"{sample.checked_by_name}, {day_and_time(sample.checked_at, business)}" if sample.checked_at else ""
    return SampleRow(
        id=sample.pk,
        title=decision.title,
        address=reverse("expenses_item", args=[business.slug, decision.object_id]),
        amount=text(decision.amount_minor or 0, decision.currency, business.locale),
        approved=f"{decision.membership.user}, {day_and_time(decision.created_at, business)}",
        checked=checked,
        is_in_order=bool(sample.is_in_order),
        note=sample.note,
        refusal=why_not_checked(actor, sample),
        form=forms.get(sample.pk) or CheckedSampleForm(auto_id=f"id_{sample.pk}_%s"),
    )
