"""What a wallet holds afterwards is said of everything that moves money, in the item and in the plan; or that nobody knows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.bulk.balances import WalletAfter
from dashboard.decisions.desk_items import desk_item_of
from dashboard.mirror.models import ApprovalRequest, FundAccount, Wallet
from dashboard.money import Money
from dashboard.pages.payouts.presenters.payouts import balance_after as balance_of_payout
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_bulk_decisions import keys, planned

HELD, PAID = 50_000_000, 10_000_000


def wallet(house: House, ref: str = "1", name: str = "Main", **given: Any) -> Wallet:
    values: dict[str, Any] = {
        "remote_id": f"w-{house.business.pk}-{ref}", "org_wallet_ref": ref, "name": name, "currency": "KES",
        "wallet_type": "MAIN", "status": "ACTIVE", "available_minor": HELD,
    } | given  # fmt: skip
    return Wallet.objects.create(**house._mirrored() | values)


def fact(house: House, subject: Any) -> str | None:
    return dict(desk_item_of(house.actor("Apollo"), subject).facts).get("Balance after")


def paid_with_fee(house: House, kind: str, fee: int = 5_300, **given: Any) -> Any:
    """A request for votes whose payment the copy knows, with its fee, as the service lists both."""
    payment = house.payment(kind=kind, org_wallet_ref="1", amount_minor=PAID, **given)
    fees = {"fee_minor": fee, "bill_id": "b-1"} if kind == "BILL_PAYMENT" else {"total_fees_minor": fee}
    house.request(
        kind="bill_payment" if kind == "BILL_PAYMENT" else "payout", ref=payment.ref, org_wallet_ref="1",
        amount_minor=PAID, status="PENDING_APPROVAL", payload=fees | {"item_count": 1},
    )  # fmt: skip
    return payment


def manual(house: House, direction: str) -> Any:
    return house.request(
        kind="hand_transaction", org_wallet_ref="1", amount_minor=PAID, payload={"direction": direction}
    )


@pytest.mark.parametrize("required", [1, 2])
def test_an_item_says_what_stays_however_many_votes_are_needed_yet(house: House, required: int) -> None:
    wallet(house)
    payment = house.payment(org_wallet_ref="1", amount_minor=PAID, approvals_required=required)
    assert (fact(house, payment) or "").startswith("Main: KES\xa0400,000.00 before fees, as of ")


@pytest.mark.parametrize("kind", ["BULK_PAYOUT", "BANK_TRANSFER", "BILL_PAYMENT"])
def test_the_fees_leave_the_wallet_too_in_the_item_and_in_the_plan(house: House, kind: str) -> None:
    wallet(house)
    payment = paid_with_fee(house, kind)
    assert (fact(house, payment) or "").startswith("Main: KES\xa0399,947.00, as of ")
    body = planned(house, house.browser("Apollo"), ids=keys(payment))
    assert "<ins>KES\xa0399,947.00</ins>" in body
    assert "before fees" not in body


def test_the_inbox_and_the_page_of_a_payout_say_the_same_balance(house: House) -> None:
    wallet(house)
    payment = paid_with_fee(house, "BULK_PAYOUT")
    payout = ApprovalRequest.objects.get(business=house.business, kind="payout", ref=payment.ref)
    after = balance_of_payout(house.actor("Apollo"), payout)
    assert after is not None
    assert (fact(house, payment) or "").startswith(f"Main: {after[1]}, as of ")


def test_where_the_copy_does_not_know_the_fees_the_item_and_the_plan_say_so(house: House) -> None:
    wallet(house)
    payment = house.payment(kind="BULK_PAYOUT", org_wallet_ref="1", amount_minor=PAID)
    assert "before fees" in (fact(house, payment) or "")
    body = planned(house, house.browser("Apollo"), ids=keys(payment, paid_with_fee(house, "BILL_PAYMENT")))
    assert "Main (KES) after, before fees" in body


def fund_movement(house: House, kind: str | None, **given: Any) -> Any:
    """A request for votes on a movement of a fund account, which the copy knows where `kind` says what it is."""
    payment = house.payment(
        kind="INVESTMENT",
        org_wallet_ref="1",
        amount_minor=PAID,
        approvals_required=1,
        title="Top up Money Market",
        **given,
    )
    if kind is not None:
        movement = {"ref": payment.ref, "kind": kind, "status": "PENDING_APPROVAL", "value_date": "2026-11-28"}
        FundAccount.objects.create(
            **house._mirrored()
            | {
                "remote_id": f"f-{payment.pk}", "fund_id": "f-1", "fund_name": "Money Market", "currency": "KES",
                "status": "ACTIVE", "payload": {"movements": [movement]},
            }
        )  # fmt: skip
    return payment


@pytest.mark.parametrize("kind", ["FX_TRANSFER", "INVEST", "TOP_UP"])
def test_what_is_on_hold_since_it_was_requested_is_not_taken_off_again(house: House, kind: str) -> None:
    wallet(house)
    is_fx = kind == "FX_TRANSFER"
    payment = house.payment(kind=kind, org_wallet_ref="1", amount_minor=PAID) if is_fx else fund_movement(house, kind)
    said = fact(house, payment) or ""
    assert said.startswith("Main: KES\xa0500,000.00, as of ")
    assert said.endswith("; the amount is on hold already")
    body = planned(house, house.browser("Apollo"), ids=keys(payment))
    assert "<ins>KES\xa0500,000.00</ins>" in body
    assert "<s>" not in body.partition("Main (KES) after")[2].partition("</dd>")[0]


def test_a_balance_from_before_the_request_is_one_with_the_amount_in_it(house: House) -> None:
    row = wallet(house)
    payment = house.payment(
        kind="FX_TRANSFER", org_wallet_ref="1", amount_minor=PAID, requested_at=row.last_seen + timedelta(seconds=1)
    )
    said = fact(house, payment) or ""
    assert said.startswith("Main: KES\xa0400,000.00, as of ")
    assert "on hold" not in said
    assert "<ins>KES\xa0400,000.00</ins>" in planned(house, house.browser("Apollo"), ids=keys(payment))


@pytest.mark.parametrize("kind", ["WITHDRAW", None])
def test_where_a_fund_pays_later_or_the_copy_does_not_know_which_way_nothing_is_said(
    house: House, kind: str | None
) -> None:
    wallet(house)
    payment = fund_movement(house, kind)
    assert fact(house, payment) is None
    assert "Main (KES) after" not in planned(house, house.browser("Apollo"), ids=keys(payment))


@pytest.mark.parametrize(
    ("kind", "sentence", "end"),
    [
        ("INVEST", "KES\xa0100,000.00 on hold in the wallet buys units, value date 28 Nov 2026.", "Invested"),
        ("TOP_UP", "KES\xa0100,000.00 on hold in the wallet moves to the fund account immediately.", "Topped up"),
        (
            "WITHDRAW",
            "Units are sold at the price of their day, value date 28 Nov 2026; KES\xa0100,000.00 was estimated when it was requested.",
            "Paid out",
        ),
        (None, "It is carried out as its title says.", "Carried out"),
    ],
)
def test_what_follows_is_said_of_the_movement_that_it_is(
    house: House, kind: str | None, sentence: str, end: str
) -> None:
    item = desk_item_of(house.actor("Apollo"), fund_movement(house, kind))
    assert dict(item.facts)["If approved"] == f"Yours is the last approval. {sentence}"
    assert item.chain[-1].text == end


def test_what_is_invested_out_of_the_accounts_own_cash_touches_no_wallet(house: House) -> None:
    payment = fund_movement(house, "INVEST")
    payment.org_wallet_ref = ""
    payment.save()
    facts = dict(desk_item_of(house.actor("Apollo"), payment).facts)
    assert "Balance after" not in facts
    assert "buys units" in facts["If approved"]


def test_an_account_in_a_fund_is_opened_without_money(house: House) -> None:
    payment = house.payment(kind="INVESTMENT", approvals_required=1)
    house.request(kind="fund_opt_in", ref=payment.ref)
    item = desk_item_of(house.actor("Apollo"), payment)
    assert "Balance after" not in dict(item.facts)
    assert item.chain[-1].text == "Fund account opened"
    assert dict(item.facts)["If approved"].endswith("No money moves yet.")


def test_a_manual_transaction_adds_or_takes(house: House) -> None:
    wallet(house)
    assert (fact(house, manual(house, "IN")) or "").startswith("Main: KES\xa0600,000.00, as of ")
    assert (fact(house, manual(house, "OUT")) or "").startswith("Main: KES\xa0400,000.00, as of ")


@pytest.mark.parametrize("given", [{"available_minor": None}, {"currency": "USD"}])
def test_a_balance_that_is_not_known_is_said_to_be_unknown(house: House, given: dict[str, Any]) -> None:
    wallet(house, **given)
    payment = house.payment(org_wallet_ref="1", amount_minor=PAID)
    assert fact(house, payment) == "Main: unknown"
    body = planned(house, house.browser("Apollo"), ids=keys(payment))
    assert "Main (KES) after" in body
    assert "unknown" in body
    assert "<ins>" not in body


def test_a_wallet_that_is_not_there_is_unknown_too(house: House) -> None:
    assert fact(house, house.payment(org_wallet_ref="9")) == "9: unknown"


def test_what_moves_no_money_says_nothing_of_a_balance(house: House) -> None:
    wallet(house)
    for subject in (house.expense(), house.payment(kind="POLICY", org_wallet_ref="1"), house.request()):
        assert fact(house, subject) is None


def test_the_plan_counts_what_its_parts_take_from_one_wallet_together(house: House) -> None:
    wallet(house)
    wallet(house, "2", "Main", available_minor=None)
    subjects = [
        house.payment(org_wallet_ref="1", amount_minor=PAID), house.payment(org_wallet_ref="2", amount_minor=PAID),
        manual(house, "OUT"), manual(house, "OUT"), manual(house, "IN"),
    ]  # fmt: skip
    body = planned(house, house.browser("Apollo"), ids=keys(*subjects))
    together, *parts = body.partition("<h2>Total: 5 will be approved")[2].split("<h2>")
    assert len(parts) == 2
    assert "<s>KES\xa0500,000.00</s> <ins>KES\xa0300,000.00</ins>" in together
    assert "unknown" in together
    # Of two wallets of one name each is counted by itself.
    assert together.count("Main (KES) after") == 2
    assert all("<ins>KES\xa0400,000.00</ins>" in part for part in parts)


def test_more_from_an_unknown_balance_stays_unknown() -> None:
    known = WalletAfter("Main", "1", Money(-1, "KES"), Money(5, "KES"), Money(4, "KES")).plus(Money(3, "KES"))
    unknown = WalletAfter("Main", "1", Money(-1, "KES"), None, None).plus(Money(-2, "KES"))
    assert (known.moved, known.before, known.after) == (Money(2, "KES"), Money(5, "KES"), Money(7, "KES"))
    assert (unknown.moved, unknown.after) == (Money(-3, "KES"), None)
