"""Tests of one group run on one worker: a library that no longer sees to it spreads them without a word."""

import subprocess
import sys
from pathlib import Path

TESTS = """
import os
import pytest

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("turn", range(8))
def test_it(turn):
    with open("workers", "a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + "\\n")
"""


def test_a_group_stays_together(tmp_path: Path) -> None:
    (tmp_path / "test_group.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-n", "2", "--dist", "loadgroup", str(tmp_path)]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    assert len(set((tmp_path / "workers").read_text().split())) == 1
