"""The receipt loop: Rita asks by mail, Carla photographs the receipt on her phone and answers, Rita sees all of it and approves.
Nobody could approve before."""

from __future__ import annotations

import email
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.dashboard.expenses.files import PDF, PNG
from tests.sandbox import sandbox_headers

LINK = re.compile(r"https?://\S+/expenses/[0-9a-f]{24}/")
Upstream = Callable[[str], str]
QUESTION, ANSWER = "Which client was this lunch for?", "For Safari Logistics, four people. Receipts attached."
RECEIPTS: list[FilePayload] = [
    {"name": "lunch.png", "mimeType": "image/png", "buffer": PNG},
    {"name": "parking.pdf", "mimeType": "application/pdf", "buffer": PDF},
]


@pytest.fixture
def carlas(demo: dict[str, Any]) -> str:
    """The id of a new expense of Carla's without a receipt."""
    business, service = demo["service"]["businesses"][0], demo["service"]["address"]
    address = f"{service}/sandbox/businesses/{business['business_id']}/expenses"
    people = [one for one in business["employees"] if one["name"].startswith("Carla")]
    body = {"count": 1, "receipts": False, "employee_ids": [people[0]["employee_id"]], "seed": time.time_ns() % 10**6}
    answer = requests.post(address, json=body, headers=sandbox_headers(), timeout=HANG_S)
    assert answer.ok, answer.text
    return str(answer.json()["expenses"][0]["_id"])


def nothing_wrong(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "it scrolls sideways"


def mail_to(demo: dict[str, Any], address: str, words: str, expense_id: str) -> str:
    """The link to the expense in a mail to somebody that says these words, once it has been sent."""
    folder, ends = Path(demo["folder"]) / "mail", time.monotonic() + COPIED_S
    while time.monotonic() < ends:
        for file in sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True):
            letter = email.message_from_bytes(file.read_bytes())
            content = letter.get_payload(decode=True)
            text = content.decode(errors="replace") if isinstance(content, bytes) else ""
            links = [link for link in LINK.findall(text) if expense_id in link]
            if address in str(letter["To"]) and words in text and links:
                return str(links[0])
        time.sleep(1)
    raise AssertionError(f"no mail to {address} says {words}")


def ask(desk: Callable[..., Desk], expense_id: str) -> Page:
    """Rita asks, on the desk."""
    page = desk("rita").open_with(f"/{{b}}/approvals/expense/{expense_id}/", "[data-item]")
    page.locator("summary", has_text="Request details").click()
    page.get_by_label("Which details are missing?").fill(QUESTION)
    page.locator("[data-choice=d] button").click()
    expect(page.locator("#toasts")).to_contain_text("requested details")
    return page


def nobody_can_approve(desk: Callable[..., Desk], expense_id: str) -> None:
    """Without its receipt it is blocked for whoever reviews: what is offered is an override with a reason, to some roles."""
    for person, may_override in (("rita", False), ("apollo", True)):
        page = desk(person).open_with(f"/{{b}}/approvals/expense/{expense_id}/", "#pane .blocked")
        expect(page.locator("#pane .blocked")).to_contain_text("A receipt is required and none is attached.")
        expect(page.get_by_role("button", name="Approve", exact=True)).to_have_count(0)
        expect(page.get_by_text("Override and approve…")).to_have_count(int(may_override))


