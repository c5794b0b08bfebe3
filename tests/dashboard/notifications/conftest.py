"""The business of the pages' tests, as the mirror knows it, and a push service on this machine."""

from collections.abc import Iterator
from typing import Any

import pytest

from dashboard.notifications.vapid import new_private_key
from tests.dashboard.notifications.push_service import PushService, push_service
from tests.dashboard.pages.conftest import house as house
from tests.dashboard.pages.conftest import new_house as new_house


@pytest.fixture
def push(settings: Any, db: None) -> Iterator[PushService]:
    settings.VAPID_PRIVATE_KEY = new_private_key()
    settings.VAPID_CONTACT = "mailto:ops@desk.example"
    settings.PUSH_HTTP_ON_LOOPBACK = True
    settings.PUSH_HOSTS = []
    with push_service() as service:
        yield service
