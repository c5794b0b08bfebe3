"""The palette leads to the pages of bills, vendors and payouts that have no entry in the sidebar: to each, whom it is open to."""

from __future__ import annotations

import pytest

from dashboard.pages.finder.selectors.hits import search
from dashboard.pages.finder.selectors.pay_desk import PAY_DESK
from tests.dashboard.conftest import World


def pages(world: World, person: str, typed: str) -> dict[str, str]:
    """The pages that the palette offers somebody, by their titles."""
    return {
        hit.title: hit.href
        for group in search(world.actor(person), typed)
        if group.title == "Pages"
        for hit in group.hits
    }


@pytest.mark.parametrize("person", ["Ada", "Apollo", "Selma", "Rita", "Carla"])
def test_what_is_offered_opens_and_what_is_not_is_not_open(world: World, person: str) -> None:
    for title, name, _ in PAY_DESK:
        address = {"bills": "bills", "vendors": "vendors", "payouts": "payouts"}[name.partition("_")[0]]
        offered = pages(world, person, title)
        if title in offered:
            assert address in offered[title]
            assert world.client(person).get(offered[title]).status_code == 200, (person, title)
        else:
            href = pages(world, "Apollo", title)[title]
            own = href.replace(world.actor("Apollo").business.slug, world.actor(person).business.slug)
            assert world.client(person).get(own).status_code == 403, (person, title)


def test_they_are_found_by_a_word_of_theirs(world: World) -> None:
    assert "New payout" in pages(world, "Ada", "new pay")
    assert "Payee changes" in pages(world, "Apollo", "payee")
    assert pages(world, "Carla", "payee") == {}
