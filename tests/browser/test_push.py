"""Push notifications from end to end: turned on in the settings, an expense that comes to wait is sent by the house to a push
service of our own, and what it says is shown by the service worker, and opens the item."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Worker, expect

from tests.browser.desk import COPIED_S, HANG_S, Desk
from tests.browser.test_lost_answers import act_and_lose, until_broken
from tests.dashboard.notifications.push_service import Phone, PushService, push_service

SCOPE = "/-/push/"
# A browser asks its maker's push service for an address, which no test can reach: this one gives the one on this machine.
# All else is the browser's own: the permission, the worker, its registration, the notification.
SUBSCRIBE = """({ endpoint, p256dh, auth }) => {
  const bytes = (text) => {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/") + "=".repeat((4 - (text.length % 4)) % 4));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0)).buffer;
  };
  const keys = { p256dh: bytes(p256dh), auth: bytes(auth) };
  const subscription = { endpoint, getKey: (name) => keys[name], unsubscribe: async () => true };
  PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = options;
    return subscription;
  };
}"""


@pytest.fixture
def phone(chromium: Browser, demo: dict[str, Any]) -> Iterator[Desk]:
    """A phone on which Zawadi has signed in, and on which this site may show notifications."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, permissions=["notifications"]
    )
    person = next(row for row in demo["dashboard"]["people"] if row["email"].startswith("zawadi"))
    found = Desk(context, demo, person)
    found.sign_in()
    yield found
    context.close()
    assert not found.trouble


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


# The shell that tests run in shows no notification to anybody, and refuses to: what the worker asks it to show is noted.
NOTE = """() => {
  self.noted = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, data, tag }) => {
    self.noted.push({ title, body, href: data.href, tag });
  };
}"""


def worker_of(desk: Desk) -> Worker:
    wait_for(desk, lambda: len(desk.context.service_workers) == 1)
    return desk.context.service_workers[0]


def wait_for(desk: Desk, holds: Callable[[], bool]) -> None:
    """Waits as `wait_until` does; what the browser says comes only while its page is waited for."""
    for _ in range(HANG_S * 10):
        if holds():
            return
        desk.page.wait_for_timeout(100)
    raise AssertionError("it never came")


def shown(desk: Desk, text: str) -> dict[str, str]:
    """What the worker shows once this message has come in."""
    worker = worker_of(desk)
    worker.evaluate(NOTE)
    deliver(desk, text)
    wait_for(desk, lambda: bool(worker.evaluate("self.noted.length")))
    (notification,) = worker.evaluate("self.noted")
    found: dict[str, str] = notification
    return found


def deliver(desk: Desk, text: str) -> None:
    """Hands a message to the worker as the browser does when its push service sends one."""
    session = desk.context.new_cdp_session(desk.page)
    registrations: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    wait_for(desk, lambda: any(row["scopeURL"].endswith(SCOPE) for row in registrations))
    number = next(row["registrationId"] for row in registrations if row["scopeURL"].endswith(SCOPE))
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": desk.demo["address"], "registrationId": number, "data": text},
    )
    session.detach()


def turned_on(desk: Desk, service: PushService) -> Phone:
    device = Phone(f"device-{time.time_ns()}")
    page = desk.open("/{b}/notifications/choices/")
    page.evaluate(SUBSCRIBE, service.subscription(device))
    page.get_by_role("button", name="Turn on for this device").tap()
    expect(page.get_by_text("Push notifications are on for this device.")).to_be_visible()
    expect(page.get_by_role("list", name="Devices")).to_contain_text("this device")
    return device


def test_where_the_answer_to_turning_them_on_is_lost_the_next_page_says_what_became_of_it(
    phone: Desk, service: PushService
) -> None:
    page = phone.open("/{b}/notifications/choices/")
    page.evaluate(SUBSCRIBE, service.subscription(Phone(f"device-{time.time_ns()}")))
    page.route("**/notifications/devices/**", act_and_lose)
    page.get_by_role("button", name="Turn on for this device").tap()
    until_broken(page)
    page.unroute("**/notifications/devices/**")
    # With the answer its cookie was lost.
    phone.context.clear_cookies(name=re.compile("^answered-"))
    page = phone.open("/{b}/notifications/choices/")
    expect(page.locator("#toasts")).to_contain_text("Turn on for this device: It arrived")
    expect(page.locator("#toasts")).not_to_contain_text("Nothing was changed")
    page.get_by_role("button", name="Remove").first.tap()
    expect(page.get_by_text("Push notifications are off for")).to_be_visible()


