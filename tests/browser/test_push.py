"""Push notifications from end to end: turned on in the settings, an expense that comes to wait is sent by the house to a push
service of our own, and what it says is shown by the service worker, and opens the item."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import COPIED_S, Desk
from tests.browser.test_deciding import wait_until
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
def phone(chromium: Browser, demo: dict[str, Any], desk: Callable[..., Desk]) -> Iterator[Desk]:
    """A phone on which Apollo has signed in, and on which this site may show notifications."""
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


def shown(page: Page) -> list[dict[str, str]]:
    """The notifications that the worker shows now."""
    rows: list[dict[str, str]] = page.evaluate(
        """async (scope) => {
          const registration = await navigator.serviceWorker.getRegistration(scope);
          const notifications = (await registration?.getNotifications()) ?? [];
          return notifications.map(({ title, body, data }) => ({ title, body, href: data.href }));
        }""",
        SCOPE,
    )
    return rows


def deliver(desk: Desk, text: str) -> None:
    """Hands a message to the worker as the browser does when its push service sends one."""
    session = desk.context.new_cdp_session(desk.page)
    registrations: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    wait_until(lambda: any(row["scopeURL"].endswith(SCOPE) for row in registrations))
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


def test_an_expense_that_comes_to_wait_is_shown_on_the_phone_and_opens(
    phone: Desk, service: PushService, spend: Callable[[int], list[dict[str, Any]]]
) -> None:
    # What the demo is filled with is not news: only what comes after the copy is complete.
    phone.open_with("/{b}/approvals/?kind=expense", "#rows tr:nth-child(5)")
    device = turned_on(phone, service)
    (spent,) = spend(1)
    path = f"/{phone.business()}/approvals/expense/{spent['_id']}/"
    ends = time.monotonic() + COPIED_S
    while not any(message["path"] == path for message in service.messages(device)) and time.monotonic() < ends:
        time.sleep(1)
    message = next(row for row in service.messages(device) if row["path"] == path)
    assert message["text"] == "An expense waits for your approval"
    deliver(phone, json.dumps(message))
    wait_until(lambda: shown(phone.page) != [])
    href = f"{phone.demo['address']}{path}"
    assert shown(phone.page) == [
        {"title": "Countersign", "body": "An expense waits for your approval", "href": href}
    ]
    opened = tapped(phone)
    assert opened == href
    wait_until(lambda: shown(phone.page) == [])
    phone.page.goto(opened)
    expect(phone.page.locator(f'#pane [data-item="expense/{spent["_id"]}"]')).to_be_visible()
    page = phone.open("/{b}/notifications/choices/")
    page.get_by_role("button", name="Remove").first.tap()
    expect(page.get_by_text("Push notifications are off for")).to_be_visible()


def tapped(desk: Desk) -> str:
    """Taps the notification in the worker; the address of the window that it asks the browser for, which opens none in a
    browser without a screen."""
    (worker,) = desk.context.service_workers
    address: str = worker.evaluate(
        """async () => {
          const [notification] = await self.registration.getNotifications();
          return new Promise((done) => {
            self.clients.openWindow = async (href) => done(href);
            self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
          });
        }"""
    )
    return address


@pytest.mark.parametrize("data", ["no JSON", '{"text": 7, "path": "https://elsewhere.example/"}', ""])
def test_a_message_that_is_none_leads_nowhere_else(phone: Desk, service: PushService, data: str) -> None:
    turned_on(phone, service)
    deliver(phone, data)
    wait_until(lambda: shown(phone.page) != [])
    assert shown(phone.page) == [
        {
            "title": "Countersign",
            "body": "Open Countersign to see what is new",
            "href": f"{phone.demo['address']}/",
        }
    ]


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
