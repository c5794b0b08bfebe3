"""What somebody sent as JSON or as digits is read with a bound to its depth and its length: in words, never a 500."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from dashboard.client.json import MOST_NESTED, read_untrusted_json
from dashboard.client.refusals import retry_after
from dashboard.decisions.preconditions import differences, fingerprint_of
from dashboard.inputs import page_number, whole_number
from dashboard.mirror.models import Card
from dashboard.pages.bills.forms.lines import lines_of, typed_lines
from dashboard.pages.cards.forms.editor import EditBaseForm
from dashboard.pages.cards.presenters.editor import base_controls_text
from dashboard.pages.payouts.services.lines import TableLines, with_corrections
from tests.dashboard.access.house import House, build
from tests.dashboard.hostile_requests import BREAKING, DOCUMENTS

NUMBERS = ("9" * 5000, "0" * 5000, "0" * 5000 + "7", "-1", "+1", "1_0", " 1", "1\n", "٣", "²", "１", "1.0", "", "x")


@pytest.fixture
def house(db: None) -> House:
    return build()


@given(st.text(), st.integers(min_value=0, max_value=10**18))
def test_a_whole_number_is_what_ascii_digits_write_up_to_the_most(text: str, most: int) -> None:
    number = whole_number(text, most)
    is_one = bool(text) and set(text) <= set("0123456789") and int(text) <= most
    assert number == (int(text) if is_one else None)


@given(st.integers(min_value=0), st.integers(min_value=0, max_value=10**18), st.integers(min_value=0, max_value=9))
def test_a_number_is_read_whatever_noughts_stand_before_it(number: int, most: int, noughts: int) -> None:
    assert whole_number("0" * noughts + str(number), most) == (number if number <= most else None)


@pytest.mark.parametrize("typed", NUMBERS, ids=lambda typed: ascii(typed)[:20])
def test_a_page_that_is_none_is_the_first_and_one_beyond_the_last_is_the_last(typed: str) -> None:
    expected = {"9" * 5000: 99_999, "0" * 5000 + "7": 7}.get(typed, 1)
    assert page_number({"page": typed}) == expected


def test_who_turns_pages_to_the_end_does_not_begin_anew() -> None:
    assert page_number({}) == 1
    assert page_number({"page": "99999"}) == page_number({"page": "100000"}) == 99_999
    assert page_number({"page": "51"}, most=50) == 50


@pytest.mark.parametrize("document", [*DOCUMENTS[:7], DOCUMENTS[8]], ids=lambda text: text[:12])
def test_what_breaks_a_reader_of_json_is_a_value_error(document: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_untrusted_json(document.encode())


def test_what_is_as_deep_as_it_may_be_is_read_exactly() -> None:
    deep: Any = "ends"
    for _ in range(MOST_NESTED - 1):
        deep = [deep]
    assert read_untrusted_json(json.dumps(deep)) == deep
    with pytest.raises(ValueError, match="deep"):
        read_untrusted_json(json.dumps([deep]))
    assert read_untrusted_json('{"a": 1.10, "é": ["\\u00e9", null, true]}') == {
        "a": Decimal("1.10"), "é": ["é", None, True],
    }  # fmt: skip


@pytest.mark.parametrize("fingerprint", BREAKING, ids=lambda text: text[:12])
def test_a_fingerprint_that_is_none_is_an_older_form(house: House, fingerprint: str) -> None:
    expense = house.expense()
    assert [str(one) for one in differences(fingerprint, expense)] == ["page: an older form → this one"]
    assert differences(fingerprint_of(expense), expense) == []


@pytest.mark.parametrize("typed", NUMBERS, ids=lambda typed: ascii(typed)[:20])
def test_lines_of_a_bill_are_counted_and_split_only_by_a_number(typed: str) -> None:
    sent = QueryDict(mutable=True)
    sent["line-TOTAL_FORMS"], sent["line-0-description"] = typed, "Paper"
    assert len(typed_lines(sent)) == (7 if typed.endswith("7") else 0)
    lines = lines_of(initial=[{}] * 3, locale="en_KE", categories=[])
    lines.open_split(typed)
    assert not any(form.is_split_requested for form in lines.forms)
    lines.open_split("002")
    assert [form.is_split_requested for form in lines.forms[:3]] == [False, True, False]


@pytest.mark.parametrize("number", [*NUMBERS, "3-3"], ids=lambda typed: ascii(typed)[:20])
def test_a_cell_is_corrected_only_where_its_name_has_the_number_of_a_row(number: str) -> None:
    lines = TableLines(["account"], [["account"], [], ["512345"]], [2])
    with_corrections(lines, {f"cell-{number}-account": "612345"})
    assert lines[0].values["account"] == "512345"
    with_corrections(lines, {"cell-3-account": " 612345 "})
    assert lines[0].values["account"] == "612345"


@pytest.mark.parametrize("base", [*BREAKING, ""], ids=lambda text: text[:12])
def test_the_controls_that_an_edit_began_with_are_those_of_our_page_alone(base: str) -> None:
    sent = QueryDict(mutable=True)
    sent["version"], sent["stood"], sent["base"] = "1", "ALLOCATION", base
    assert not EditBaseForm(sent, Card(remote_id="a" * 24)).is_valid()


def test_controls_that_our_page_wrote_are_read_and_not_for_another_card() -> None:
    controls = {"limits": [{"interval": "PER_DAY", "amount": 5}], "per_transaction_limit": 7}
    card = Card(remote_id="a" * 24)
    sent = QueryDict(mutable=True)
    sent["version"], sent["base"] = "1", base_controls_text(controls, card)
    form = EditBaseForm(sent, card)
    assert form.is_valid()
    assert form.cleaned_data["base"] == controls
    assert not EditBaseForm(sent, Card(remote_id="b" * 24)).is_valid()


def test_a_service_that_asks_to_wait_for_ever_says_nothing() -> None:
    assert retry_after({"Retry-After": "9" * 400}) is None
    assert retry_after({"Retry-After": "²"}) is None
    assert retry_after({"Retry-After": "120"}) == 120.0
