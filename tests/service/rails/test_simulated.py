"""The simulated rails do what docs/rails.md says, the same each time; messages are kept only where the sandbox is on."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings

from service.errors import ServiceError
from service.rails import bank, card_network, catalogue, messages, mobile_money
from service.rails.bank import BankRail
from service.rails.card_network import Clearing, ClearingKind
from service.rails.mobile_money import MobileMoneyRail, Push
from service.rails.outcomes import Order, RailTimeoutError, State
from tests.service.house import House

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "rails.md").read_text()
RAILS = [bank.rail, mobile_money.rail]


def order(ending: str) -> Order:
    return Order("ref-1", "BANK_EFT", f"25471234{ending}", "68", "Payee", 1000, "KES", NOW)


@pytest.mark.parametrize("rail", RAILS, ids=["bank", "mobile money"])
@pytest.mark.parametrize(
    ("ending", "at_once", "later"),
    [
        ("0001", "FAILED account_not_found", "FAILED account_not_found"),
        ("0002", "FAILED refused_by_provider", "FAILED refused_by_provider"),
        ("0003", "PENDING ", "SUCCEEDED "),
        ("0004", "timeout", "SUCCEEDED "),
        ("0005", "timeout", "FAILED not_received"),
        ("0006", "PENDING ", "FAILED returned"),
        ("4321", "SUCCEEDED ", "SUCCEEDED "),
    ],
)
def test_the_last_four_digits_decide(rail: BankRail | MobileMoneyRail, ending: str, at_once: str, later: str) -> None:
    for _ in range(2):
        try:
            found = rail.send(order(ending))
            said = f"{found.state} {found.failure_code}"
        except RailTimeoutError:
            said = "timeout"
        assert said == at_once
    found = rail.status(order(ending), NOW + timedelta(seconds=2))
    assert f"{found.state} {found.failure_code}" == later
    assert bool(found.provider_ref) is (found.state == State.SUCCEEDED)
    if at_once in ("PENDING ", "timeout"):
        assert rail.status(order(ending), NOW).state == State.PENDING


def test_a_reference_is_one_payment_with_one_provider_reference() -> None:
    assert bank.rail.send(order("4321")) == bank.rail.send(order("4321"))
    assert bank.rail.send(order("4321")).provider_ref != mobile_money.rail.send(order("4321")).provider_ref


@pytest.mark.parametrize(
    ("ending", "seconds", "code"),
    [("0001", 2, 1), ("0002", 2, 1001), ("0003", 2, 1032), ("0005", 100, 0), ("1111", 2, 0)],
)
def test_what_the_phones_owner_does(ending: str, seconds: int, code: int) -> None:
    push = Push("ref-1", f"25471234{ending}", 500, "KES", NOW)
    assert mobile_money.rail.push_result(push, NOW + timedelta(seconds=seconds - 1)) is None
    result = mobile_money.rail.push_result(push, NOW + timedelta(seconds=seconds))
    assert result is not None
    assert (result.code, bool(result.receipt)) == (code, code == 0)
    assert result.checkout_request_id == mobile_money.rail.push(push).checkout_request_id


def test_a_phone_that_never_answers() -> None:
    push = Push("ref-1", "254712340004", 500, "KES", NOW)
    assert mobile_money.rail.push_result(push, NOW + timedelta(days=1)) is None


@pytest.mark.parametrize(
    ("amount", "clearing"),
    [
        (10_000, Clearing(ClearingKind.CAPTURE, 10_000)),
        (10_091, Clearing(ClearingKind.NOTHING, 0)),
        (10_092, Clearing(ClearingKind.CAPTURE, 5_046)),
        (10_093, Clearing(ClearingKind.CAPTURE, 12_111)),
        (10_094, Clearing(ClearingKind.REVERSE, 0)),
    ],
)
def test_the_last_two_digits_of_an_amount_decide_how_it_is_cleared(amount: int, clearing: Clearing) -> None:
    assert card_network.network.clear("auth-1", amount) == clearing


def test_a_card_is_issued_once_per_reference_and_without_its_number() -> None:
    card = card_network.network.issue("card-1", date(2026, 1, 5))
    assert card == card_network.network.issue("card-1", date(2026, 1, 5))
    assert re.fullmatch(r"vcn_[0-9a-f]{24}", card.token)
    assert re.fullmatch(r"[0-9]{4}", card.last_four)
    assert (card.expiry_month, card.expiry_year) == (1, 2029)


def test_the_document_has_every_magic_ending() -> None:
    endings = {"0001", "0002", "0003", "0004", "0005", "0006", *mobile_money.PUSH_RESULTS, mobile_money.NEVER}
    endings |= {str(ending) for ending in card_network.MAGIC}
    assert {ending for ending in endings if f"| {ending} |" not in DOCUMENT} == set()


def test_messages_are_kept_for_the_sandbox_and_nowhere_else(house: House, settings: LazySettings) -> None:
    rita = house.person("Rita")
    sent = {"kind": "notice", "subject_ref": "x", "text": "Hello"}
    messages.send(house.business, [rita], "SMS", **sent)
    messages.send(house.business, [rita], "EMAIL", **sent)
    found = messages.sent(house.business.id)
    assert [(row["channel"], row["to"]) for row in found] == [("EMAIL", rita.email), ("SMS", rita.phone)]
    settings.SANDBOX = False
    with pytest.raises(ServiceError, match="unavailable"):
        messages.send(house.business, [rita], "SMS", **sent)


def test_every_channel_has_a_rail_or_stays_inside() -> None:
    for channel in catalogue.CHANNELS.values():
        assert (channel.rail is None) is (channel.code == "WALLET")