def test_an_expense_that_comes_to_wait_is_shown_on_the_phone_and_opens(
    phone: Desk, service: PushService, spend: Callable[[int], list[dict[str, Any]]]
) -> None:
    # What the demo is filled with is not news: only what comes after the copy is complete.
    phone.open_with("/{b}/approvals/?kind=expense", "#rows tr:nth-child(5)")
    device = turned_on(phone, service)
    message = pushed(phone, service, device, spend)
    assert message["text"] == "An expense waits for your approval"
    href = f"{phone.demo['address']}{message['path']}"
    notification = shown(phone, json.dumps(message))
    assert notification == {
        "title": "Countersign", "body": "An expense waits for your approval", "href": href, "tag": href,
    }  # fmt: skip
    opened = tapped(phone, notification)
    assert opened == href
    phone.page.goto(opened)
    key = message["path"].partition("/approvals/")[2].rstrip("/")
    expect(phone.page.locator(f'#pane [data-item="{key}"]')).to_be_visible()
    page = phone.open("/{b}/notifications/choices/")
    page.get_by_role("button", name="Remove").first.tap()
    expect(page.get_by_text("Push notifications are off for")).to_be_visible()


def pushed(
    desk: Desk, service: PushService, device: Phone, spend: Callable[[int], list[dict[str, Any]]]
) -> dict[str, str]:
    """The message about an expense that has just been spent: while a new house's copy fills itself, several come at once."""
    start, ends = f"/{desk.business()}/approvals/expense/", time.monotonic() + COPIED_S
    while time.monotonic() < ends:
        spend(1)
        before = len(service.messages(device))
        while len(service.messages(device)) == before and time.monotonic() < ends:
            time.sleep(1)
        for message in service.messages(device)[before:]:
            if message["path"].startswith(start):
                return message
    raise AssertionError(f"no message about one expense came: {service.messages(device)}")


def tapped(desk: Desk, notification: dict[str, str]) -> str:
    """Taps the notification; the address of the window that the worker asks the browser for."""
    address: str = worker_of(desk).evaluate(
        """({ href }) => new Promise((done) => {
          self.clients.openWindow = async (address) => done(address);
          const event = new Event("notificationclick");
          event.notification = { close: () => {}, data: { href } };
          event.waitUntil = () => {};
          self.dispatchEvent(event);
        })""",
        notification,
    )
    return address


@pytest.mark.parametrize("data", ["no JSON", '{"text": 7, "path": "https://elsewhere.example/"}', ""])
def test_a_message_that_is_none_leads_nowhere_else(phone: Desk, service: PushService, data: str) -> None:
    turned_on(phone, service)
    home = f"{phone.demo['address']}/"
    assert shown(phone, data) == {
        "title": "Countersign", "body": "Open Countersign to see what is new", "href": home, "tag": home,
    }  # fmt: skip


def test_the_worker_controls_no_page_and_can_have_no_wider_scope(phone: Desk, service: PushService) -> None:
    turned_on(phone, service)
    page = phone.open("/{b}/approvals/")
    assert page.evaluate("navigator.serviceWorker.controller") is None
    wider = page.evaluate(
        "navigator.serviceWorker.register('/-/push/worker.js', { scope: '/' }).then(() => '', (error) => error.name)"
    )
    assert wider == "SecurityError"
    assert page.evaluate("caches.keys()") == []


def test_a_blocked_site_says_so_and_without_javascript_the_page_says_what_is_missing(
    phone: Desk, desk: Callable[..., Desk]
) -> None:
    phone.context.clear_permissions()
    page = phone.open("/{b}/notifications/choices/")
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    page.get_by_role("button", name="Turn on for this device").tap()
    expect(page.get_by_text("Notifications of this site are blocked")).to_be_visible()
    without = desk("apollo", js=False).go("/{b}/notifications/choices/")
    expect(without.get_by_text("JavaScript is needed to turn them on")).to_be_visible()
    expect(without.get_by_role("button", name="Turn on for this device")).to_be_hidden()
