"""The gate in templates: the same code that checks a click decides whether its button is there.

{% can "approve_expense" expense as verdict %}  the whole gate; {{ verdict.reason }} says why not
{% can_open "list_expenses" as verdict %}       the role part, for navigation (an operation's or a page's name, or that of
                                                an extension)
"""

from typing import Any

from django import template

from dashboard.access.check import Verdict
from dashboard.access.check import can as may
from dashboard.access.check import can_open as may_open
from dashboard.access.operation import Operation
from dashboard.operations import OPERATIONS
from dashboard.operations_extra import OPERATIONS_EXTRA
from dashboard.operations_pages import PAGES

register = template.Library()
NOBODY = Verdict(False, "Sign in first.", rule="role")


@register.simple_tag(takes_context=True)
def can(context: Any, name: str, subject: object) -> Verdict:
    """Whether whoever looks at the page may do the operation to this subject."""
    actor = context["request"].actor
    return NOBODY if actor is None else may(actor, OPERATIONS[name], subject)


@register.simple_tag(takes_context=True)
def can_open(context: Any, name: str) -> Verdict:
    """Whether the role of whoever looks at the page opens this operation or page."""
    actor = context["request"].actor
    return NOBODY if actor is None else may_open(actor, PAGES.get(name) or _operation(name))


def _operation(name: str) -> Operation:
    return OPERATIONS.get(name) or OPERATIONS_EXTRA[name]
