"""What is typed is read by one rule: what a form of ours refuses the service refuses, and the other way round.

Each table is put to the form's field and to the real service's operation for the same field.
"""

from collections.abc import Callable
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
import requests
from django import forms

from dashboard.inputs import InputError, amount
from dashboard.pages.cards.forms.controls import AmountsForm
from dashboard.pages.cards.forms.single_use import SingleUsePolicyForm
from dashboard.pages.cards.forms.state import BlockForm
from dashboard.pages.customers.forms import CustomerForm
from dashboard.pages.expenses.forms import ReceiptsForm
from dashboard.pages.treasury.forms import TransferForm
from dashboard.phones import PhoneError, e164
from tests.dashboard.conftest import World
from tests.dashboard.treasury.test_transfers import first, second

numbers = count(1)
TEXTS = {
    "a name": "Mary Otieno", "blanks around": "  Mary  ", "a blank alone": " ", "nothing": "", "a bell": "Mary\x07",
    "a newline": "Mary\nOtieno", "a newline at its end": "Mary\n", "a tab": "Mary\tOtieno", "C1": "Mary\x85",
    "delete": "Mary\x7f", "a line separator": "Mary\u2028Otieno", "a zero width space alone": "\u200b",
    "a byte order mark alone": "\ufeff", "a Hangul filler alone": "\u3164", "Braille without dots": "\u2800",
    "a mark without a base": "\u0301", "a no-break space alone": "\xa0", "decomposed": "Zoe\u0301",
    "turned around": "\u202eyraM", "an emoji": "😀", "100": "é" * 100, "101": "é" * 101, "NFC makes 100": "e\u0301" * 100,
    "NFC makes 101": "e\u0301" * 101, "Arabic": "شركة النور", "a zero width joiner inside": "Ma\u200dry",
}  # fmt: skip
AMOUNTS = (
    "1", "1.5", "1.50", "1.500", "0.001", "1.005", "0", "-1", "-0", "+1", "1.", ".5", "1e0", "1E2", "1_0", "0x1",
    "１２", "١٢", "१२", "1²", "½", "true", "True", "NaN", "Infinity", "-Infinity", "null", "1 KES", "1\u066b5", "1\x00",
    "1\n", "0001", "9" * 14, "9" * 15, "9" * 16, "1." + "0" * 20, "",
)  # fmt: skip
DAYS = (
    "2026-03-01", "20260301", "2026-3-1", "2026-03-1", "2026-W10-7", "2026-060", "01.03.2026", "03/01/2026", "1 March 2026",
    "2026-03-01T00:00:00", "2026-03-01 00:00", "２０２６-03-01", "2026-02-30", "2026-13-01", "0000-01-01", "1772323200",
    "2026-03-01\n", "today",
)  # fmt: skip
WHOLES = (
    "7",
    "7.0",
    "7.00",
    "7.",
    "7.5",
    "７",
    "٧",
    "1_0",
    "1e1",
    "+7",
    "-7",
    "0x7",
    "true",
    "007",
    "0",
    "366",
    "9" * 16,
    "",
)
# As long as any, but that NFC is not asked of it: a secret and an id are kept to the letter.
Refuses = Callable[[str], bool]


def refused(world: World, method: str, path: str, body: dict[str, Any], person: str = "") -> bool:
    """Whether the service refuses the body for what a field of it holds; `person` is who is said to send it."""
    headers = {"Authorization": f"Bearer {world.token()}", "business_id": world.made["business_id"]}
    headers["Idempotency-Key"] = f"inputs-{next(numbers)}-{world.made['business_id']}"
    if person:
        headers["X-Acting-Employee"] = world.employee(person)["employee_id"]
    answer = requests.request(method, f"{world.service}/v2{path}", json=body, headers=headers, timeout=30)
    # Taken, in the way of something else, or refused at a field: anything else never came to look at the fields.
    assert answer.status_code in {200, 201, 202, 400, 409, 422}, answer.text
    # 400: a body with a NUL is not read at all.
    return answer.status_code in {400, 422}


def differing(values: Any, ours: Refuses, theirs: Refuses) -> dict[str, tuple[bool, bool]]:
    """Of each value that one refuses and the other takes, which does."""
    told = {repr(value): (ours(value), theirs(value)) for value in values}
    return {value: both for value, both in told.items() if both[0] != both[1]}


