"""Every hx control, every fault: nothing is emptied, nothing typed is taken, it is said, the control comes back.

In CI each class of controls is played once with every fault, in the full run every control of every page.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.controls import FAULTS, SHORT, Control, Fault, Stage
from tests.browser.desk import Desk
from tests.browser.places import CARD_USER, DESKS, OWNER, STAFF
from tests.browser.routes import AFTER_AN_ACT, pages
from tests.browser.session_end import wrong_once_gone
from tests.browser.states import STATES, TRIES, State
from tests.browser.template_controls import template_controls
from tests.browser.walk import Walk, route_of

# Beside the pages of the table of addresses: the same ones filtered, empty, or of a person who sees less.
MORE = {"ada": (), "apollo": STAFF + DESKS, "selma": OWNER, "carla": CARD_USER}
ENOUGH = 3
ITEM = re.compile(r"(/[a-z0-9-]+/[a-z]+/[0-9a-f]{24}/)(\?.*)?")
# Classes that must be found, lest a page that shows nothing passes for one that fails well.
KNOWN = {
    ("get", "by itself", "itself", False), ("get", "by itself", "none", False), ("get", "typed", "an id", False),
    ("get", "pressed", "an id", False), ("post", "pressed", "#pane", True), ("post", "pressed", "#talk", True),
    ("post", "pressed", "#proof", True), ("post", "typed", "an id", False),
}  # fmt: skip
# One page each on which a class stands, looked at first: the walk of CI goes no further than it has to.
FIRST = ("/{b}/approvals/?kind=expense", "/{b}/", "/{b}/expenses/", "/{b}/customers/new/", "/{b}/audit/")
# What these have once the copy is there: an item that can be decided, and a link to an item of each kind.
COPIED = {
    "/{b}/approvals/?kind=expense": "#pane form[data-choice], #pane details[data-choice]",
    "/{b}/expenses/?view=all": "#rows-of-list tbody a",
    "/{b}/customers/?view=all": "#rows-of-list tbody a",
    "/{b}/cards/?as=table": "main tbody a",
}


def pages_of(window: Desk, paths: tuple[str, ...]) -> list[str]:
    """The addresses, and with them an item of each kind that the lists lead to."""
    found = [path.replace("{b}", window.business()) for path in paths]
    for area in ("expenses", "customers", "cards"):
        links = window.go(f"/{{b}}/{area}/?view=all").locator("main a").all()
        items = (ITEM.fullmatch(link.get_attribute("href") or "") for link in links)
        if item := next(filter(None, items), None):
            found += [item[1], f"{item[1]}controls/"] if area == "cards" else [item[1]]
    return found


def wait_until_copied(window: Desk) -> None:
    """A new house's copy fills itself in the background: until then no list leads to an item, and nothing is to be decided."""
    for path, what in COPIED.items():
        assert window.open_with(path, what).locator(what).count(), f"{path} never had {what}"


def wrong_with(stage: Stage, control: Control, faults: tuple[Fault, ...]) -> list[str]:
    """What is wrong with a control of the page that is open, fault by fault; after a few of them the rest says no more."""
    found: list[str] = []
    for fault in faults:
        found += [f"{control.page} {control.name}, {fault.name}: {one}" for one in stage.wrong_with(control, fault)]
        if len(found) >= ENOUGH:
            break
    return found


def wrong_on(
    stage: Stage, path: str, which: Callable[[Control], bool], faults: tuple[Fault, ...] = FAULTS
) -> list[str]:
    """What is wrong with the controls of one page that are meant, fault by fault, and with the session gone."""
    found = []
    for hold in (True, False):
        # Some controls come only with what the page asks for by itself.
        meant = [control for control in stage.controls(path, hold=hold) if which(control)]
        for control in meant:
            found += wrong_with(stage, control, faults)
        for control in meant:
            same = [one for one in stage.controls(path, hold=hold) if one.name == control.name]
            for one in same[:1]:
                found += [f"{path} {one.name}, session gone: {wrong}" for wrong in wrong_once_gone(stage, one)]
    return found


def test_each_class_of_controls_survives_every_fault(desk: Callable[..., Desk]) -> None:
    window, seen = desk("apollo"), set()
    wait_until_copied(window)
    paths = pages_of(window, FIRST)
    stage = Stage(window.page, window.demo["address"])

    def is_new(control: Control) -> bool:
        fresh = control.class_of not in seen
        seen.add(control.class_of)
        return fresh

    wrong = [one for path in paths for one in wrong_on(stage, path, is_new, SHORT)]
    assert not wrong, "\n".join(wrong)
    assert seen >= KNOWN, KNOWN - seen


@pytest.fixture(scope="module")
def walk() -> Walk:
    """What the full run has opened and set off, whoever did."""
    return Walk()


