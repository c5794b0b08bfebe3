"""What is ticked on a desk stays ticked over its pages and filters, is counted and summed, and is matched as a whole."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from tests.dashboard.conftest import World
from tests.dashboard.reconciliation import test_desk
from tests.dashboard.reconciliation.test_desk import bring, camt, entries, wallet
from tests.dashboard.reconciliation.test_desk_lists import rows


@pytest.fixture
def ada(world: World) -> Client:
    """Ada's browser: what is ticked is kept with her session."""
    return world.client("Ada")


def look(world: World, ada: Client, query: str = "") -> str:
    """The desk as it comes."""
    answer = ada.get(world.address(f"reconciliation/wallets/{wallet(world).remote_id}/{query}"))
    assert answer.status_code == 200
    return str(answer.content.decode())


def act(world: World, ada: Client, what: str, **form: Any) -> Any:
    return ada.post(world.address(f"reconciliation/wallets/{wallet(world).remote_id}/{what}/"), form)


def boxes(shown: str, name: str) -> list[str]:
    """The values of the ticked boxes of one side."""
    return re.findall(rf'name="{name}" value="([^"]+)" checked', shown)


def signed(shown: str) -> str:
    """What the page says that it shows."""
    found = re.search(r'name="page_rows" value="([^"]+)"', shown)
    assert found
    return html.unescape(found[1])


