"""An icon beside words: {% icon "check" %} or {% icon "check" 28 %}."""

from functools import lru_cache

from django import template
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

register = template.Library()


# Names and sizes are written in our templates and tables: there are fewer than this.
@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, size: int = 16) -> SafeString:
    """An icon of lucide, so many pixels wide, hidden from screen readers; drawn once, because drawing it anew costs as much
    as a row."""
    weight = {"stroke_width": 4} if size <= 10 else {}
    return mark_safe(lucide(name, size=size, aria_hidden="true", **weight))  # noqa: S308 - lucide's own drawing
