"""Payouts that are still to be paid are read from the service's list; one that is paid since is followed to its end."""

from typing import Any

from dashboard.mirror import full_sync, request_sync
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, FundAccount, Origin
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.test_real_payments import ITEM


def drafted(world: World) -> Any:
    body = {"name": "Drivers", "org_wallet_ref": "1", "items": [{**ITEM, "amount": 500}]}
    return service_requests.ask(world, "Ada", "POST", "/payments", body)


def state(world: World, ref: str) -> str:
    return ApprovalRequest.objects.get(business=world.business, kind="payout", ref=ref).status


def test_one_that_is_to_be_paid_is_copied_though_no_event_told_of_it(world: World) -> None:
    made = drafted(world)
    request_sync.refresh_open_payouts(world.business)
    assert state(world, made["batch_no"]) == "DRAFT"


def test_one_that_came_to_its_end_unheard_is_read_once_more(world: World) -> None:
    made = drafted(world)
    upsert("payout", world.business, [made], Origin.POLL)
    service_requests.ask(
        world, "Ada", "POST", "/payments/payout/cancel", {"batch_no": made["batch_no"], "reason": "Twice."}
    )
    request_sync.refresh_open_payouts(world.business)
    assert state(world, made["batch_no"]) == "CANCELLED"


def test_a_fund_account_is_copied_with_what_moves_in_it(world: World) -> None:
    service_requests.fund_opt_in(world)
    full_sync.refresh_funds(world.business)
    [found] = FundAccount.objects.filter(business=world.business)
    assert found.payload["movements"] == []
    ended = [{"status": status} for status in ("SETTLED", "FAILED", "CANCELLED", "REQUESTED")]
    assert full_sync._open_movements({"movements": ended}) == [{"status": "REQUESTED"}]
