"""One transaction: what made it with its links, what it booked, its fee, its category, and the newest of them."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.decisions.preconditions import fingerprint_of
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import ApprovalRequest, Transaction, Wallet
from dashboard.money import text
from tests.dashboard.conftest import World
from tests.dashboard.transactions.conftest import upstream_transaction
from tests.dashboard.treasury.test_exchange import proven, quoted
from tests.dashboard.treasury.test_wallets import grant


def page(world: World, who: str, rest: str) -> str:
    return str(world.client(who).get(world.address(rest)).content.decode())


def item(world: World, who: str, row: Transaction) -> str:
    return page(world, who, f"transactions/{row.remote_id}/")


def test_a_purchase_leads_to_its_expense_and_to_what_it_booked(world: World, purchase: Transaction) -> None:
    body = item(world, "Apollo", purchase)
    assert world.address(f"expenses/{purchase.expense_id}/") in body
    assert world.address(f"expenses/{purchase.expense_id}/tags/") in body
    assert "Ledger entries" in body
    assert "Balance after" in body
    assert "No entry on this wallet yet." not in body


def test_the_entries_are_all_of_its_posting_and_lead_to_it(world: World, purchase: Transaction) -> None:
    # However many entries the wallet has on that day: the posting is read by its number.
    world.sandbox("expenses", count=3, receipts=False)
    number = purchase.payload["ledger_transaction_id"]
    posting = world.upstream(f"/accounting/postings/{number}")
    body = item(world, "Apollo", purchase).replace("\xa0", " ")
    assert f'href="{world.address(f"accounting/postings/{number}/")}"' in body
    entries = body[body.index('id="ledger"') :].split("</section>")[0]
    assert len(posting["entries"]) == entries.count("<li>") >= 2
    assert entries.count("Debit ") == sum(entry["amount_minor"] < 0 for entry in posting["entries"])
    assert entries.count("Balance after") == sum(entry["balance_minor"] is not None for entry in posting["entries"])
    for entry in posting["entries"]:
        assert f"?account={entry['account_id']}" in entries
    assert any(entry["balance_minor"] is not None for entry in posting["entries"])


def test_what_a_person_s_own_wallet_paid_has_its_entries_for_who_sees_the_books(
    world: World, purchase: Transaction
) -> None:
    # No wallet of the business: the copy has no reference of one.
    Transaction.objects.filter(pk=purchase.pk).update(org_wallet_ref="")
    posting = world.upstream(f"/accounting/postings/{purchase.payload['ledger_transaction_id']}")
    body = item(world, "Apollo", purchase)
    entries = body[body.index('id="ledger"') :].split("</section>")[0]
    assert entries.count("<li>") == len(posting["entries"])
    first = next(entry for entry in posting["entries"] if entry["amount_minor"] == purchase.amount_minor)
    assert f"?account={first['account_id']}" in entries.split("</li>")[0]
    assert "Balance after" in entries
    assert "Ledger entries" not in item(world, "Carla", purchase)


def test_entries_that_cannot_be_read_are_said_to_be_unknown(world: World, purchase: Transaction) -> None:
    assert world.proxy is not None
    world.proxy.fail("500", path="/accounting/postings")
    body = item(world, "Apollo", purchase)
    entries = body[body.index('id="ledger"') :].split("</section>")[0]
    assert "the entries are not known now" in entries
    assert "No entry on this wallet yet." not in entries


def test_who_does_not_see_the_books_sees_the_wallet_s_side_alone(world: World, purchase: Transaction) -> None:
    wallet = Wallet.objects.get(business=world.business, org_wallet_ref=purchase.org_wallet_ref)
    grant(world, "Rita", wallet, "WALLET_VIEW", "WALLET_VIEW_BALANCE", "WALLET_VIEW_TRANSACTIONS")
    Transaction.objects.filter(pk=purchase.pk).update(team_id=world.made["teams"][0]["team_id"])
    body = item(world, "Rita", purchase)
    entries = body[body.index('id="ledger"') :].split("</section>")[0]
    number = purchase.payload["ledger_transaction_id"]
    own = [
        entry
        for entry in world.upstream(f"/accounting/postings/{number}")["entries"]
        if entry["org_wallet_ref"] == purchase.org_wallet_ref
    ]
    assert entries.count("<li>") == len(own) == 1
    assert "The entries on this wallet of" in entries
    assert "accounting/" not in entries


def test_the_legs_of_an_exchange_are_named_and_its_spread_is_that_of_its_posting(world: World) -> None:
    browser = proven(world, "Apollo")
    assert browser.post(world.address("treasury/fx/transfer/"), quoted(world, browser)).status_code == 302
    world.sync("transactions_whole")
    legs = Transaction.objects.filter(business=world.business, channel="FX")
    assert legs.count() == 2
    number = legs[0].payload["ledger_transaction_id"]
    spread = world.upstream(f"/accounting/postings/{number}")["spread"]
    assert spread["amount_minor"] > 0
    for leg in legs:
        body = item(world, "Apollo", leg).replace("\xa0", " ")
        assert body.count("FX leg") == 1
        assert "FX spread" in body
        assert world.address(f"accounting/postings/{spread['ledger_transaction_id']}/") in body
        assert text(spread["amount_minor"], spread["currency"], world.business.locale).replace("\xa0", " ") in body


def test_a_card_user_sees_their_own_without_the_wallets_statement_and_no_other(
    world: World, purchase: Transaction
) -> None:
    body = item(world, "Carla", purchase)
    assert world.address(f"expenses/{purchase.expense_id}/") in body
    assert "Ledger entries" not in body
    purchase.employee_id, purchase.team_id = "somebody-else", ""
    purchase.save()
    assert world.client("Carla").get(world.address(f"transactions/{purchase.remote_id}/")).status_code == 404


def test_a_service_that_is_away_leaves_the_copy(world: World, purchase: Transaction) -> None:
    assert world.proxy is not None
    client = world.client("Apollo")
    world.proxy.fail("refused")
    body = client.get(world.address(f"transactions/{purchase.remote_id}/")).content.decode()
    assert "The finance service did not answer: this is the last copy." in body
    assert purchase.counterparty in body


def test_a_fee_is_explained_with_what_it_comes_to(world: World, purchase: Transaction) -> None:
    purchase.payload = {**purchase.payload, "fees_minor": 3_300, "fees": 33, "amount_minor": 100_000}
    purchase.fees_text, purchase.channel = "KES 33.00", "MPESA"
    purchase.save()
    assert world.proxy is not None
    world.proxy.fail("refused")
    body = item(world, "Apollo", purchase)
    assert (
        "Fee KES 33.00. Charged by the mobile money network, on top of the amount: KES\xa01,033.00 left the wallet."
        in body
    )


def test_a_category_is_changed_in_place_and_with_it_that_of_the_expense(world: World, purchase: Transaction) -> None:
    current = (purchase.payload.get("subcategory") or {}).get("_id")
    other = next(number for number, _ in categories_of(world.actor("Rita")) if number != current)
    address = world.address(f"transactions/{purchase.remote_id}/category/")
    answer = world.client("Rita").post(address, {"key": "k", "subcategory_id": other})
    assert answer["Location"] == world.address(f"transactions/{purchase.remote_id}/")
    assert upstream_transaction(world, purchase.remote_id)["subcategory"]["_id"] == other
    refused = world.client("Rita").post(address, {"subcategory_id": "no-such"})
    assert refused.status_code == 422
    assert "Choose a category." in refused.content.decode()


def test_the_newest_are_as_the_service_has_them_and_each_sees_their_own(world: World, purchase: Transaction) -> None:
    others = world.sandbox("expenses", count=2, receipts=False, employee_ids=[world.employee("Rita")["employee_id"]])[
        "expenses"
    ]
    body = page(world, "Apollo", "transactions/recent/")
    newest = {row["expense_id"]: row["_id"] for row in world.upstream("/transactions/recent", limit=20)["docs"]}
    for expense in others:
        assert world.address(f"transactions/{newest[expense['_id']]}/") in body
    own = page(world, "Carla", "transactions/recent/")
    assert world.address(f"transactions/{purchase.remote_id}/") in own
    for expense in others:
        assert newest[expense["_id"]] not in own


def test_the_newest_say_so_where_the_service_does_not_answer(world: World, purchase: Transaction) -> None:
    assert world.proxy is not None
    client = world.client("Apollo")
    world.proxy.fail("refused")
    answer = client.get(world.address("transactions/recent/"))
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()


@pytest.mark.parametrize(("who", "offered"), [("Apollo", True), ("Ada", True), ("Rita", False), ("Carla", False)])
def test_only_who_may_enter_one_is_offered_it(world: World, who: str, offered: bool) -> None:
    assert ("New transaction" in page(world, who, "transactions/")) is offered


NEW: dict[str, Any] = {
    "type": "EXPENSE", "amount": "1,250.50", "counterparty": "Equity Bank", "channel": "BANK", "description": "Charges",
}  # fmt: skip


def wallet(world: World, currency: str = "KES") -> str:
    rows = world.upstream("/accounts", limit=100)["docs"]
    return str(
        next(row["org_wallet_ref"] for row in rows if row["currency"] == currency and row["walletType"] == "MAIN")
    )


def create(world: World, who: str = "Ada", key: str = "k", **form: Any) -> Any:
    world.sync("transactions_whole")
    values = NEW | {"wallet": wallet(world), "key": key} | form
    return world.client(who).post(world.address("transactions/new/"), values)


def test_one_that_is_entered_waits_for_a_second_person_who_is_not_its_maker(world: World) -> None:
    answer = create(world, "Apollo")
    row = Transaction.objects.get(business=world.business, counterparty="Equity Bank")
    assert answer["Location"] == world.address(f"transactions/{row.remote_id}/")
    upstream = upstream_transaction(world, row.remote_id)
    assert (upstream["status"], upstream["amount_minor"], upstream["currency"]) == ("PENDING", 125_050, "KES")
    body = item(world, "Apollo", row)
    assert "It waits for a second person" in body
    desk = f"approvals/hand-transaction/{row.remote_id}/"
    assert world.address(desk) in body
    approve = world.address(f"{desk}approve/")
    request = ApprovalRequest.objects.get(business=world.business, kind="hand_transaction", remote_id=row.remote_id)
    own = {"key": "a", "fingerprint": fingerprint_of(request)}
    assert world.client("Apollo").post(approve, own).status_code == 403
    shown = page(world, "Zawadi", desk)
    assert "Equity Bank" in shown
    assert world.address(f"{desk}approve/") in shown


def test_sent_twice_it_is_entered_once(world: World) -> None:
    first, again = create(world, key="same"), create(world, key="same")
    assert first["Location"] == again["Location"]
    assert Transaction.objects.filter(business=world.business, counterparty="Equity Bank").count() == 1


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"counterparty": ""}, "Enter the counterparty."),
        ({"amount": "0"}, "greater than or equal"),
        ({"amount": "1.234"}, "KES"),
        ({"amount": ""}, "required"),
        ({"type": "IFT", "counterparty": ""}, "Choose the wallet that the money goes to."),
        ({"ref": "#1"}, "A reference begins with a letter or digit"),
        ({"type": "REFUND", "category": "x"}, "Select a valid choice"),
        ({"wallet": "no-such"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_nothing_is_sent(
    world: World, form: dict[str, str], sentence: str
) -> None:
    answer = create(world, **form)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert world.proxy is not None
    assert not [row for row in world.proxy.sent("POST") if row.path.endswith("/transactions/new")]


def test_a_reference_that_is_known_is_refused_above_the_form(world: World) -> None:
    create(world, key="one", ref="CHARGE-1")
    answer = create(world, key="two", ref="CHARGE-1")
    assert answer.status_code == 409
    assert "already exists" in answer.content.decode()


@pytest.mark.parametrize("who", ["Carla", "Rita", "Sam"])
def test_nobody_else_enters_one(world: World, who: str) -> None:
    assert create(world, who).status_code == 403
    assert world.proxy is not None
    assert not [row for row in world.proxy.sent("POST") if row.path.endswith("/transactions/new")]
