"""The server and the scripts count the same seconds down: a begun second is a whole one, or a countdown would jump up."""

from datetime import UTC, datetime, timedelta

import pytest

from dashboard.times import seconds_left

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("milliseconds", "seconds"), [(10_000, 10), (9_999, 10), (9_001, 10), (9_000, 9), (1, 1), (0, 0), (-5_000, 0)]
)
def test_a_begun_second_counts_whole_and_nothing_is_left_of_what_has_passed(milliseconds: int, seconds: int) -> None:
    assert seconds_left(NOW + timedelta(milliseconds=milliseconds), NOW) == seconds
