"""What somebody spends with leads to a list of theirs, not to that of everybody."""

from __future__ import annotations

import re
from html import unescape

from dashboard.mirror.models import Expense
from tests.dashboard.conftest import World


def test_the_open_expenses_of_a_person_lead_to_theirs_alone(world: World) -> None:
    carla, rita = (world.employee(name)["employee_id"] for name in ("Carla", "Rita"))
    world.sandbox("expenses", count=2, employee_ids=[carla])
    world.sandbox("expenses", count=1, employee_ids=[rita])
    world.sync()
    page = world.client("Ada").get(world.address(f"people/{carla}/")).content.decode()
    link = re.search(r'href="([^"]+)">2\s+open expenses', page)
    assert link is not None
    shown = world.client("Ada").get(unescape(link[1])).content.decode()
    of = {row.remote_id: row.employee_id for row in Expense.objects.filter(business=world.business)}
    assert {employee for remote_id, employee in of.items() if f"/{remote_id}/" in shown} == {carla}