def is_new_to(walk: Walk) -> Callable[[Control], bool]:
    """Whether a control is played: the same one (the search of one list, say) stands on many addresses."""

    def is_new(control: Control) -> bool:
        fresh = (control.name, control.class_of) not in walk.controls
        walk.controls.add((control.name, control.class_of))
        walk.views.add(control.view)
        return fresh

    return is_new


@pytest.mark.full
@pytest.mark.parametrize("person", MORE)
def test_every_control_of_every_page_survives_every_fault(desk: Callable[..., Desk], walk: Walk, person: str) -> None:
    wait_until_copied(desk("apollo"))
    window = desk(person)
    stage = Stage(window.page, window.demo["address"])
    wrong = []
    for path in walk.through(window, person, tuple(pages_of(window, MORE[person]))):
        wrong += wrong_on(stage, path, is_new_to(walk))
        stage.controls(path, hold=False)
    assert not wrong, "\n".join(wrong)


def controls_after(stage: Stage, window: Desk, state: State, name: str = "") -> list[Control]:
    """The controls of the page that an act ends on, one with this name among them; none where the job was over each time
    before its page was drawn."""
    for _ in range(TRIES):
        stage.control, stage.hold = None, False
        state.act(window)
        stage.hold = True
        found = stage.controls_here(window.page.url, hold=True)
        if state.views <= {control.view for control in found} and (not name or name in {one.name for one in found}):
            return found
    return []


@pytest.mark.full
@pytest.mark.parametrize("name", STATES)
def test_every_control_that_an_act_brings_survives_every_fault(
    desk: Callable[..., Desk], walk: Walk, name: str
) -> None:
    state = STATES[name]
    window = desk(state.who)
    stage = Stage(window.page, window.demo["address"])
    found = controls_after(stage, window, state)
    assert found, "the job was over each time before its page was drawn"
    meant = [control for control in found if control.view in state.views or is_new_to(walk)(control)]
    walk.views |= state.views
    walk.opened.setdefault(route_of(window.page.url), window.page.url)
    wrong = [one for control in meant for one in wrong_with(stage, control, FAULTS)]
    # The session can end once on such a page: for the next control it is brought about again.
    here = stage.controls_here(window.page.url, hold=True)
    for control in dict.fromkeys(one.name for one in meant):
        again = [one for one in here if one.name == control] or [
            one for one in controls_after(stage, window, state, control) if one.name == control
        ]
        what = wrong_once_gone(stage, again[0]) if again else ["it was not there again"]
        wrong += [f"{name} {control}, session gone: {one}" for one in what]
        here = []
    assert not wrong, "\n".join(wrong)


@pytest.mark.full
def test_no_page_and_no_control_of_the_templates_was_left_out(walk: Walk) -> None:
    """After all of the above: what nobody has opened or set off."""
    unopened = pages().keys() - AFTER_AN_ACT.keys() - walk.opened.keys()
    assert not unopened, "the pages that nobody opened"
    unpressed = [control.where for control in template_controls() if not control.names & walk.views]
    assert not unpressed, "the controls that nobody set off"


def test_a_swap_waits_longer_than_the_server_works_and_not_for_ever(desk: Callable[..., Desk]) -> None:
    page = desk("apollo").open("/{b}/")
    assert 10_000 < page.evaluate("window.htmx.config.timeout") <= 20_000


def test_what_the_page_asks_for_by_itself_is_asked_again_until_it_comes(desk: Callable[..., Desk]) -> None:
    window = desk("apollo")
    window.page.route("**/cash/", lambda route: route.abort("connectionreset"))
    page = window.go("/{b}/")
    toast = page.locator("#toasts", has_text="This page is not up to date")
    expect(toast).to_have_count(1)
    page.wait_for_timeout(2500)
    expect(page.locator("#toasts [data-toast]")).to_have_count(1)
    page.unroute("**/cash/")
    expect(page.locator("#widget-cash")).to_contain_text("KES")
    expect(page.locator("#toasts [data-toast]")).to_have_count(0)


@pytest.mark.full
def test_every_form_that_is_posted_carries_a_key(desk: Callable[..., Desk]) -> None:
    without = []
    for person, paths in (("apollo", STAFF + DESKS), ("selma", OWNER), ("carla", CARD_USER)):
        window = desk(person)
        for path in pages_of(window, paths):
            page = window.go(path)
            forms = page.locator('form[method="post"]').evaluate_all(
                """forms => forms.filter((one) => !one.elements.namedItem("key")?.value)
                     .map((one) => one.getAttribute("action") || location.pathname)"""
            )
            without += [f"{path}: {action}" for action in forms if not action.startswith("/-/account/")]
    assert not without
