"""What keeps a row from being paid, cell by cell, as the service would say it: and what the service says of a row that it
refuses all the same stands at its cell."""

from __future__ import annotations

import pytest

from dashboard.errors import FieldProblem, Rejected
from dashboard.pages.payouts.selectors.payouts import PayoutDestinations
from dashboard.pages.payouts.services.lines import PaymentLine, check_lines, place_refusals
from dashboard.schemas.payments import Bank, Channel
from service.rails import catalogue
from tests.dashboard.payouts.test_large_payout import KINDS, Kind, payment

CHANNELS = {
    channel.code: Channel.model_validate(
        {"code": channel.code, "name": channel.name, "country": "KE", "currencies": sorted(channel.currencies), "needs": list(channel.needs)}
    )
    for channel in catalogue.channels("KE")
}  # fmt: skip
BANKS = [Bank.model_validate({"code": code, "name": name, "country": "KE"}) for code, name in catalogue.banks("KE")]
DESTINATIONS = PayoutDestinations(CHANNELS, BANKS)


def checked(cells: dict[str, str], currency: str = "KES", number: int = 4) -> PaymentLine:
    line = PaymentLine(number, payment(number) | cells)
    check_lines([line], currency, "en_KE", DESTINATIONS)
    return line


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.column}: {kind.said}")
def test_an_error_is_said_at_its_cell_alone(kind: Kind) -> None:
    problems = checked(kind.cells).problems
    assert problems.keys() == {kind.column}
    assert kind.said in problems[kind.column]


@pytest.mark.parametrize(
    ("cells", "account", "bank"),
    [
        ({}, "254712341004", None),
        ({"channel": "SWIFT", "account": "nl91 abna 0417 1643 00", "bank": "abnanl2a"}, "nl91abna0417164300", "ABNANL2A"),
        ({"channel": "SWIFT", "account": "021000021123", "bank": "CHASUS33"}, "021000021123", "CHASUS33"),
        ({"channel": "PesaLink", "account": "0110234567", "bank": "equity bank kenya"}, "0110234567", "68"),
        ({"channel": "M-Pesa till", "account": "512345"}, "512345", None),
        ({"channel": "M-Pesa paybill", "account": "400200", "reference": "ACC-7"}, "400200", None),
        ({"amount": "KES 1,500.50"}, "254712341004", None),
    ],
)  # fmt: skip
def test_what_the_service_takes_is_right(cells: dict[str, str], account: str, bank: str | None) -> None:
    line = checked(cells)
    assert line.problems == {}
    assert (line.body["account"], line.body.get("bank_code")) == (account, bank)


def test_a_channel_that_does_not_carry_the_wallet_s_currency_says_so() -> None:
    assert checked({}, "USD").problems == {"channel": "M-Pesa to a phone does not carry USD"}
    assert (
        "amount"
        in checked(
            {"channel": "SWIFT", "account": "021000021123", "bank": "CHASUS33", "amount": "KES 5"}, "USD"
        ).problems
    )


def test_what_the_service_alone_refuses_stands_at_its_cell() -> None:
    lines = [checked({}, number=number) for number in (4, 7, 8)]
    refused = place_refusals(
        lines,
        Rejected(
            fields=[
                FieldProblem("body.items.1.account", "held", "It is a vendor's account that waits."),
                FieldProblem("items.2.bank_code", "invalid", "There is no such bank."),
                FieldProblem("items.2.subcategory_id", "invalid", "There is no such subcategory."),
                FieldProblem("name", "invalid", "Too long."),
                FieldProblem("items.9.account", "invalid", "Beyond the table."),
            ]
        ),
    )
    assert {line.number: line.problems for line in refused} == {
        7: {"account": "It is a vendor's account that waits."},
        8: {"bank": "There is no such bank.", "receiver": "There is no such subcategory."},
    }
