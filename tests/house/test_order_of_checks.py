"""In which order `manage.py test` runs what it runs: what starts whole houses has the machine for itself, at the end."""

from pathlib import Path

import pytest

from config.check_run import CheckRun
from config.checks import Check
from config.dev_stack import House


class Recorded(CheckRun):
    """A check_run that notes what would run beside what, and whether a house is up, instead of running it."""

    def __init__(self, house: House, *, full: bool) -> None:
        super().__init__(house, full=full)
        self.turns: list[tuple[set[str], int, bool]] = []
        self.is_up = False

    def run(self, checks: list[Check], at_once: int = 2) -> None:
        self.turns.append(({check.name for check in checks}, at_once, self.is_up))


@pytest.mark.parametrize("full", [False, True])
def test_what_starts_houses_runs_last_alone_and_with_no_house_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    house = House(tmp_path, 1, 2, durable=False)
    check_run = Recorded(house, full=full)
    for variable in ("DATABASE_URL", "SERVICE_DATABASE_URL", "AUDIT_ANCHOR_FOLDER"):
        house.env[variable] = "of the house"
    monkeypatch.setattr(house, "open_programs", lambda: setattr(check_run, "is_up", True))
    monkeypatch.setattr(house, "close_programs", lambda _: setattr(check_run, "is_up", False))
    check_run.everything()
    turns = check_run.turns
    assert turns[-1][0] == {"lifecycle"}
    assert not turns[-1][2], "a house stands beside it"
    together = {name for names, _, _ in turns for name in names}
    assert together > {"lint", "house rules", "service", "dashboard", "browser", "contract", "the ledger, after all"}
    assert [names for names, _, is_up in turns if "browser" in names and not is_up] == []
    benchmarks = [
        (names, at_once) for names, at_once, _ in turns if any(name.startswith("benchmark") for name in names)
    ]
    assert all(len(names) == 1 and at_once == 1 for names, at_once in benchmarks)
    assert bool(benchmarks) is full