def photograph(page: Page, picture: FilePayload) -> None:
    """Taps the button of the camera, as far as a browser without one goes: it opens that of the back, for a picture."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take photo").tap()
    camera = chooser.value.element
    assert (camera.get_attribute("capture"), camera.get_attribute("accept")) == ("environment", "image/*")
    chooser.value.set_files(picture)


def until(upstream: Upstream, expense_id: str, status: str) -> None:
    """Waits until the service says so: a decision waits its seconds."""
    ends = time.monotonic() + 60
    while upstream(expense_id) != status:
        assert time.monotonic() < ends, f"it is still {upstream(expense_id)}"
        time.sleep(0.5)


def test_asked_by_mail_answered_on_a_phone_seen_in_one_thread_and_approved(
    desk: Callable[..., Desk], carlas: str, upstream: Upstream
) -> None:
    nobody_can_approve(desk, carlas)
    ask(desk, carlas)
    until(upstream, carlas, "DETAILS_REQUESTED")

    phone = desk("carla", width=390, fresh=True, phone=True)
    assert phone.person is not None
    link = mail_to(phone.demo, phone.person["email"], "needs an answer from you", carlas)
    phone.context.clear_cookies()
    phone.page.goto(link)
    phone.page.fill("[name=login]", phone.person["email"])
    phone.page.fill("[name=password]", phone.person["password"])
    phone.page.get_by_role("button", name="Sign in", exact=True).tap()
    phone.page.wait_for_url(link)
    page = phone.page
    question, field = page.get_by_text(QUESTION).first, page.get_by_label("Your answer")
    expect(question).to_be_visible()
    assert question.bounding_box()["y"] < field.bounding_box()["y"]  # type: ignore[index]
    for word in ("Risk", "risk", "Checks", "Why you", "critical"):
        assert word not in page.locator("main").inner_text()
    nothing_wrong(page)

    photograph(page, RECEIPTS[0])
    expect(page.locator("[data-files] .is-ok")).to_have_count(1)
    expect(page.locator("[data-said]")).to_have_text("1 receipt added.")
    # The receipt answers, too: the question says so without a page anew.
    expect(page.locator("#question")).to_contain_text("Answered")
    expect(page.locator("#question")).not_to_contain_text("Action required")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").tap()
    chooser.value.set_files(RECEIPTS[1])
    expect(page.locator("[data-files] .is-ok")).to_have_count(2)
    expect(page.locator("#expense .talk")).to_contain_text("added a receipt parking.pdf")
    nothing_wrong(page)
    page.set_viewport_size({"width": 320, "height": 700})
    nothing_wrong(page)
    field.fill(ANSWER)
    page.get_by_role("button", name="Send answer").tap()
    expect(page.locator("#question")).to_contain_text("Answered")
    assert upstream(carlas) == "PENDING"

    reviewer = desk("rita").open_with(f"/{{b}}/approvals/expense/{carlas}/", ".talk :text('lunch.png')")
    talk = reviewer.locator(".talk").first
    for said in (QUESTION, ANSWER, "added a receipt lunch.png", "added a receipt parking.pdf"):
        expect(talk).to_contain_text(said)
    expect(talk.locator(".pill").first).to_have_text("Answer")
    expect(reviewer.locator("[data-item] .state").first).to_have_text("Answered")
    expect(reviewer.locator(f"[data-row='expense/{carlas}']")).to_contain_text("Answered")
    expect(reviewer.locator("[data-item] a[data-receipt]")).to_have_count(2)
    nothing_wrong(reviewer)
    expect(reviewer.locator(".blocked")).to_have_count(0)
    reviewer.get_by_role("button", name=re.compile("^Approve")).click()
    until(upstream, carlas, "APPROVED")


def test_a_file_whose_answer_is_lost_is_sent_again_and_kept_once(desk: Callable[..., Desk], carlas: str) -> None:
    page = desk("carla", width=390).open_with(f"/{{b}}/expenses/{carlas}/", "#receipts")
    lost: list[str] = []

    def lose(route: Any) -> None:
        if not lost:
            lost.append(route.fetch().text())
            route.abort()
        else:
            route.continue_()

    page.route("**/receipts/", lose)
    page.locator("#receipts input[type=file]").first.set_input_files(RECEIPTS[0])
    expect(page.locator("[data-files]")).to_contain_text("it is not known yet whether it was added")
    again = page.get_by_role("button", name="Send lunch.png again")
    again.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-files] .is-ok")).to_have_count(1)
    expect(page.get_by_role("button", name="Choose files")).to_be_focused()
    expect(page.locator("#expense a[data-receipt]")).to_have_count(1)
    expect(page.locator("#expense .talk").get_by_text("added a receipt lunch.png")).to_have_count(1)


def test_dropped_files_and_wrong_ones_and_too_many(desk: Callable[..., Desk], carlas: str) -> None:
    page = desk("carla").open_with(f"/{{b}}/expenses/{carlas}/", "#receipts")
    dropped = page.evaluate_handle(
        """() => { const all = new DataTransfer();
             all.items.add(new File(["MZ program"], "lunch.png", { type: "image/png" }));
             all.items.add(new File([""], "empty.pdf")); return all; }"""
    )
    page.locator("[data-drop]").dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.locator("[data-files]")).to_contain_text("The content is not a PDF, PNG or JPEG")
    expect(page.locator("[data-files]")).to_contain_text("The file is empty.")
    many: list[FilePayload] = [
        {"name": f"{number}.png", "mimeType": "image/png", "buffer": PNG} for number in range(11)
    ]
    page.locator("#receipts input[type=file]").first.set_input_files(many)
    expect(page.locator("[data-files]")).to_contain_text("At most 10 files at a time: choose fewer.")
    expect(page.locator("#expense a[data-receipt]")).to_have_count(0)


def test_without_javascript_the_plain_form_takes_several_files(desk: Callable[..., Desk], carlas: str) -> None:
    carla = desk("carla", js=False)
    ends = time.monotonic() + COPIED_S
    while (
        carla.go(f"/{{b}}/expenses/{carlas}/").get_by_label("Receipts", exact=True).count() == 0
        and time.monotonic() < ends
    ):
        time.sleep(1)
    page = carla.page
    page.get_by_label("Receipts", exact=True).set_input_files(RECEIPTS)
    page.get_by_role("button", name="Add receipts").click()
    expect(page.get_by_text("2 receipts added.")).to_be_visible()
    expect(page.locator("#expense a[data-receipt]")).to_have_count(2)
