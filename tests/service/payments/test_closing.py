"""What the ledger holds of a payout is equal to the cent to what was paid, and tells where it is not."""

from typing import Any

from service.ledger.models import LedgerTransaction
from service.ledger.post import reverse
from service.payments import execution
from service.payments.models import Batch, Item
from tests.service.house import House, code
from tests.service.payments.conftest import initiated, item


def paid(house: House, *items: dict[str, Any]) -> Batch:
    number = initiated(house, *items)["batch_no"]
    batch = Batch.objects.get(business=house.business, batch_no=number)
    execution.execute(batch.id)
    return batch


def ledger(house: House, batch: Batch, by: str = "Ada") -> Any:
    return house.get(f"/payments/{batch.batch_no}/ledger", by=by).json()


def till(ending: str, amount: float = 100) -> dict[str, Any]:
    return item(amount, f"77{ending}", channel="MPESA_TILL", receiver_name="Till")


def test_each_payment_is_equal_to_its_entries_and_all_together_to_the_postings(unmandated: House) -> None:
    batch = paid(unmandated, item(1000.25), till("0001", 300), item(500, "254722000000"))
    found = ledger(unmandated, batch)
    rows = {row["item_id"]: (row["out_minor"], row["fee_minor"]) for row in found["rows"]}
    expected = [(100_025, 1_300), (0, 0), (50_000, 1_300)]
    assert [rows[row.id] for row in Item.objects.filter(batch=batch).order_by("position")] == expected
    assert (found["out_minor"], found["fees_minor"], found["other_minor"]) == (152_625, 2_600, 0)
    assert [posting["out_minor"] for posting in found["postings"]] == [152_625]
    assert found["postings"][0]["ref"].startswith(f"payout:{batch.batch_no}:1:")


def test_the_same_receiver_twice_is_two_payments(unmandated: House) -> None:
    found = ledger(unmandated, paid(unmandated, item(10), item(20)))
    assert [row["out_minor"] for row in found["rows"]] == [1_000, 2_000]


def test_what_was_not_paid_has_no_postings(unmandated: House) -> None:
    found = ledger(unmandated, paid(unmandated, till("0001")))
    assert (found["postings"], found["out_minor"], found["fees_minor"]) == ([], 0, 0)


def test_a_reversal_is_told_beside_what_it_reverses(unmandated: House) -> None:
    batch = paid(unmandated, item(1000))
    posted = LedgerTransaction.objects.get(business=unmandated.business, kind="PAYOUT")
    reverse(unmandated.business, posted.pk, "sent-back")
    found = ledger(unmandated, batch)
    assert (found["out_minor"], found["reversed_minor"]) == (101_300, 101_300)
    assert [row["ref"] for row in found["reversals"]] == ["sent-back"]


def test_only_the_office_of_the_business_reads_it(unmandated: House) -> None:
    batch = paid(unmandated, item(1000))
    assert code(unmandated.get(f"/payments/{batch.batch_no}/ledger", by="Rita")) == (403, "insufficient_role")
    assert unmandated.get("/payments/PB-20200101-00001/ledger").status_code == 404
