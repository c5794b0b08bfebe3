"""A template of Jinja2's in a page of Django's: {% jinja "wallet_policies/rows.html" lines=matrix.lines %}"""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from dashboard.web.jinja2 import markup

register = template.Library()


@register.simple_tag
def jinja(name: str, **values: Any) -> SafeString:
    """The template, or the macro of it after a #, rendered with these values alone (dashboard/web/jinja2.py)."""
    return markup(name, **values)
