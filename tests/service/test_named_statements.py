"""Statements with names for their values: a value stands wherever its name does, and a name without one is a mistake."""

import pytest

from service.named_statements import named_rows


@pytest.mark.django_db
def test_a_value_stands_wherever_its_name_does() -> None:
    statement = "select %(late)s::int - %(early)s::int, %(late)s::int, %(word)s::text"
    assert named_rows(statement, {"early": 3, "late": 10, "word": "100% sure", "other": 1}) == [(7, 10, "100% sure")]
    # Prepared for one value it takes any other.
    for early in (1, 2**31 - 1, -(2**31)):
        assert named_rows("select %(early)s::bigint + 1", {"early": early}) == [(early + 1,)]


@pytest.mark.django_db
def test_a_name_without_a_value_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        named_rows("select %(missing)s::int", {"early": 3})