def field_of(form: type[forms.Form], name: str) -> Refuses:
    """Whether the form refuses a value of the field, beside it."""

    def refuses(value: str) -> bool:
        return name in form({name: value}).errors

    return refuses


@pytest.mark.parametrize("name", ["name", "person"])
def test_the_texts_of_a_customer(world: World, name: str) -> None:
    def theirs(value: str) -> bool:
        # An empty field is left out of what is sent.
        body = {"name": "Somebody", **({name: value} if value.strip(" ") or name == "name" else {})}
        return refused(world, "POST", "/customers", body)

    def ours(value: str) -> bool:
        return name in CustomerForm({"name": "Somebody", name: value}, locale="en_KE").errors

    assert differing(TEXTS.values(), ours, theirs) == ({} if name == "name" else {repr("\xa0"): (False, True)})


def test_the_address_of_a_customer_and_its_mail(world: World) -> None:
    for name, values in {
        "address": [text for text in TEXTS.values() if text.strip()] + ["a" * 300, "a" * 301, "a\r\nb"],
        "email": [
            "a@b.co",
            "a@b",
            "a b@c.de",
            "a@b.c",
            "é@b.co",
            "a@b.co\n",
            "a@@b.co",
            "<a@b.co>",
            "a@b.xn--p1ai",
            "a@é.co",
        ],
        "tax_pin": ["A001", "a b", "-1", "A" * 40, "A" * 41, "Ａ1", "A1\n"],
    }.items():
        sent = {"tax_pin": "taxPin"}.get(name, name)

        def ours(value: str, name: str = name) -> bool:
            return name in CustomerForm({"name": "Somebody", name: value}, locale="en_KE").errors

        def theirs(value: str, sent: str = sent) -> bool:
            return refused(world, "POST", "/customers", {"name": "Somebody", sent: value})

        assert differing(values, ours, theirs) == {}, name


def test_the_name_of_a_card_and_why_it_is_blocked(world: World) -> None:
    employee = world.employee("Carla")["employee_id"]
    made = world.send("POST", "/cards", {"employee_id": employee, "name": "Fuel"})

    def ours(value: str) -> bool:
        return "name" in AmountsForm({"name": value}, currency="KES", locale="en_KE").errors

    def theirs(value: str) -> bool:
        return refused(world, "PUT", f"/cards/{made['_id']}", {"name": value})

    assert differing(TEXTS.values(), ours, theirs) == {}
    blocks: Refuses = lambda value: refused(world, "PUT", f"/cards/{made['_id']}/block", {"reason": value})  # noqa: E731
    assert differing(TEXTS.values(), field_of(BlockForm, "reason"), blocks) == {}


def test_the_amount_of_a_transfer(world: World) -> None:
    paying, taking = first(world), second(world)

    def ours(value: str) -> bool:
        given = {"amount": value, "from_wallet": "a", "to_wallet": "b"}
        form = TransferForm(given, locale="en_KE")
        return not form.is_valid() or bool(form.wrong_for("KES"))

    def theirs(value: str) -> bool:
        body = {"from_org_wallet_ref": paying.org_wallet_ref, "to_org_wallet_ref": taking.org_wallet_ref}
        return refused(world, "POST", "/fx/transfer", body | {"amount": value}, "Apollo")

    assert differing(AMOUNTS, ours, theirs) == {}


def test_a_boolean_is_no_amount_and_no_number(world: World) -> None:
    paying, taking = first(world), second(world)
    body = {"from_org_wallet_ref": paying.org_wallet_ref, "to_org_wallet_ref": taking.org_wallet_ref, "amount": True}
    assert refused(world, "POST", "/fx/transfer", body, "Apollo")


def test_a_day(world: World) -> None:
    def ours(value: str) -> bool:
        given = {"since": value, "until": "2026-03-02", "format": "ZIP"}
        return "since" in ReceiptsForm(given, teams=[], states=[]).errors

    def theirs(value: str) -> bool:
        return refused(world, "POST", "/expenses/export-receipts", {"from": value, "to": "2026-03-02", "format": "ZIP"})

    assert differing(DAYS, ours, theirs) == {}


