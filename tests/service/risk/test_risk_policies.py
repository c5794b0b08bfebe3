"""Policies and bill payments: a breach or an exemption is a risk signal, and a policy that blocks refuses."""

from typing import Any

import pytest

from service.bills.models import BillPayment
from service.business_policies.models import BusinessPolicy, PolicyGroup
from tests.service.bills.conftest import add, bill, request_votes
from tests.service.house import House, code
from tests.service.risk.test_risk_payables import LINES, known, request_payment, signals

pytestmark = pytest.mark.usefixtures("settled_people")


def policy(house: House, **fields: Any) -> BusinessPolicy:
    """A policy of the business, in a group of its own."""
    group = PolicyGroup.objects.create(
        business=house.business, code=f"G{PolicyGroup.objects.count()}", name="G", description="G",
        types=[fields["type"]], position=99,
    )  # fmt: skip
    return BusinessPolicy.objects.create(business=house.business, group=group, name="P", **fields)


def test_a_policy_exception(house: House) -> None:
    created = known(house)
    rule = policy(house, type="VENDOR", target=created["_id"], action="FLAG")
    found = signals(request_payment(house, bill(house, line_items=LINES, vendor_id=created["_id"])))["policy_exception"]
    says = "The policy allows none of it."
    assert found == {"policy": rule.id, "type": "VENDOR", "outcome": "BREACHED", "action": "FLAG", "says": says}


def test_an_exemption_from_a_policy_is_seen_too(house: House) -> None:
    created = known(house)
    policy(house, type="VENDOR", target=created["_id"], action="BLOCK", exempt_employee_ids=[house.person("Ada").id])
    found = signals(request_payment(house, bill(house, line_items=LINES, vendor_id=created["_id"])))["policy_exception"]
    assert found["outcome"] == "EXEMPT"


def test_a_policy_blocks_a_bill_payment(house: House) -> None:
    created = known(house)
    policy(house, type="VENDOR", target=created["_id"], action="BLOCK")
    row = add(house, bill(house, line_items=LINES, vendor_id=created["_id"])).json()
    assert code(request_votes(house, row)) == (403, "policy_blocked")
    assert BillPayment.objects.get(pk=row["_id"]).status == "DRAFT"
