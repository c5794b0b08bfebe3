"""Every control that the templates hold (hx-get, hx-post, {% polls %} …), and the views that each may ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("templates", "templates_jinja")
CONTROL = re.compile(r"""\bhx-(?:get|post|put|patch|delete)="([^"]*)"|\{% polls (\S+)""")
NAMED = re.compile(r"\{% url '([\w-]+)'[^%]*%\}")
NAMED_BEFORE = re.compile(r"\{% url '([\w-]+)'[^%]* as (\w+) %\}")
# Where the address is put together of parts, or is the view's: what it may be. One of them is enough to have met the control.
MAY_BE = {
    ("approvals/inbox.html", "totals_address"): {"approvals_totals"},
    ("approvals/override.html", "approve"): {"approvals_approve_expense override"},
    ("approvals/pane.html", "choice.verb"): {"approvals_approve_expense", "approvals_reject_expense"},
    ("documents/viewer.html", "paper.href"): {"documents_receipt", "documents_payment"},
    ("home/home.html", "widget.name"): {"home_queue", "home_cash"},
    ("lists/list.html", "totals_address"): {"expenses_totals", "customers_totals", "transactions_totals"},
    ("lists/bar.html", "address"): {"expenses", "customers", "transactions"},
}


@dataclass(frozen=True)
class TemplateControl:
    """A control of a template: where it stands, and the names of the views that it may ask."""

    where: str
    names: frozenset[str]


def template_controls() -> Iterator[TemplateControl]:
    """All of them."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.html")):
            text, template = file.read_text(), str(file.relative_to(ROOT / folder))
            before = {variable: name for name, variable in NAMED_BEFORE.findall(text)}
            for match in CONTROL.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                names = _names(template, match[1] or match[2], before)
                yield TemplateControl(f"{template}:{line}", frozenset(names))


def _names(template: str, address: str, before: dict[str, str]) -> set[str]:
    part = next((part for where, part in MAY_BE if where == template and part in address), "")
    if part:
        return MAY_BE[template, part]
    variable = re.sub(r"^\{\{ (\w+) \}\}.*|\|.*$", r"\1", address)
    if variable in before:
        return {before[variable]}
    named = NAMED.fullmatch(address)
    return {named[1]} if named else set()
