"""Whose device it is: what ends it, who takes it over, and how many somebody has."""

from __future__ import annotations

import pytest

from dashboard.access.sessions import end_sessions
from dashboard.notifications.devices import MOST_DEVICES
from dashboard.notifications.models import PushDelivery, PushDevice
from dashboard.notifications.tasks import push_notices
from tests.dashboard.notifications.push_service import Phone, PushService
from tests.dashboard.notifications.test_push import nothing_left, turn_on
from tests.dashboard.pages.conftest import House

__all__ = ["nothing_left"]


def test_nobody_removes_the_device_of_another(house: House, push: PushService) -> None:
    turn_on(house, "Apollo", push)
    device = PushDevice.objects.get()
    assert house.browser("Zawadi").post(house.address(f"notifications/devices/{device.pk}/remove/")).status_code == 404
    assert PushDevice.objects.filter(pk=device.pk).exists()


def test_signing_out_in_the_browser_ends_its_device_and_no_other(house: House, push: PushService) -> None:
    turn_on(house, "Apollo", push, "laptop")
    _, client = turn_on(house, "Apollo", push, "phone")
    assert PushDevice.objects.count() == 2
    client.post("/-/account/logout/")
    house.expense()
    push_notices()
    assert [path for path, _, _ in push.received] == ["/push/laptop"]


def test_a_session_that_ends_by_itself_does_not_end_it_and_signing_in_again_goes_on(
    house: House, push: PushService
) -> None:
    phone, client = turn_on(house, "Apollo", push)
    client.session.flush()
    house.expense()
    push_notices()
    assert len(push.messages(phone)) == 1


def test_somebody_else_who_signs_in_there_ends_it(house: House, push: PushService) -> None:
    _, client = turn_on(house, "Apollo", push)
    # Nobody signs out: the session ends by itself.
    other = house.people["Zawadi"].user
    other.set_password("a long enough password 7")
    other.save()
    client.session.flush()
    client.post("/-/account/login/", {"login": other.email, "password": "a long enough password 7"})
    assert PushDevice.objects.count() == 0


def test_a_sign_out_everywhere_ends_all_but_the_one_that_stays(house: House, push: PushService) -> None:
    turn_on(house, "Apollo", push)
    end_sessions(house.people["Apollo"].user_id)
    assert PushDevice.objects.count() == 0


def test_the_same_browser_for_another_person_takes_the_device_over(house: House, push: PushService) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    client = house.browser("Zawadi")
    client.post(house.address("notifications/devices/"), push.subscription(phone))
    assert list(PushDevice.objects.values_list("membership__user__name", flat=True)) == ["Zawadi"]


@pytest.mark.parametrize("status", [404, 410, 403])
def test_a_device_that_has_gone_is_removed(house: House, push: PushService, status: int) -> None:
    phone, _ = turn_on(house, "Apollo", push)
    push.answers[f"/push/{phone.name}"] = (status, {})
    house.expense()
    push_notices()
    assert PushDevice.objects.count() == 0
    assert PushDelivery.objects.count() == 0


def test_there_are_at_most_so_many_devices(house: House, push: PushService) -> None:
    for number in range(MOST_DEVICES):
        turn_on(house, "Apollo", push, f"phone-{number}")
    answer = house.browser("Apollo").post(
        house.address("notifications/devices/"), push.subscription(Phone("one-more")), follow=True
    )
    assert f"You have {MOST_DEVICES} devices already." in answer.content.decode()
    assert PushDevice.objects.count() == MOST_DEVICES


def test_a_browser_with_a_new_subscription_is_the_same_device(house: House, push: PushService) -> None:
    _, client = turn_on(house, "Apollo", push, "before")
    turn_on(house, "Apollo", push, "after", client)
    assert PushDevice.objects.count() == 1
