"""By which rule an item was categorised, on its page by one line: {% filed_by "expense" expense.remote_id %}"""

from typing import Any, TypedDict

from django import template

from dashboard import operations_pages
from dashboard.access.check import can_open
from dashboard.categorisation.filings import filing_of, with_correction
from dashboard.categorisation.models import RuleFiling
from dashboard.times import day

register = template.Library()


class FiledByContext(TypedDict):
    """What category_rules/filed_by.html reads: `day` is when the rule filed it, `is_corrected` whether somebody has filed it
    otherwise since; `leads` where the person may open the rule, which is there still."""

    filing: RuleFiling | None
    day: str
    is_corrected: bool
    leads: bool
    slug: str


@register.inclusion_tag("category_rules/filed_by.html", takes_context=True)
def filed_by(context: Any, kind: str, remote_id: str) -> FiledByContext:
    """The rule by which an item that the person sees was categorised; nothing where none has."""
    actor = context["request"].actor
    filing = filing_of(actor, kind, remote_id)
    leads = bool(filing and filing.rule_id and can_open(actor, operations_pages.CATEGORY_RULES))
    [(_, corrected)] = with_correction([filing], actor) if filing else [(None, "")]
    return {
        "filing": filing, "day": day(filing.settled_at, actor.business) if filing else "", "is_corrected": bool(corrected),
        "leads": leads, "slug": actor.business.slug,
    }  # fmt: skip
