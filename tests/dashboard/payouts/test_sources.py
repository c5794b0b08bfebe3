"""A new payout from vendors, bills, people and the last payout: each fills the table that is checked as any is."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from dashboard.bulk.models import Batch
from dashboard.mirror.models import ApprovalRequest, Vendor
from dashboard.web.payee_changes import links_by_vendor
from tests.dashboard.bills.test_payment_runs import begun
from tests.dashboard.bills.upstream import bill, copied, copied_vendor, vendor
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import GRACE, PESALINK, make, meant, only, signed_in, table, upstream

__all__ = ["no_queue"]

SOURCES = ("vendors", "bills", "employees", "last")


def shown(world: World, source: str, who: str = "Ada", query: str = "") -> str:
    return str(world.client(who).get(world.address(f"payouts/new/from/{source}/{query}")).content.decode())


def choose(world: World, source: str, *picks: str, **typed: str) -> Any:
    return signed_in(world, "Ada").post(world.address(f"payouts/new/from/{source}/"), {"pick": list(picks), **typed})


def filled(answer: Any) -> str:
    text = re.search(r"<textarea[^>]*name=\"rows\"[^>]*>\s*(.*?)</textarea>", answer.content.decode(), re.DOTALL)
    assert text is not None
    return text[1]


def draft_of(world: World, rows: str) -> list[dict[str, Any]]:
    """The payments of the draft that the filled table becomes."""
    body = {"name": "Drawn", "wallet": "1", "rows": rows, "key": uuid.uuid4().hex}
    answer = signed_in(world, "Ada").post(world.address("payouts/new/"), body)
    if answer.status_code == 409:
        answer = signed_in(world, "Ada").post(world.address("payouts/new/"), body | {"meant": meant(answer)})
    assert answer.status_code == 302
    items: list[dict[str, Any]] = upstream(world, ApprovalRequest.objects.get(business=world.business, title="Drawn"))[
        "items"
    ]
    return items


@pytest.mark.parametrize("source", SOURCES)
def test_only_who_makes_payouts_opens_a_source_and_an_empty_one_says_so(world: World, source: str) -> None:
    assert world.client("Selma").get(world.address(f"payouts/new/from/{source}/")).status_code == 403
    assert "to choose from" in shown(world, source, query="?q=nobody+of+this+name")
    answer = choose(world, source)
    assert answer.status_code == 422
    assert "Choose at least one row" in answer.content.decode()


def test_chosen_vendors_are_rows_to_their_accounts_in_use(world: World) -> None:
    vendor(world, "Acacia Supplies", account="771234")
    world.sync("vendors", "bills_whole", "approvals")
    chosen = copied_vendor(world, "Acacia Supplies")
    page = shown(world, "vendors", query="?q=acacia")
    assert re.search(r"<td>[A-Z][A-Za-z -]+ ···1234</td>", page), "the channel is said in words"
    assert "771234" not in page
    answer = choose(world, "vendors", chosen.remote_id, **{f"amount-{chosen.remote_id}": "1,250.50"})
    assert answer.status_code == 200
    [item] = draft_of(world, filled(answer))
    assert (item["account"], item["amount_minor"]) == ("771234", 125_050)


def test_what_a_payout_pays_a_vendor_counts_in_what_the_vendor_was_paid(world: World) -> None:
    """From the vendors, and from the last payout; what is typed over is nobody's."""
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    vendor(world, "Acacia Supplies", account="771234")
    world.sync("vendors", "bills_whole", "approvals")
    chosen = copied_vendor(world, "Acacia Supplies")
    answer = choose(world, "vendors", chosen.remote_id, **{f"amount-{chosen.remote_id}": "250"})
    carried = re.search(r'name="vendors" value="([^"]+)"', answer.content.decode())
    assert carried is not None
    assert "771234" not in carried[1]
    rows = filled(answer)
    typed_over = rows.replace("771234", "779999")
    for name, text, vendor_id in (("To the vendor", rows, chosen.remote_id), ("To another", typed_over, None)):
        assert make(world, text, name=name, vendors=carried[1]).status_code == 302
        row = ApprovalRequest.objects.get(business=world.business, kind="payout", title=name)
        [item] = upstream(world, row)["items"]
        assert (item["vendor_id"] or None) == vendor_id


def with_account(world: World, name: str, channel: str, **more: str) -> str:
    """The id of a vendor with one account, as the copy has it."""
    body = {"name": name, "payment_instructions": [{"channel": channel, **more}]}
    return str(ask(world, "Ada", "POST", "/vendors", body)["_id"])


