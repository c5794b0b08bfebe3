"""Postings balance, happen once for ever under their reference, and never take more than there is."""

from datetime import date, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from service.businesses.models import Business
from service.errors import ServiceError
from service.ledger.balances import balance, posted_at
from service.ledger.chart import open_account, system_account
from service.ledger.models import LedgerAccount, LedgerEntry, LedgerTransaction
from service.ledger.post import Leg, UnbalancedError, freeze, post, reverse
from service.ledger.statements import statement
from tests.service.ledger.conftest import fresh_business, funded


def refused(code: str, status: int) -> "pytest.RaisesContext":
    """Expects a refusal."""
    return pytest.raises(ServiceError, match=f"^{code}:")


@pytest.fixture
def a(business: Business) -> LedgerAccount:
    return funded(business, "a", 10_000)


@pytest.fixture
def b(business: Business) -> LedgerAccount:
    return funded(business, "b", 0)


def test_a_transfer_moves_money_and_numbers_its_entries(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    posted = post(business, "t1", "TRANSFER", [Leg(a.pk, -2_500), Leg(b.pk, 2_500)], "rent")
    assert not posted.already
    assert (balance(a).posted, balance(b).posted) == (7_500, 2_500)
    newest = statement(a.pk).lines[0].entry
    assert (newest.seq, newest.amount, newest.balance_after, newest.transaction.description) == (
        2,
        -2_500,
        7_500,
        "rent",
    )
    assert [line.entry.seq for line in statement(a.pk, skipped=1).lines] == [1]


def test_the_same_reference_with_the_same_content_posts_once(
    business: Business, a: LedgerAccount, b: LedgerAccount
) -> None:
    legs = [Leg(a.pk, -100), Leg(b.pk, 100)]
    first = post(business, "once", "TRANSFER", legs)
    again = post(business, "once", "TRANSFER", list(reversed(legs)))
    assert (again.id, again.already) == (first.id, True)
    assert balance(b).posted == 100


@pytest.mark.parametrize("change", ["amount", "account", "kind"])
def test_the_same_reference_with_other_content_is_refused(
    business: Business, a: LedgerAccount, b: LedgerAccount, change: str
) -> None:
    post(business, "once", "TRANSFER", [Leg(a.pk, -100), Leg(b.pk, 100)])
    other = funded(business, "c", 0)
    amount = 101 if change == "amount" else 100
    target = other if change == "account" else b
    kind = "FEE" if change == "kind" else "TRANSFER"
    with refused("duplicate", 409), transaction.atomic():
        post(business, "once", kind, [Leg(a.pk, -amount), Leg(target.pk, amount)])
    assert balance(a).posted == 9_900


def test_references_of_two_businesses_do_not_meet(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    other = fresh_business()
    c, d = funded(other, "a", 500), funded(other, "b", 0)
    first = post(business, "same", "TRANSFER", [Leg(a.pk, -1), Leg(b.pk, 1)])
    two = post(other, "same", "TRANSFER", [Leg(c.pk, -1), Leg(d.pk, 1)])
    assert first.id != two.id
    assert not two.already


@pytest.mark.parametrize("legs", [[(0, -5), (1, 4)], [(0, -5)], [], [(0, 0), (1, 0)], [(0, -5), (0, 4)]])
def test_legs_that_do_not_balance_are_refused(
    business: Business, a: LedgerAccount, b: LedgerAccount, legs: list[tuple[int, int]]
) -> None:
    accounts = (a, b)
    with pytest.raises(UnbalancedError), transaction.atomic():
        post(business, "bad", "TRANSFER", [Leg(accounts[n].pk, amount) for n, amount in legs])
    assert not LedgerTransaction.objects.filter(business=business, external_ref="bad").exists()


def test_each_currency_balances_by_itself(business: Business, a: LedgerAccount) -> None:
    dollars = funded(business, "d", 300, "USD")
    clearing = [system_account(business, "FX_CLEARING", currency) for currency in ("KES", "USD")]
    with pytest.raises(UnbalancedError), transaction.atomic():
        post(business, "fx", "FX", [Leg(a.pk, -100), Leg(dollars.pk, 100)])
    post(
        business,
        "fx",
        "FX",
        [Leg(a.pk, -1_300), Leg(clearing[0].pk, 1_300), Leg(clearing[1].pk, -10), Leg(dollars.pk, 10)],
    )
    assert (balance(a).posted, balance(dollars).posted) == (8_700, 310)
    assert balance(clearing[1]).posted == -10


def test_a_debit_of_more_than_there_is_changes_nothing(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    with refused("insufficient_funds", 422), transaction.atomic():
        post(business, "much", "TRANSFER", [Leg(a.pk, -10_001), Leg(b.pk, 10_001)])
    assert (balance(a).posted, balance(b).posted) == (10_000, 0)
    assert post(business, "much", "TRANSFER", [Leg(a.pk, -10_000), Leg(b.pk, 10_000)]).already is False


def test_an_account_that_may_goes_below_zero(business: Business, b: LedgerAccount) -> None:
    credit_line = open_account(business, "LOAN", "KES", allow_negative=True)
    post(business, "loan", "TRANSFER", [Leg(credit_line.pk, -700), Leg(b.pk, 700)])
    assert balance(credit_line).posted == -700


def test_accounts_of_another_business_are_not_there(business: Business, a: LedgerAccount) -> None:
    theirs = funded(fresh_business(), "x", 100)
    with refused("not_found", 404), transaction.atomic():
        post(business, "steal", "TRANSFER", [Leg(theirs.pk, -50), Leg(a.pk, 50)])
    assert balance(theirs).posted == 100


def test_a_frozen_account_takes_credits_only(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    freeze(a, frozen=True)
    with refused("invalid_state", 409), transaction.atomic():
        post(business, "out", "TRANSFER", [Leg(a.pk, -1), Leg(b.pk, 1)])
    bank = system_account(business, "BANK_FLOAT", "KES")
    post(business, "in", "TOPUP", [Leg(bank.pk, -1), Leg(a.pk, 1)])
    freeze(a, frozen=False)
    post(business, "out", "TRANSFER", [Leg(a.pk, -1), Leg(b.pk, 1)])
    assert balance(a).posted == 10_000


def test_nothing_is_posted_into_a_closed_book(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    Business.objects.filter(pk=business.pk).update(books_closed_until=date(2026, 1, 31))
    legs = [Leg(a.pk, -1), Leg(b.pk, 1)]
    with refused("invalid_state", 409), transaction.atomic():
        post(business, "late", "TRANSFER", legs, effective_on=date(2026, 1, 31))
    post(business, "late", "TRANSFER", legs, effective_on=date(2026, 2, 1))


def test_many_legs_on_one_account_are_one_transaction(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    legs = [Leg(a.pk, -10, f"item {n}") for n in range(5)] + [Leg(b.pk, 50), Leg(a.pk, 7), Leg(b.pk, -7)]
    post(business, "group", "PAYOUT", legs)
    entries = list(LedgerEntry.objects.filter(account=a, transaction__external_ref="group").order_by("seq"))
    assert [entry.amount for entry in entries] == [7, -10, -10, -10, -10, -10]
    assert [entry.seq for entry in entries] == [2, 3, 4, 5, 6, 7]
    assert entries[-1].balance_after == balance(a).posted == 9_957
    assert entries[1].note == "item 0"


def test_a_reversal_restores_balances_once(business: Business, a: LedgerAccount, b: LedgerAccount) -> None:
    posted = post(business, "t", "TRANSFER", [Leg(a.pk, -400), Leg(b.pk, 400)])
    back = reverse(business, posted.id, "t-back")
    assert (balance(a).posted, balance(b).posted) == (10_000, 0)
    assert reverse(business, posted.id, "t-back") == type(back)(back.id, True)
    with refused("invalid_state", 409), transaction.atomic():
        reverse(business, posted.id, "t-back-again")
    with refused("invalid_state", 409), transaction.atomic():
        reverse(business, back.id, "t-back-back")
    with refused("invalid_state", 409), transaction.atomic():
        reverse(fresh_business(), posted.id, "theirs")


def test_a_balance_of_the_past_is_that_of_its_last_entry(
    business: Business, a: LedgerAccount, b: LedgerAccount
) -> None:
    before = timezone.now()
    post(business, "now", "TRANSFER", [Leg(a.pk, -1_000), Leg(b.pk, 1_000)])
    assert posted_at(a, before) == 10_000
    assert posted_at(a, timezone.now()) == 9_000
    assert posted_at(a, before - timedelta(days=1)) == 0
