"""Rows of lists, written in Jinja2 (templates_jinja/): fifty of them by Django's own templates would cost a page its budget.

A page stays a template of Django's. What stands once per row is a template of Jinja2's: rendered once for all rows of a
page, from Python by `markup` or in a page by `{% jinja "cards/plastic.html#gauge" gauge=each.gauge %}`.
"""

from functools import lru_cache
from typing import Any

from django.template import engines
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment

from dashboard.bidi import isolated_value
from dashboard.money import digits_class
from dashboard.web.addresses import quoted_id

ENGINE = "rows"


def environment(**options: Any) -> Environment:
    """Jinja2's environment (settings.TEMPLATES); every value that is printed is isolated (dashboard/bidi.py), then escaped.

    Isolation is the environment's `finalize`: no template has to ask for it, and none can forget it.
    """
    env = Environment(finalize=isolated_value, **options)  # noqa: S701 - escaping is on unless the options turn it off
    env.filters["digits_class"] = digits_class
    return env


def markup(name: str, **values: Any) -> SafeString:
    """The template rendered with these values; `name#macro` calls one macro of it, as `name#partial` does in Django's.

    Raises jinja2.UndefinedError where the template prints a name that it was not given.
    """
    name, _, macro = name.partition("#")
    template = engines[ENGINE].get_template(name).template  # type: ignore[attr-defined]  # Jinja2's own, inside Django's
    text: str = getattr(template.module, macro)(**values) if macro else template.render(values)
    return mark_safe(text)  # noqa: S308 - escaped by Jinja2


def address_around(urlname: str, slug: str) -> tuple[str, str]:
    """What stands before and after the quoted id in the address of an item of a business."""
    before, after = _between_ids(urlname, slug, 1)
    return before, after


def item_address(urlname: str, slug: str, *ids: str) -> str:
    """What `reverse` gives for an item of a business, its ids quoted, at the price of joining strings."""
    pieces = _between_ids(urlname, slug, len(ids))
    return pieces[0] + "".join(quoted_id(item_id) + piece for item_id, piece in zip(ids, pieces[1:], strict=True))


@lru_cache(maxsize=512)
def _between_ids(urlname: str, slug: str, count: int) -> tuple[str, ...]:
    # Stand-ins are no ids, and lead nowhere; no slug has a capital letter.
    stand_ins = [f"X{number}X" for number in range(count)]
    rest, pieces = reverse(urlname, args=[slug, *stand_ins]), []
    for stand_in in stand_ins:
        piece, _, rest = rest.partition(stand_in)
        pieces.append(piece)
    return (*pieces, rest)