def selection_text(shown: str) -> str:
    """What the page says of the selection."""
    found = re.search(r'<p id="selection" role="status">(.*?)</p>', shown, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", html.unescape(found[1])).replace("\xa0", " ").strip()


def keep(world: World, ada: Client, shown: str, headers: dict[str, str] | None = None, **ticked: list[str]) -> Any:
    """The form of a page of the desk with these boxes ticked, as a change of one sends it, or the browser itself."""
    address = world.address(f"reconciliation/wallets/{wallet(world).remote_id}/select/")
    return ada.post(address, {"page_rows": signed(shown), **ticked}, headers=headers)


def test_a_tick_stays_over_pages_and_filters_and_is_counted_and_summed(world: World, ada: Client) -> None:
    assert bring(world, camt(world, [-(1_000 + place) for place in range(130)])).status_code == 302
    first = look(world, ada)
    assert selection_text(first) == "Nothing is selected."
    ticked = rows(first, "line")[:2]
    answer = keep(world, ada, first, {"HX-Request": "true"}, line=ticked)
    assert answer.status_code == 200
    assert "2 bank lines" in selection_text(answer.content.decode())
    second = look(world, ada, "?lines=2")
    assert boxes(second, "line") == []
    assert "2 bank lines" in selection_text(second)
    third = rows(second, "line")[0]
    assert keep(world, ada, second, line=[third]).status_code == 302
    filtered = look(world, ada, "?q=line+1")
    assert "3 bank lines" in selection_text(filtered)
    lines = {row["_id"]: row["amount_minor"] for row in world.upstream("/accounting/bank-lines", limit=200)["docs"]}
    total = sum(lines[row] for row in [*ticked, third])
    assert f"3 bank lines KES {total / 100:,.2f}" in selection_text(filtered)
    assert set(boxes(look(world, ada), "line")) == set(ticked)
    assert boxes(look(world, ada, "?lines=2"), "line") == [third]


def test_unticked_on_its_page_it_is_gone_and_clearing_forgets_all(world: World, ada: Client) -> None:
    assert bring(world, camt(world, [-12_34, -56_78])).status_code == 302
    shown = look(world, ada)
    one, other = rows(shown, "line")
    keep(world, ada, shown, line=[one, other])
    keep(world, ada, look(world, ada), line=[other])
    assert boxes(look(world, ada), "line") == [other]
    assert act(world, ada, "select", do="clear").status_code == 302
    assert selection_text(look(world, ada)) == "Nothing is selected."


def test_lines_of_two_pages_are_matched_with_one_entry_at_once(world: World, ada: Client) -> None:
    known = entries(world)[0]
    part = known["amount_minor"] // 3
    amounts = [part, *[-(1_000 + place) for place in range(110)], known["amount_minor"] - part]
    assert bring(world, camt(world, amounts)).status_code == 302
    lines = {row["amount_minor"]: row["_id"] for row in world.upstream("/accounting/bank-lines", limit=200)["docs"]}
    parts = {lines[part], lines[known["amount_minor"] - part]}
    pages = [look(world, ada), look(world, ada, "?lines=2")]
    by_page = [parts & set(rows(shown, "line")) for shown in pages]
    assert all(by_page)
    assert keep(world, ada, pages[0], line=list(by_page[0]), entry=[str(known["seq"])]).status_code == 302
    # The entry stands beside the second page's lines too, ticked as it was left.
    second = look(world, ada, "?lines=2")
    assert boxes(second, "entry") == [str(known["seq"])]
    form = {"page_rows": signed(second), "line": list(by_page[1]), "entry": boxes(second, "entry")}
    answer = act(world, ada, "match", do="match", **form)
    assert answer.status_code == 302, answer.content.decode()
    [match] = world.upstream("/accounting/bank-matches")["docs"]
    assert {row["_id"] for row in match["lines"]} == parts
    assert selection_text(look(world, ada)) == "Nothing is selected."


def test_what_is_suggested_is_matched_without_what_else_is_ticked(world: World, ada: Client) -> None:
    known = entries(world)[0]
    assert bring(world, camt(world, [known["amount_minor"], -12_34])).status_code == 302
    shown = look(world, ada)
    lines = {row["amount_minor"]: row["_id"] for row in world.upstream("/accounting/bank-lines")["docs"]}
    keep(world, ada, shown, line=[lines[-12_34], lines[known["amount_minor"]]])
    form = {"rule": "DAY", "line": lines[known["amount_minor"]], "entry": str(known["seq"])}
    assert act(world, ada, "match", **form).status_code == 302
    [match] = world.upstream("/accounting/bank-matches")["docs"]
    assert len(match["lines"]) == 1
    assert boxes(look(world, ada), "line") == [lines[-12_34]]
    assert "1 bank line KES -12.34" in selection_text(look(world, ada))


def test_a_page_that_does_not_say_what_it_shows_or_is_another_wallets_changes_nothing(
    world: World, ada: Client
) -> None:
    assert bring(world, camt(world, [-12_34])).status_code == 302
    shown = look(world, ada)
    [line] = rows(shown, "line")
    keep(world, ada, shown, line=[line])
    for forged in ("", "forged", signed(shown)[:-2]):
        assert act(world, ada, "select", page_rows=forged).status_code == 302
        assert boxes(look(world, ada), "line") == [line]
    assert test_desk.act(world, "select", by="Rita", page_rows=signed(shown), line=line).status_code == 403
    assert selection_text(look(world, ada)) != "Nothing is selected."


def test_without_scripts_sums_are_shown_and_the_ticks_stay(world: World, ada: Client) -> None:
    assert bring(world, camt(world, [-12_34, -56_78])).status_code == 302
    shown = look(world, ada)
    one, _ = rows(shown, "line")
    summed = act(world, ada, "match", do="sum", page_rows=signed(shown), line=[one])
    assert summed.status_code == 200
    assert "1 bank line" in selection_text(summed.content.decode())
    assert boxes(look(world, ada), "line") == [one]


def test_more_than_are_matched_at_once_are_refused_in_words(world: World, ada: Client) -> None:
    assert bring(world, camt(world, [-(1_000 + place) for place in range(101)])).status_code == 302
    lines = [row["_id"] for row in world.upstream("/accounting/bank-lines", limit=200)["docs"]]
    answer = act(world, ada, "match", do="match", line=lines, entry=str(entries(world)[0]["seq"]))
    assert answer.status_code == 422
    assert "At most 100 bank lines" in answer.content.decode()
