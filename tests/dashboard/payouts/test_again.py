"""A payout that is paid again: what its form has done before is not denied."""

from __future__ import annotations

import pytest

from dashboard.client.models import OutboundOperation
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house


@pytest.mark.parametrize(("before", "denied"), [("", True), ("CONFIRMED", False), ("UNKNOWN", False)])
def test_no_draft_was_created_is_said_only_where_none_can_have_been(house: House, before: str, denied: bool) -> None:
    payout = house.request(kind="payout", ref="PB-1", title="Wages", status="FAILED", org_wallet_ref="KES-1")
    address = house.address(f"payouts/{payout.remote_id}/again/")
    if before:
        OutboundOperation.objects.create(
            business=house.business, membership=house.people["Ada"], operation="create_payout", form_key="k1", form_path=address,
            key="create_payout-k1", path="/payments", state=before, has_left=True,
        )  # fmt: skip
    answer = house.browser("Ada").post(address, {"failed": "1", "key": "k1"})
    assert answer.status_code == 503
    page = answer.content.decode()
    assert "The finance service did not answer." in page
    assert ("No draft was created." in page) is denied
