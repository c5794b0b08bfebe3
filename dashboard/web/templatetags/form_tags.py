"""What every form of ours carries, in every template without being loaded (config/settings/dashboard.py)."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.web.submission import new_key

register = template.Library()


@register.simple_tag
def form_key() -> SafeString:
    """A hidden key for a form that is drawn once: what became of it can be asked by it (dashboard/pages/submissions)."""
    return format_html('<input type="hidden" name="key" value="{}">', new_key())
