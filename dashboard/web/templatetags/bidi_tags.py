"""The filters that every printed variable goes through; dashboard/web/loaders.py puts them there, no template has to."""

from typing import Any

from django import template

from dashboard.bidi import in_markup, isolated_text, isolated_value, turns

register = template.Library()


@register.filter
def bdi(value: Any) -> Any:
    """In the text of a page: isolated by <bdi> where it needs it, else the value as it came."""
    text = isolated_text(value)
    return value if text is None or not turns(text) else in_markup(text)


@register.filter
def fsi(value: Any) -> Any:
    """Where no markup can stand (a title, a mail): isolated by FSI … PDI where it needs it, else the value as it came."""
    return isolated_value(value)
