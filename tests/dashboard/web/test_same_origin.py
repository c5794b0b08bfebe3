"""What comes from a page of another website changes nothing; who may say so is the browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.dashboard.conftest import World


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something-new"])
def test_another_websites_page_is_refused_in_words(new_world: Callable[..., World], site: str) -> None:
    world = new_world()
    client = world.client("Apollo")
    answer = client.post("/-/account/logout/", headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert "sent from another website" in answer.content.decode()
    # Still signed in.
    assert client.get(world.address("approvals/")).status_code == 200


@pytest.mark.parametrize("site", ["same-origin", "none", None])
def test_our_own_page_and_one_that_does_not_say_are_judged_by_their_token(
    new_world: Callable[..., World], site: str | None
) -> None:
    client = new_world().client("Apollo")
    headers = {} if site is None else {"Sec-Fetch-Site": site}
    assert client.post("/-/account/logout/", headers=headers).status_code == 302


def test_a_link_from_another_website_still_leads_here(new_world: Callable[..., World]) -> None:
    world = new_world()
    answer = world.client("Apollo").get(world.address("approvals/"), headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