def test_a_whole_number(world: World) -> None:
    policy = world.upstream("/cards/single-use/policy")

    def ours(value: str) -> bool:
        field = SingleUsePolicyForm.base_fields["valid_days"]
        try:
            field.clean(value)
        except forms.ValidationError:
            return True
        return False

    def theirs(value: str) -> bool:
        body = {name: policy[name] for name in ("enabled", "max_open", "limits", "version")}
        return refused(world, "PUT", "/cards/single-use/policy", body | {"valid_days": value})

    assert differing(WHOLES, ours, theirs) == {}


@pytest.mark.parametrize(
    ("locale", "typed", "read"),
    [
        ("en_KE", "1,250.50", "1250.50"), ("en_KE", "1,250", "1250"), ("en_KE", "12,345,678.9", "12345678.9"),
        ("en_KE", "1250.50", "1250.50"), ("en_KE", " 1250 ", "1250"), ("en_KE", "-1,250", "-1250"),
        ("en_IN", "12,34,567.50", "1234567.50"), ("en_IN", "1,234,567", "1234567"), ("de_DE", "1.250,50", "1250.50"),
        ("de_DE", "1.250.000", "1250000"), ("de_DE", "1250,5", "1250.5"), ("de_DE", "1250.50", "1250.50"),
        ("de_DE", "0.125", "0.125"), ("fr_FR", "1 250,50", "1250.50"), ("fr_FR", "1\u202f250,50", "1250.50"),
        ("fr_FR", "1\xa0250 000", None), ("de_CH", "1'250.50", "1250.50"), ("de_CH", "1’250.50", "1250.50"),
        ("de_DE", "1.250", None), ("en_KE", "1,25", None), ("en_KE", "1,2,3", None), ("en_KE", "1,250,50", None),
        ("en_KE", ",250", None), ("en_KE", "1,,250", None), ("en_KE", "1 250", None), ("en_KE", "1.250,50", None),
        ("en_KE", "1,250e3", None), ("en_KE", "１,250", None), ("en_KE", "1٬250", None), ("en_KE", "9" * 16, None),
        ("en_KE", "1,000,000,000,000,000", None),
    ],
)  # fmt: skip
def test_marks_between_thousands_are_taken_away_where_they_can_be_read_in_one_way(
    locale: str, typed: str, read: str | None
) -> None:
    if read is None:
        with pytest.raises(InputError):
            amount(typed, locale)
    else:
        assert amount(typed, locale) == Decimal(read)


@pytest.mark.parametrize(
    "typed",
    [
        "0712345678", "0712 345 678", "(0712) 345-678", "+254 712 345 678", "+254712345678", "254712345678",
        "00254712345678", "712345678", "254 712.345.678",
    ],
)  # fmt: skip
def test_every_spelling_of_a_telephone_number_is_the_same_number(typed: str) -> None:
    assert e164(typed, "en_KE") == "254712345678"


@pytest.mark.parametrize(
    ("typed", "locale", "kept"),
    [
        ("020 7946 0958", "en_GB", "442079460958"), ("+44 20 7946 0958", "en_KE", "442079460958"),
        ("(650) 253-0000", "en_US", "16502530000"), ("0772 345 678", "en_UG", "256772345678"),
        ("call me", "en_KE", ""), ("٠٧١٢٣٤٥٦٧٨", "en_KE", ""), ("12", "en_KE", ""), ("0712 345 678 9012 345", "en_KE", ""),
        ("+999 1234567", "en_KE", ""), ("", "en_KE", ""), ("0712345678 ext. 5", "en_KE", ""),
    ],
)  # fmt: skip
def test_a_number_is_of_the_businesss_country_unless_it_names_another(typed: str, locale: str, kept: str) -> None:
    if kept:
        assert e164(typed, locale) == kept
    else:
        with pytest.raises(PhoneError):
            e164(typed, locale)


def test_a_number_as_it_is_sent_is_one_that_the_service_takes(world: World) -> None:
    for typed in ("0712 345 678", "+44 20 7946 0958", "+1 650 253 0000", "+290 51234"):
        form = CustomerForm({"name": "Mary", "phone": typed}, locale="en_KE")
        assert form.is_valid(), typed
        assert not refused(world, "POST", "/customers", form.body()), typed
