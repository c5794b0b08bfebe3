"""The top-ups of the demo: of both businesses, once, and no line that says more than is there."""

import json
from pathlib import Path

from django.core.management import call_command

from dashboard.client.models import ServiceAccount
from dashboard.top_ups.models import TopUp
from tests.dashboard.conftest import World


def test_the_demo_has_top_ups_from_a_wallet_that_there_is_and_once(world: World, tmp_path: Path) -> None:
    account = ServiceAccount.objects.get(business=world.business)
    listed = {"business_id": account.remote_business_id, "country": "KE", "employees": world.made["employees"]}
    source = tmp_path / "service-demo.json"
    source.write_text(json.dumps({"businesses": [listed]}))
    call_command("demo_top_ups", source=source)
    call_command("demo_top_ups", source=source)
    rows = list(TopUp.objects.filter(business=world.business).order_by("key"))
    assert [(row.employee_name, row.by) for row in rows] == [
        (world.employee(person)["name"], world.people["Apollo"]) for person in ("Carla", "Cyrus")
    ]
    wallet = next(each for each in world.made["wallets"] if each["org_wallet_ref"] == rows[0].org_wallet_ref)
    assert wallet["currency"] == rows[0].currency
