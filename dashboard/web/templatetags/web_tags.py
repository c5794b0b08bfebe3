"""Small things that templates of every area print."""

from functools import lru_cache
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

register = template.Library()


@register.simple_tag
def querystring_of(filters: Any, **changes: str) -> str:
    """The query of an address with the same filters but for these changes (escaped by the template)."""
    return str(filters.query(**changes))


@register.simple_tag
@lru_cache(maxsize=128)
def icon(name: str, size: int = 16) -> SafeString:
    """An icon of lucide, hidden from screen readers; drawn once, because drawing it anew costs as much as a row."""
    weight = {"stroke_width": 4} if size <= 10 else {}
    return mark_safe(lucide(name, size=size, aria_hidden="true", **weight))  # noqa: S308 - lucide's own drawing
