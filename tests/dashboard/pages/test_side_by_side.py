"""What a risk signal names stands beside the item: the payment that it looks like, and the parts of a split payment."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.mirror.models import Approval, Expense
from dashboard.pages.approvals.presenters.duplicates import Comparison, comparisons_of
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House


def signal(code: str, **evidence: Any) -> dict[str, Any]:
    return {
        "code": code,
        "weight": 35,
        "evidence": {"receiver": "Otieno & Sons", "amount_minor": 48_650_000} | evidence,
    }


def twin(house: House, **given: Any) -> Approval:
    return house.payment(**{"title": "Tyres", "signals": [], "requested_by_name": "Juma Hassan"} | given)


def compared(house: House, subject: Approval | Expense, person: str = "Apollo") -> Comparison:
    (comparison,) = comparisons_of(house.actor(person), subject)
    return comparison


def lines(comparison: Comparison) -> dict[str, tuple[list[str], bool]]:
    return {line.label: (line.values, line.differs) for line in comparison.lines}


def pane(house: House, subject: Approval, person: str = "Apollo") -> str:
    address = house.address(f"approvals/payment/{subject.remote_id}/")
    return markup_of(house.browser(person).get(address))


def test_the_payment_that_it_looks_like_stands_beside_it_with_the_differences_marked(house: House) -> None:
    earlier = twin(house, ref="PB-EARLIER", status="APPROVED", requested_at=timezone.now() - timedelta(days=3))
    later = twin(house, title="Tyres again", signals=[signal("duplicate_invoice", earlier="PB-EARLIER")])
    comparison = compared(house, later)
    assert [column.heading for column in comparison.columns] == ["This item", "Payment request PB-EARLIER"]
    found = lines(comparison)
    assert found["Payee"] == (["Otieno & Sons", "Otieno & Sons"], False)
    assert found["Amount"] == (["KES\xa0486,500.00"] * 2, False)
    assert found["Description"] == (["Tyres again", "Tyres"], True)
    assert found["Status"] == (["Waiting", "Approved"], True)
    assert found["Requested"][1]
    assert "Bill" not in found
    body = pane(house, later)
    assert f'href="{house.address(f"approvals/payment/{earlier.remote_id}/")}"' in body
    assert body.count('<tr class="differs">') == 3
    assert "Possible duplicate" not in pane(house, earlier)


def test_the_parts_of_a_split_payment_stand_beside_it(house: House) -> None:
    for number in range(5):
        twin(house, ref=f"PB-PART-{number}", requested_at=timezone.now() - timedelta(hours=5 - number))
    refs = [f"PB-PART-{number}" for number in range(5)]
    whole = twin(
        house,
        signals=[signal("split_payments", payments=6, sum_minor=291_900_000, threshold_minor=100_000_000, others=refs)],
    )
    comparison = compared(house, whole)
    assert [column.heading[-9:] for column in comparison.columns[1:]] == ["PB-PART-4", "PB-PART-3", "PB-PART-2"]
    assert "6 payments to Otieno &amp; Sons in a day" in pane(house, whole)
    assert not comparison.missing
    # The signal names five at most: two are known not to be shown, and there may be more.
    assert comparison.more == "2 or more further payments of it not shown."
    assert comparison.more in pane(house, whole)
    four = twin(house, signals=[signal("split_payments", payments=5, others=refs[:4])])
    assert compared(house, four).more == "1 further payment of it not shown."
    assert not compared(house, twin(house, signals=[signal("split_payments", payments=3, others=refs[:2])])).more


def test_of_a_batch_what_both_pay_the_receiver_is_said_beside_the_totals(house: House) -> None:
    twin(house, ref="PB-BATCH", kind="BULK_PAYOUT", payee="Otieno & Sons and 3 more", amount_minor=90_000_000)
    found = lines(compared(house, twin(house, signals=[signal("duplicate_invoice", earlier="PB-BATCH")])))
    assert found["Total"] == (["KES\xa0486,500.00", "KES\xa0900,000.00"], True)
    assert found["To Otieno & Sons"] == (["KES\xa0486,500.00"] * 2, False)
    assert "Amount" not in found


def test_another_bill_is_found_by_its_id_for_numbers_are_each_vendors_own(house: House) -> None:
    def paid(number: str, bill_id: str, ref: str, **given: Any) -> Approval:
        bill = {"bill_no": number, "bill_id": bill_id, "account": "254700000111"}
        house.request(kind="bill_payment", ref=ref, status="PENDING_APPROVAL", payload=bill)
        return twin(house, kind="BILL_PAYMENT", ref=ref, **given)

    paid("INV-7", "of-another-vendor", "BP-OTHERS")
    paid("INV-7", "first-bill", "BP-FIRST")
    named = signal("duplicate_invoice", bill="INV 7", earlier="INV-7", earlier_id="first-bill", reason="SAME_FILE")
    again = paid("INV 7", "second-bill", "BP-AGAIN", signals=[named])
    comparison = compared(house, again)
    assert [column.heading for column in comparison.columns] == ["This item", "Bill payment BP-FIRST"]
    assert lines(comparison)["Bill"] == (["INV 7", "INV-7"], True)
    assert lines(comparison)["Account"] == (["254700000111"] * 2, False)
    assert "Bill INV 7 looks like INV-7: same file" in pane(house, again)


def test_what_cannot_be_seen_is_named_and_never_shown(house: House, new_house: Any) -> None:
    twin(new_house(), ref="PB-FOREIGN", title="Of another business")
    unseen = twin(house, signals=[signal("duplicate_invoice", earlier="PB-FOREIGN")])
    comparison = compared(house, unseen)
    assert (comparison.lines, comparison.missing, len(comparison.columns)) == ([], ["PB-FOREIGN"], 1)
    body = pane(house, unseen)
    assert "Not among the approvals that you can see: PB-FOREIGN." in body
    assert "Of another business" not in body
    unpaid = signal("duplicate_invoice", bill="INV 7", earlier="INV-7", earlier_id="unpaid", reason="SAME_AMOUNT")
    assert compared(house, twin(house, signals=[unpaid])).missing == ["Bill INV-7"]


def test_nothing_else_is_compared(house: House) -> None:
    apollo = house.actor("Apollo")
    others: list[Any] = [
        house.expense(), house.request(), house.payment(),
        house.payment(signals=["duplicate_invoice", signal("split_payments"), signal("split_payments", others=None)]),
        house.payment(signals=[{"code": "duplicate_invoice"}, {"code": "duplicate_invoice", "evidence": "as text"}]),
        house.payment(signals=[signal("duplicate_invoice", earlier="")]),
    ]  # fmt: skip
    assert all(comparisons_of(apollo, subject) == [] for subject in others)
