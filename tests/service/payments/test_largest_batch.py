"""The largest payout that may be drafted can be initiated: what is weighed of its lines grows with them, not with their square."""

from django.db import connection

from service.payments.schemas import LARGEST_BATCH
from tests.service.house import House
from tests.service.payments.conftest import draft, item

# As a service in earnest has it (config/settings/base.py).
STATEMENT = "set local statement_timeout = '5s'"


def test_it_is_initiated_within_the_time_that_a_statement_has(house: House) -> None:
    lines = [item(100 + number % 7, f"2547{number:08d}") for number in range(LARGEST_BATCH)]
    batch = draft(house, *lines)
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT)
    answer = house.send("PATCH", f"/payments/{batch['batch_no']}/initiate", by="Ada")
    assert (answer.status_code, answer.json().get("status")) == (200, "PENDING_APPROVAL"), answer.json()
