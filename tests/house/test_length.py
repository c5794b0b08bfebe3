"""No file of the programs and of their tests is longer than can be read at once: what has grown is split by what it holds."""

import pytest

from tests.house.sources import name_of, python_files

LONGEST = 300
FOLDERS = ("dashboard", "service", "config", "telemetry", "tests", "benchmarks")


def lines_of(folders: tuple[str, ...]) -> dict[str, int]:
    return {name_of(file): len(file.read_text().splitlines()) for file in python_files(*folders)}


def too_long(lines: dict[str, int]) -> set[str]:
    return {name for name, count in lines.items() if count > LONGEST}


def test_no_file_has_more_lines_than_are_read_at_once() -> None:
    lines = lines_of(FOLDERS)
    assert len(lines) > 1500
    assert too_long(lines) == set()


@pytest.mark.parametrize(("count", "is_seen"), [(300, False), (301, True)])
def test_a_longer_file_is_seen(count: int, is_seen: bool) -> None:
    assert bool(too_long({"a.py": count})) == is_seen
