"""How a cell of money is marked and a chart handed over, in every template without being loaded (config/settings/dashboard.py)."""

import json
from collections.abc import Mapping

from django import template

from dashboard.money import digits_class

register = template.Library()
register.filter("digits_class", digits_class)


@register.filter
def as_json(figures: Mapping[str, object]) -> str:
    """The figures of a chart (dashboard/web/charts.py) as the text that js/charts.js reads."""
    return json.dumps(figures)
