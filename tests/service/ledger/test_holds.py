"""Holds lower what is available; captures take from them, releases and expiry give back."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from service.businesses.models import Business
from service.errors import ServiceError
from service.ledger.balances import Balance, balance
from service.ledger.chart import system_account
from service.ledger.models import HoldStatus, LedgerAccount
from service.ledger.post import Leg, capture, capture_legs, expire_holds, freeze, hold, post, release
from tests.service.ledger.conftest import funded


@pytest.fixture
def wallet(business: Business) -> LedgerAccount:
    return funded(business, "w", 1_000)


@pytest.fixture
def cards(business: Business) -> LedgerAccount:
    return system_account(business, "CARD_FLOAT", "KES")


def refused(code: str) -> "pytest.RaisesContext":
    return pytest.raises(ServiceError, match=f"^{code}:")


def test_a_hold_reserves_and_a_release_gives_back(business: Business, wallet: LedgerAccount) -> None:
    held = hold(business, wallet, 600, "h")
    assert balance(wallet) == Balance(1_000, 0, 600)
    with refused("insufficient_funds"), transaction.atomic():
        hold(business, wallet, 401, "h2")
    assert release(held, "r")
    assert not release(held, "r")
    assert balance(wallet).available == 1_000
    held.refresh_from_db()
    assert held.status == HoldStatus.VOIDED


def test_held_money_cannot_be_spent_elsewhere(business: Business, wallet: LedgerAccount, cards: LedgerAccount) -> None:
    hold(business, wallet, 600, "h")
    with refused("insufficient_funds"), transaction.atomic():
        post(business, "t", "TRANSFER", [Leg(wallet.pk, -401), Leg(cards.pk, 401)])
    post(business, "t", "TRANSFER", [Leg(wallet.pk, -400), Leg(cards.pk, 400)])


def test_the_same_hold_twice_is_one_and_other_content_is_refused(business: Business, wallet: LedgerAccount) -> None:
    assert hold(business, wallet, 600, "h").pk == hold(business, wallet, 600, "h").pk
    assert balance(wallet).pending_out == 600
    with refused("duplicate"), transaction.atomic():
        hold(business, wallet, 601, "h")


def test_captures_in_parts_end_the_hold(business: Business, wallet: LedgerAccount, cards: LedgerAccount) -> None:
    held = hold(business, wallet, 600, "h")
    capture(held, 200, "c1", cards)
    assert capture(held, 200, "c1", cards).already
    assert balance(wallet) == Balance(800, 0, 400)
    capture(held, 400, "c2", cards)
    held.refresh_from_db()
    assert (held.status, held.captured) == (HoldStatus.POSTED, 600)
    assert balance(wallet) == Balance(400, 0, 0)
    with refused("invalid_state"), transaction.atomic():
        capture(held, 1, "c3", cards)


def test_a_partial_capture_and_a_release_leave_a_posted_hold(
    business: Business, wallet: LedgerAccount, cards: LedgerAccount
) -> None:
    held = hold(business, wallet, 600, "h")
    capture(held, 100, "c", cards)
    release(held, "rest")
    held.refresh_from_db()
    assert held.status == HoldStatus.POSTED
    assert balance(wallet) == Balance(900, 0, 0)


def test_more_than_held_needs_permission_and_money(
    business: Business, wallet: LedgerAccount, cards: LedgerAccount
) -> None:
    held = hold(business, wallet, 600, "h")
    with refused("limit_exceeded"), transaction.atomic():
        capture(held, 601, "c", cards)
    with refused("insufficient_funds"), transaction.atomic():
        capture(held, 1_001, "c", cards, over=True)
    capture(held, 1_000, "c", cards, over=True)
    assert balance(wallet) == Balance(0, 0, 0)


def test_a_forced_capture_goes_below_zero_and_debits_stay_refused(
    business: Business, wallet: LedgerAccount, cards: LedgerAccount
) -> None:
    held = hold(business, wallet, 600, "h")
    other = hold(business, wallet, 300, "h-other")
    freeze(wallet, frozen=True)
    capture(held, 1_200, "c", cards, force=True)
    freeze(wallet, frozen=False)
    assert balance(wallet) == Balance(-200, 0, 300)
    with refused("insufficient_funds"), transaction.atomic():
        post(business, "t", "TRANSFER", [Leg(wallet.pk, -1), Leg(cards.pk, 1)])
    capture(other, 300, "c-other", cards)  # was promised before
    post(business, "top", "TOPUP", [Leg(cards.pk, -100), Leg(wallet.pk, 100)])
    assert balance(wallet) == Balance(-400, 0, 0)
    capture(held, 50, "late", cards, force=True)  # the network may come after the hold has ended
    assert balance(wallet).posted == -450


def test_a_frozen_account_holds_nothing_new_but_pays_what_it_held(
    business: Business, wallet: LedgerAccount, cards: LedgerAccount
) -> None:
    held = hold(business, wallet, 600, "h")
    freeze(wallet, frozen=True)
    with refused("invalid_state"), transaction.atomic():
        hold(business, wallet, 1, "h2")
    capture(held, 600, "c", cards)
    assert balance(wallet).posted == 400


def test_a_group_is_captured_in_one_transaction(
    business: Business, wallet: LedgerAccount, cards: LedgerAccount
) -> None:
    held = hold(business, wallet, 900, "h")
    legs = [leg for n in range(3) for leg in (Leg(wallet.pk, -100, f"i{n}"), Leg(cards.pk, 100, f"i{n}"))]
    capture_legs(held, legs, "group")
    assert balance(wallet) == Balance(700, 0, 600)


def test_holds_run_out(business: Business, wallet: LedgerAccount) -> None:
    due = hold(business, wallet, 200, "due", timezone.now() - timedelta(seconds=1))
    hold(business, wallet, 300, "later", timezone.now() + timedelta(days=7))
    assert due.pk in expire_holds()
    due.refresh_from_db()
    assert due.status == HoldStatus.EXPIRED
    assert balance(wallet) == Balance(1_000, 0, 300)


def test_what_is_expected_is_shown_and_not_available(business: Business, wallet: LedgerAccount) -> None:
    expected = hold(business, wallet, 5_000, "push", incoming=True)
    assert balance(wallet) == Balance(1_000, 5_000, 0)
    assert balance(wallet).available == 1_000
    release(expected, "arrived")
    assert balance(wallet) == Balance(1_000, 0, 0)
