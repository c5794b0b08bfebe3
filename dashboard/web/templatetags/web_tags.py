"""Small things that templates of every area print."""

from typing import Any

from django import template

register = template.Library()


@register.simple_tag
def querystring_of(filters: Any, **changes: str) -> str:
    """The query of an address with the same filters but for these changes (escaped by the template)."""
    return str(filters.query(**changes))