@pytest.mark.parametrize(("channel", "first", "second", "is_told_apart"), [
    ("MPESA_PAYBILL", {"account": "400200", "account_reference": "ACACIA-1"}, {"account": "400200", "account_reference": "B2"}, True),
    ("BANK_PESALINK", {"account": "0110234567", "bank_code": "68"}, {"account": "0110234567", "bank_code": "01"}, True),
    ("MPESA_TILL", {"account": "771234"}, {"account": "771234"}, False),
])  # fmt: skip
def test_vendors_on_one_number_are_told_apart_or_none_is_named(
    world: World, channel: str, first: dict[str, str], second: dict[str, str], *, is_told_apart: bool
) -> None:
    """From the vendors, and from the last payout that named them."""
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    ids = {"Acacia Supplies": with_account(world, "Acacia Supplies", channel, **first)}
    ids["Baobab Print"] = with_account(world, "Baobab Print", channel, **second)
    world.sync("vendors", "bills_whole", "approvals")
    amounts = {f"amount-{vendor_id}": str(10 + place) for place, vendor_id in enumerate(ids.values())}
    answer = choose(world, "vendors", *ids.values(), **amounts)
    assert named(world, answer, "From vendors") == (
        ids if is_told_apart else {"Acacia Supplies": "", "Baobab Print": ""}
    )
    items = [
        {"receiver_name": name, "channel": channel, "amount": 10 + place, "vendor_id": ids[name], **account}
        for place, (name, account) in enumerate((("Acacia Supplies", first), ("Baobab Print", second)))
    ]
    ask(world, "Ada", "POST", "/payments", {"name": "Named", "org_wallet_ref": "1", "items": items})
    world.sync("payouts")
    rows = ApprovalRequest.objects.filter(business=world.business, title="Named")
    assert rows.update(status="COMPLETED") == 1
    picks = [item["_id"] for item in upstream(world, rows.get())["items"]]
    rows.update(status="COMPLETED")
    again = choose(world, "last", *picks, **{f"amount-{pick}": "50" for pick in picks})
    assert named(world, again, "From the last") == (
        ids if is_told_apart else {"Acacia Supplies": "", "Baobab Print": ""}
    )


def named(world: World, answer: Any, name: str) -> dict[str, str]:
    """The vendors that the draft of a filled table names, by receiver."""
    text = filled(answer)
    carried = re.search(r'name="vendors"(?: value="([^"]*)")?', answer.content.decode())
    assert carried is not None
    form = {"name": name, "vendors": carried[1] or ""}
    made = make(world, text, **form)
    if made.status_code == 409:
        made = make(world, text, **form, meant=meant(made))
    assert made.status_code == 302, made.content.decode()
    draft = ApprovalRequest.objects.get(business=world.business, kind="payout", title=name)
    return {item["receiver_name"]: item["vendor_id"] or "" for item in upstream(world, draft)["items"]}


def test_an_account_in_use_is_paid_to_while_a_new_one_waits(world: World) -> None:
    made = vendor(world, "Baobab Print", account="771234")
    new = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{made['_id']}/payment-instruction/add", new)
    world.sync("vendors", "bills_whole", "approvals")
    chosen = copied_vendor(world, "Baobab Print")
    assert "a new account is awaiting confirmation" in shown(world, "vendors", query="?q=baobab")
    answer = choose(world, "vendors", chosen.remote_id, **{f"amount-{chosen.remote_id}": "10"})
    [item] = draft_of(world, filled(answer))
    assert item["account"] == "771234"


def test_a_vendor_whose_only_account_waits_is_held_and_says_why(world: World) -> None:
    made = ask(world, "Ada", "POST", "/vendors", {"name": "Baobab Print"})
    world.sync("vendors", "bills_whole", "approvals")
    chosen = copied_vendor(world, "Baobab Print")
    new = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{made['_id']}/payment-instruction/add", new)
    answer = choose(world, "vendors", chosen.remote_id, **{f"amount-{chosen.remote_id}": "10"})
    assert answer.status_code == 422
    assert "awaiting confirmation by a second person" in answer.content.decode()
    # Which account it is the copy does not know yet.
    assert f'href="{world.address("vendors/payee-changes/")}"><bdi>All payee changes' in answer.content.decode()
    world.sync("vendors", "bills_whole", "approvals")
    page = shown(world, "vendors", query="?q=baobab")
    assert "Held" in page
    assert f'value="{chosen.remote_id}"' not in page
    assert page.count(f'href="{change_of(world, chosen)}"><bdi>Payee change: Baobab Print ···2345') == 1


def change_of(world: World, row: Vendor) -> str:
    """Where a second person decides on the account of a vendor that waits."""
    row.refresh_from_db()
    [waiting] = [each for each in row.instructions if each["status"] == "QUARANTINED"]
    return world.address(f"vendors/payee-changes/#change-{waiting['id']}")


