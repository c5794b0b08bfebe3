"""A fixture that several tests need and that fails is one failure (tests/lifecycle/shared_failures.py)."""

import subprocess
import sys
from pathlib import Path

from config import ROOT

CONFTEST = """
import pytest
from tests.lifecycle.shared_failures import pytest_runtest_makereport

@pytest.fixture(scope="session")
def house():
    raise AssertionError("it did not come up")

@pytest.fixture(scope="module")
def town(house):
    return house
"""
TESTS = """
import pytest

def test_first(house): ...
def test_second(house): ...
@pytest.mark.parametrize("turn", range(3))
def test_through_another(town, turn): ...
def test_without(): ...

@pytest.fixture
def own():
    raise AssertionError("by itself")

def test_of_its_own(own): ...
def test_of_its_own_again(own): ...
"""


def test_it_fails_the_first_test_and_the_others_name_it(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_town.py").write_text(TESTS)
    (tmp_path / "test_village.py").write_text("def test_elsewhere(town): ...\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "-p", "no:django", "-c", "pytest.ini", "."],
        cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1, run.stdout + run.stderr
    # What each makes for itself fails for each.
    assert "1 passed, 5 skipped, 3 errors" in run.stdout, run.stdout + run.stderr
    assert run.stdout.count("what it needs was not there: see test_town.py::test_first") >= 1
    assert "it did not come up" in run.stdout
