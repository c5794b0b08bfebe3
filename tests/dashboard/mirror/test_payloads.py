"""A payload is kept whole and exact, and hashes alike whenever its content is alike."""

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from dashboard.mirror.mappers import canonical_payload


def test_the_order_of_names_is_no_change() -> None:
    assert canonical_payload({"a": 1, "b": {"c": "é", "d": None}}) == canonical_payload(
        {"b": {"d": None, "c": "é"}, "a": 1}
    )
    assert canonical_payload({"a": 1}) != canonical_payload({"a": 2})


def test_amounts_keep_their_digits_and_times_their_zone() -> None:
    body, _ = canonical_payload({"amount": Decimal("1200.50"), "at": datetime(2026, 11, 20, tzinfo=UTC)})
    assert json.loads(body) == {"amount": "1200.50", "at": "2026-11-20 00:00:00+00:00"}


def test_an_integer_of_any_length_is_kept() -> None:
    body, digest = canonical_payload({"n": 10**30})
    assert json.loads(body) == {"n": 10**30}
    assert digest == canonical_payload({"n": 10**30})[1]


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        canonical_payload({"a": object()})


@pytest.mark.parametrize("payload", [{"limit": 2500.5}, {"lines": [{"amount": 0.1}]}])
def test_a_float_makes_no_row(payload: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="never a float"):
        canonical_payload(payload)
