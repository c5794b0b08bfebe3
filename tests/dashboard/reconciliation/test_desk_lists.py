"""The lists of a wallet's desk: searched by text, amount and day, paged, and an act leads back to what was looked at."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import Any
from urllib.parse import urlencode

import pytest

from dashboard.pages.reconciliation.presenters import desk as desk_presenters
from dashboard.pages.reconciliation.presenters import desk_page
from dashboard.pages.reconciliation.presenters import statements as statement_presenters
from dashboard.pages.reconciliation.presenters.desk import entries_pager, numbered_pager
from dashboard.pages.reconciliation.selectors import statements as statement_selectors
from dashboard.pages.reconciliation.selectors.matches import SuggestedMatches
from dashboard.schemas.reconciliation import Suggestions
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import act, bring, camt, entries, wallet


def look(world: World, query: str = "") -> str:
    """The desk as it comes."""
    answer = world.client("Ada").get(world.address(f"reconciliation/wallets/{wallet(world).remote_id}/{query}"))
    assert answer.status_code == 200
    return str(answer.content.decode())


def rows(shown: str, name: str) -> list[str]:
    """The values of the boxes of one side."""
    return re.findall(rf'name="{name}" value="([^"]+)"(?: checked)?>\s*<label', shown)


def query_of(shown: str, label: str, rel: str) -> str:
    """Where a pager leads to."""
    pager = re.search(rf'<nav class="pager" aria-label="{label}">(.*?)</nav>', shown, re.DOTALL)
    link = re.search(rf'rel="{rel}" href="([^"]+)"', pager[1]) if pager else None
    return html.unescape(link[1]) if link else ""


def test_every_bank_line_is_reached_a_page_after_the_other(world: World) -> None:
    amounts = [-(1_000 + place) for place in range(230)]
    assert bring(world, camt(world, amounts)).status_code == 302
    shown, seen = look(world), []
    assert "1–100 of 230" in shown
    pages = 1
    seen += rows(shown, "line")
    while following := query_of(shown, "Pages of bank lines", "next"):
        assert "lines_after=" in following
        shown = look(world, query=following)
        seen += rows(shown, "line")
        pages += 1
    assert pages == 3
    assert len(seen) == len(set(seen)) == 230
    assert query_of(shown, "Pages of bank lines", "prev").endswith("lines=2")


def test_statements_go_on_by_key_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (statement_selectors, desk_presenters, statement_presenters):
        monkeypatch.setattr(module, "MOST_STATEMENTS", 1)
    assert bring(world, camt(world, [-43_21])).status_code == 302
    assert bring(world, camt(world, [-12_34])).status_code == 302
    following = query_of(look(world), "Pages of statements", "next")
    assert "statements=2" in following
    assert "statements_after=" in following
    assert "2–2 of 2" in look(world, query=following)
    listed = world.client("Ada").get(world.address("reconciliation/")).content.decode()
    following = query_of(listed, "Pages of statements", "next")
    assert "statements_after=" in following
    second = world.client("Ada").get(world.address(f"reconciliation/{following}")).content.decode()
    assert query_of(second, "Pages of statements", "next") == ""


def test_a_text_an_amount_and_days_leave_out_the_rest_on_every_list(world: World) -> None:
    known = entries(world)[0]
    assert bring(world, camt(world, [known["amount_minor"], -12_34, -12_34, -99_00])).status_code == 302
    shown = look(world, query="?q=line+2")
    assert len(rows(shown, "line")) == 1
    assert "Line 2" in shown
    assert "Line 4" not in shown
    assert len(rows(look(world, query="?amount=12.34"), "line")) == 2
    day = date.fromisoformat(known["effective_on"])
    assert len(rows(look(world, query=f"?since={day}&until={day}"), "line")) == 4
    later = look(world, query="?since=2090-01-01")
    assert not rows(later, "line")
    assert "No row fits the filter." in later
    assert "Every bank line is matched." not in later
    assert "Nothing that fits the filter is suggested." in later
    assert "of the whole wallet" in later


@pytest.mark.parametrize(
    ("query", "problem"),
    [("amount=plenty", "Enter digits"), ("amount=1.234", "digits after the point"), ("since=yesterday", "Enter the date"),
     ("since=2026-02-01&until=2026-01-01", "The last day lies before the first.")],
)  # fmt: skip
def test_what_is_not_understood_is_said_at_its_field_and_filters_nothing(
    world: World, query: str, problem: str
) -> None:
    assert bring(world, camt(world, [-12_34])).status_code == 302
    shown = look(world, query=f"?{query}")
    assert problem in shown
    assert 'aria-invalid="true"' in shown


def test_an_act_leads_back_to_what_was_looked_at(world: World) -> None:
    known = entries(world)[0]
    assert bring(world, camt(world, [known["amount_minor"], -12_34])).status_code == 302
    query = urlencode({"q": "line 1", "suggested": "1"})
    line = rows(look(world, query=f"?{query}"), "line")[0]
    form = {"line": line, "entry": known["seq"]}
    answer = world.client("Ada").post(
        world.address(f"reconciliation/wallets/{wallet(world).remote_id}/match/?{query}"), form
    )
    assert answer.status_code == 302
    assert "q=line+1" in answer.url
    assert act(world, "match", line=line, entry=known["seq"]).status_code in {409, 422}


def test_pagers_lead_nowhere_beyond_the_ends() -> None:
    alone = numbered_pager("Pages", {}, "lines", 1, 100, 100)
    assert (alone.range_text, alone.previous, alone.next) == ("", "", "")
    middle = numbered_pager("Pages", {"q": "a b"}, "lines", 2, 100, 250)
    assert (middle.range_text, middle.previous, middle.next) == ("101–200 of 250", "q=a+b&lines=1", "q=a+b&lines=3")
    assert numbered_pager("Pages", {}, "lines", 3, 100, 250).next == ""
    # Far from the first page nothing is counted through: on by key, back to the first.
    far = numbered_pager("Pages", {}, "lines", 5, 100, 1_000, "abc")
    assert (far.previous, far.back, far.next) == ("lines=1", "First", "lines=6&lines_after=abc")
    beyond = numbered_pager("Pages", {}, "lines", 9, 100, 250)
    assert (beyond.range_text, beyond.next) == ("", "")
    assert entries_pager({"q": "x", "before": "7"}, 7, 0).previous == "q=x"
    assert entries_pager({}, 0, 5).next == "before=5"


def test_the_checklist_of_a_period_leads_to_just_its_rows_of_the_look(world: World) -> None:
    assert bring(world, camt(world, [-12_34, -99_00])).status_code == 302
    day = date.fromisoformat(entries(world)[0]["effective_on"])
    name = f"{day:%Y-%m}"
    shown = world.client("Ada").get(world.address(f"accounting/{name}/")).content.decode()
    item = re.search(r'href="([^"]*reconciliation/wallets/[^"]*)"[^>]*>(.*?)</a>', shown, re.DOTALL)
    assert item is not None, shown
    address = html.unescape(item[1])
    assert f"since={name}-01" in address
    answer: Any = world.client("Ada").get(address)
    assert len(rows(answer.content.decode(), "line")) == 2


def a_desk_of(monkeypatch: pytest.MonkeyPatch, uncounted: int = 0, **suggested: Any) -> None:
    """The service suggests this, and three matches are certain, for which so many lines were not looked at."""
    answer = Suggestions.model_validate({"docs": [], "total": 0, "certain": 0, **suggested})
    monkeypatch.setattr(desk_page, "suggestions_of", lambda *_: SuggestedMatches(answer, "", 3, uncounted))


def test_what_is_accepted_of_the_whole_wallet_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    days = {"window_from": "2026-09-01", "window_to": "2026-09-30"}
    a_desk_of(monkeypatch, **days)
    assert "Accept 3 certain matches</button>" in look(world)
    # The list is of these days alone, the button is not.
    assert "Accept 3 certain matches of the whole wallet</button>" in look(world, "?window=2026-09-01")
    a_desk_of(monkeypatch, **days, left_out=4)
    assert "Accept 3 certain matches of the whole wallet</button>" in look(world)
    # Not of the whole one where there are more lines than are looked at.
    a_desk_of(monkeypatch, 1_200, **days, left_out=4)
    shown = look(world)
    assert "Accept 3 certain matches of the oldest lines</button>" in shown
    assert "1,200 later lines were not looked at." in shown


def test_days_behind_the_last_unmatched_line_say_that_others_lie_before_them(world: World) -> None:
    assert bring(world, camt(world, [-43_21, -12_34])).status_code == 302
    shown = look(world, "?window=2099-01-01")
    assert "No bank line is unmatched from the day chosen on; 2 unmatched lines lie before it." in shown
    assert "Suggested for the unmatched lines of" not in shown
    assert query_of(shown, "Days of suggestions", "prev") == "?"


def test_later_days_are_named_where_they_can_hold_what_fits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    days = {"window_from": "2026-09-01", "window_to": "2026-09-30", "following_window": "2026-10-03", "left_out": 2}
    a_desk_of(monkeypatch, **days)
    shown = look(world)
    assert "window=2026-10-03" in query_of(shown, "Days of suggestions", "next")
    assert "Nothing is suggested in these days." in shown
    shown = look(world, "?until=2026-10-03")
    assert "window=2026-10-03" in query_of(shown, "Days of suggestions", "next")
    assert "Nothing that fits the filter is suggested in these days." in shown
    # Behind the last day of the filter nothing fits it.
    shown = look(world, "?until=2026-10-02")
    assert query_of(shown, "Days of suggestions", "next") == ""
    assert "Nothing that fits the filter is suggested." in shown


@pytest.mark.parametrize(
    ("lines", "entries_left", "sentence"),
    [
        (2, 0, "to try their sums: no sum of entries was looked for of 2 bank lines. These"),
        (0, 1, "to try their sums: no sum of bank lines was looked for of 1 entry. These"),
        (1, 1200, "was looked for of 1 bank line, and no sum of bank lines of 1,200 entries. These"),
        (0, 0, ""),
    ],
)
def test_for_which_side_no_sums_were_tried_is_said_and_of_the_other_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: int, entries_left: int, sentence: str
) -> None:
    a_desk_of(monkeypatch, unsearched_lines=lines, unsearched_entries=entries_left)
    shown = look(world)
    assert sentence in shown
    assert ("to try their sums" in shown) is bool(sentence)
