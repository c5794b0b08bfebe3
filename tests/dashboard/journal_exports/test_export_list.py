"""The list of exports: every one is reached, those of the service and ours that are none there, a page after the other."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from dashboard.journal_exports.models import JournalExport
from dashboard.pages.journal_exports.selectors import exports as selectors
from tests.dashboard.accounting.test_periods import spend
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports.test_exports import ROOM, exported


def listed_of(answer: Any) -> list[str]:
    """The addresses of the exports of a page of the list, in its order."""
    return re.findall(r'<td><a href="[^"]*/journal-exports/([0-9a-f-]{36})/"', answer.content.decode())


def older_of(answer: Any, label: str = "Pages of exports") -> str:
    pager = re.search(rf'aria-label="{label}">(.*?)</nav>', answer.content.decode(), re.DOTALL)
    link = re.search(r'rel="next" href="([^"]+)"', pager[1]) if pager else None
    return unescape(link[1]) if link else ""


def test_every_export_is_reached_a_page_after_the_other(proxied_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world = proxied_world
    monkeypatch.setattr(selectors, "MOST_LISTED", 2)
    made = []
    for number in range(5):
        spend(world, 1)
        made.append(str(exported(world, ["csv"], key=f"form-{number}").pk))
    refused = JournalExport.objects.get(pk=made[0])
    loose = [
        JournalExport.objects.create(
            business=world.business, key=f"loose-{number}", first_day=refused.first_day, last_day=refused.last_day,
            formats=["csv"], mapping={}, created_by=refused.created_by, is_refused=True,
        )
        for number in range(3)
    ]  # fmt: skip
    ada, seen, query = world.client("Ada"), [], ""
    for _ in range(3):
        answer = ada.get(world.address(ROOM) + query)
        seen += [pk for pk in listed_of(answer) if pk in made]
        query = older_of(answer)
    assert (query, seen) == ("", made[::-1])
    others, query = [], ""
    for _ in range(2):
        answer = ada.get(world.address(ROOM) + query)
        others += [pk for pk in listed_of(answer) if pk not in made]
        query = older_of(answer, "Pages of what is not exported")
    assert (query, others) == ("", [str(row.pk) for row in reversed(loose)])
    # Without the service they are all reached from our own rows.
    assert world.proxy is not None
    world.proxy.fail("500", path="/v2/accounting/journal-exports")
    seen, query = [], ""
    for _ in range(4):
        answer = ada.get(world.address(ROOM) + query)
        seen += listed_of(answer)
        query = older_of(answer, "Pages of what is not exported")
    assert (query, seen) == ("", [str(row.pk) for row in reversed(loose)] + made[::-1])
