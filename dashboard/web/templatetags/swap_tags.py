"""The attributes by which a part of a page is swapped, where they depend on something: no {% if %} within a tag."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def out_of_band(context: Any, swap: str = "true") -> SafeString:
    """Where the part is sent beside another (`oob`): the attribute that puts it into its own place."""
    return format_html(' hx-swap-oob="{}"', swap) if context.get("oob") else SafeString()


@register.simple_tag
def polls(
    address: str, trigger: str, *, when: object = True, unless: object = False, swap: str = "outerHTML", **query: object
) -> SafeString:
    """While `when` holds and `unless` does not: asks the address (with this query) by itself, and is replaced by the answer.

    `swap` is htmx's. What is asked so is nothing that a person does: it keeps no session alive (data-polls).
    """
    if not when or unless:
        return SafeString()
    address = f"{address}?{urlencode(query)}" if query else address
    return format_html(' hx-get="{}" hx-trigger="{}" hx-swap="{}" data-polls', address, trigger, swap)
