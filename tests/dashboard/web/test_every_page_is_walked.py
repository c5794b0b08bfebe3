"""No page and no control is forgotten by the walk that plays every fault (tests/browser/test_every_control.py)."""

from __future__ import annotations

import re
from pathlib import Path

from django.urls import get_resolver

from tests.browser.routes import AFTER_AN_ACT, NO_PAGE, get_addresses, pages, reason_against
from tests.browser.states import STATES
from tests.browser.template_controls import template_controls

BROWSER = Path(__file__).parents[2] / "browser"


def test_every_address_that_takes_get_is_opened_by_somebody_or_has_a_reason() -> None:
    every = [address for address, _ in get_addresses()]
    without = {address for address in every if not reason_against(address)} - pages().keys() - {"/-/you/"}
    assert not without
    assert not [page for page, who in pages().items() if not who], "a page that none of those who walk may open"


def test_no_reason_is_left_of_what_is_no_longer_there() -> None:
    every = [address for address, _ in get_addresses()]
    assert not [looks for looks in NO_PAGE if not any(re.search(looks, address) for address in every)]
    assert not AFTER_AN_ACT.keys() - pages().keys()
    named = {how for how in AFTER_AN_ACT.values() if not how.endswith(".py")}
    assert not named - STATES.keys()
    assert not [how for how in AFTER_AN_ACT.values() if how.endswith(".py") and not (BROWSER / how).is_file()]


def test_every_control_of_a_template_has_the_names_of_what_it_asks() -> None:
    assert not [control.where for control in template_controls() if not control.names]
    known = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert not {name for control in template_controls() for name in control.names if name.split()[0] not in known}