@pytest.mark.parametrize("has_account_in_use", [True, False])
def test_a_candidate_whose_account_waits_leads_to_where_it_is_confirmed(
    world: World, *, has_account_in_use: bool
) -> None:
    """Of the vendors and of the bills, held or paid on another account meanwhile; who sees no vendors is led nowhere."""
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    made = vendor(world, "Baobab Print", account="771234") if has_account_in_use else ask(
        world, "Ada", "POST", "/vendors", {"name": "Baobab Print"}
    )  # fmt: skip
    bill(world, made, amount=1000)
    new = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{made['_id']}/payment-instruction/add", new)
    vendor(world, "Acacia Supplies", account="771235")
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    link = f'href="{change_of(world, copied_vendor(world, "Baobab Print"))}"'
    for source in ("vendors", "bills"):
        page = shown(world, source)
        assert page.count(link) == 1, source
        assert page.count("Payee change: ") == 1, source
    assert links_by_vendor(world.actor("Carla"), [made["_id"]]) == {}


def test_a_vendor_left_out_of_the_table_leads_to_its_change(world: World) -> None:
    held = ask(world, "Ada", "POST", "/vendors", {"name": "Baobab Print"})
    paid = vendor(world, "Acacia Supplies", account="771235")
    new = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{held['_id']}/payment-instruction/add", new)
    world.sync("vendors")
    amounts = {f"amount-{made['_id']}": "10" for made in (held, paid)}
    page = choose(world, "vendors", held["_id"], paid["_id"], **amounts)
    assert page.status_code == 200
    assert "Left out: The only account of Baobab Print" in page.content.decode()
    assert f'href="{change_of(world, copied_vendor(world, "Baobab Print"))}"' in page.content.decode()


def tax(world: World) -> str:
    """A tax of 5 % that is withheld of every payment."""
    body = {"code": "WHT-RENT", "name": "Rent", "resident_rate_bps": 500, "non_resident_rate_bps": 500}
    return str(ask(world, "Ada", "POST", "/taxes/create", body)["_id"])


def test_a_chosen_bill_is_paid_by_a_payment_of_its_own_that_withholds_its_taxes_and_only_once(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    paid = vendor(world, "Acacia Supplies", account="771234")
    made = bill(world, paid, amount=1000, withholding_tax_ids=[tax(world)])
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    row = copied(world, made["bill_no"])
    assert f'value="{row.remote_id}"' in shown(world, "bills")
    answer = choose(world, "bills", row.remote_id)
    assert answer.status_code == 302, answer.content.decode()
    batch = Batch.objects.get(business=world.business)
    assert answer["Location"] == world.address(f"bulk/{batch.pk}/")
    begun(world, batch)
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()
    payment = ApprovalRequest.objects.get(business=world.business, kind="bill_payment")
    assert (payment.amount_minor, payment.payload["withheld_amount_minor"]) == (100_000, 5_000)
    assert payment.payload["bill_id"] == row.remote_id
    # What its payment claims is not offered a second time.
    assert "Held" in shown(world, "bills")
    assert f'value="{row.remote_id}"' not in shown(world, "bills")
    choose(world, "bills", row.remote_id)
    again = Batch.objects.filter(business=world.business).exclude(pk=batch.pk).get()
    assert list(again.rows.values_list("state", flat=True)) == ["LEFT_OUT"]


def test_the_last_payout_comes_again_with_amounts_that_were_confirmed(world: World) -> None:
    make(world, table(GRACE))
    payout = only(world)
    [item] = upstream(world, payout)["items"]
    ApprovalRequest.objects.filter(pk=payout.pk).update(status="COMPLETED")
    assert "Grace Achieng" in shown(world, "last")
    ApprovalRequest.objects.filter(pk=payout.pk).update(status="COMPLETED")
    answer = choose(world, "last", item["_id"], **{f"amount-{item['_id']}": "KES 1,600.00"})
    [again] = draft_of(world, filled(answer))
    assert (again["account"], again["amount_minor"], again["note"]) == ("254712345678", 160_000, "October")


@pytest.mark.parametrize("source", ["vendors", "employees", "last"])
def test_that_not_all_are_shown_is_said_and_each_is_found_by_its_name(
    world: World, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor(world, "Acacia Supplies", account="771234")
    vendor(world, "Baobab Print", account="771235")
    world.sync("vendors")
    make(world, table(GRACE, PESALINK))
    ApprovalRequest.objects.filter(business=world.business, kind="payout").update(status="COMPLETED")
    everything = shown(world, source)
    assert "there are more" not in everything
    ApprovalRequest.objects.filter(business=world.business, kind="payout").update(status="COMPLETED")
    for module in ("selectors.candidates", "selectors.sources", "views.sources"):
        monkeypatch.setattr(f"dashboard.pages.payouts.{module}.MAX_SOURCE_ROWS", 1)
    cut = shown(world, source)
    assert "The first 1" in cut
    assert cut.count('name="pick"') == 1
    ApprovalRequest.objects.filter(business=world.business, kind="payout").update(status="COMPLETED")
    name = {"vendors": "Baobab", "employees": "Zawadi", "last": "Brian"}[source]
    one = shown(world, source, query=f"?q={name.lower()}")
    assert name in one
    assert "there are more" not in one
