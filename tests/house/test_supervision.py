"""What ends by itself is begun again, later each time; too often within a minute, and it is given up."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from config.supervision import PAUSES_S, EndedTooOften, Supervision


@dataclass
class Clock:
    """Seconds that pass when somebody says so."""

    at: float = 1000.0
    began: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.at

    def begin(self) -> None:
        self.began.append(self.at)


def test_it_is_begun_again_after_its_pause_and_not_before() -> None:
    clock = Clock()
    supervision = Supervision(clock.begin, clock)
    assert supervision.note_end() == PAUSES_S[0]
    assert supervision.waits
    supervision.begin_if_due()
    assert clock.began == []
    clock.at += PAUSES_S[0]
    supervision.begin_if_due()
    supervision.begin_if_due()
    assert clock.began == [1000.0 + PAUSES_S[0]]
    assert not supervision.waits


def test_the_second_pause_is_longer_and_the_third_end_within_a_minute_is_too_often() -> None:
    clock = Clock()
    supervision = Supervision(clock.begin, clock)
    assert supervision.note_end() < supervision.note_end()
    clock.at += 59
    with pytest.raises(EndedTooOften, match="3 times within a minute"):
        supervision.note_end()


def test_ends_that_lie_further_back_are_forgotten() -> None:
    clock = Clock()
    supervision = Supervision(clock.begin, clock)
    for _ in range(10):
        supervision.note_end()
        clock.at += 40
        supervision.begin_if_due()
    assert len(clock.began) == 10
