"""How a cell of money is marked and a chart handed over, in every template without being loaded (config/settings/dashboard.py)."""

import json

from django import template

from dashboard.money import digits_class
from dashboard.web.charts import Chart

register = template.Library()
register.filter("digits_class", digits_class)


@register.filter
def as_json(figures: Chart) -> str:
    """The figures of a chart (dashboard/web/charts.py) as the text that js/charts.js reads."""
    return json.dumps(figures)
