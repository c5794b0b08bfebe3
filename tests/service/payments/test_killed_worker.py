"""A worker that is killed in the middle of a large payout: another one goes on, each payment is made once, and the closing
sheet's ledger is equal to the cent."""

from typing import Any

import pytest

from service.payments import execution
from service.payments.models import Item
from service.payments.schemas import LARGEST_BATCH
from tests.service.house import House
from tests.service.payments.conftest import item, state
from tests.service.payments.test_execution import OPENING, approved, has, later, till

FEE = 1_300
REFUSED = ("0001", "0002")


class Killed(BaseException):
    """What nobody catches."""


@pytest.mark.parametrize("payments", [450, pytest.param(LARGEST_BATCH, marks=pytest.mark.full)])
def test_each_payment_is_made_once(unmandated: House, monkeypatch: pytest.MonkeyPatch, payments: int) -> None:
    paid = [item(1, f"2547{number:08d}") for number in range(1_000, 1_000 + payments - len(REFUSED))]
    batch = approved(unmandated, *paid, *map(till, REFUSED))
    sent: list[str] = []
    really = execution._send

    def killed_in_the_middle(row: Item, currency: str) -> Any:
        if len(sent) == payments // 2:
            raise Killed
        sent.append(row.id)
        return really(row, currency)

    monkeypatch.setattr(execution, "_send", killed_in_the_middle)
    with pytest.raises(Killed):
        execution.execute(batch.id)
    assert state(unmandated, batch.batch_no)["status"] == "PROCESSING"
    monkeypatch.setattr(execution, "_send", lambda row, currency: sent.append(row.id) or really(row, currency))
    status = "PROCESSING"
    for _ in range(5):
        later(batch)
        status = execution.execute(batch.id)
        if status != "PROCESSING":
            break
    assert status == "PARTIALLY_COMPLETED"
    shown = state(unmandated, batch.batch_no)["items"]
    succeeded = {row["_id"] for row in shown if row["status"] == "SUCCEEDED"}
    failed = {row["_id"] for row in shown if row["status"] == "FAILED"}
    # What was marked before the kill is asked for by its reference and not given to the rail again.
    assert len(sent) == len(set(sent)) < payments
    assert failed == {row["_id"] for row in shown if row["account"].endswith(REFUSED)}
    assert succeeded == {row["_id"] for row in shown} - failed
    assert len({row["provider_ref"] for row in shown if row["_id"] in succeeded}) == len(paid)
    total = len(succeeded) * (100 + FEE)
    assert (has(unmandated).posted, has(unmandated).pending_out) == (OPENING - total, 0)
    ledger = unmandated.get(f"/payments/{batch.batch_no}/ledger").json()
    assert (ledger["out_minor"], ledger["fees_minor"], ledger["other_minor"]) == (total, len(succeeded) * FEE, 0)
    assert {row["item_id"] for row in ledger["rows"] if row["out_minor"]} == succeeded
