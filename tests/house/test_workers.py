"""The tests of a run are read once and played by processes that are forked then: each of them once, whatever becomes of a worker."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.test_loaded_modules import environ_of

ROOT = Path(__file__).parent.parent.parent
READ = "import os\nwith open('read', 'a') as file:\n    file.write(f'{os.getpid()}\\n')\n"
SPREAD = """
import pytest
from pathlib import Path

def note(name):
    with open("played", "a") as file:
        file.write(f"{name} {os.getpid()}\\n")

@pytest.mark.on_one_worker("one")
@pytest.mark.parametrize("turn", range(8))
def test_one(turn):
    note(f"one[{turn}]")

@pytest.fixture(scope="module")
def shared():
    note("shared")
    yield
    note("ended")

@pytest.mark.parametrize("turn", range(8))
def test_other(turn, tmp_path, shared):
    (tmp_path / "file").write_text("")
    note(f"other[{turn}]")
"""
ENDS = """
import signal

@pytest.mark.parametrize("turn", range(5))
def test_ends(turn):
    note(f"ends[{turn}]")
    if turn in (1, 4):
        os.kill(os.getpid(), signal.SIGKILL)
"""
SAYS = """
import warnings

def test_passes():
    print("nobody reads this")
    warnings.warn("look at this")

@pytest.mark.skip(reason="not today")
def test_is_skipped():
    pass

def test_fails():
    print("what was printed")
    with open("played") as file:
        assert file.read() == "this"

@pytest.fixture
def broken():
    raise RuntimeError("no such thing")

def test_is_not_begun(broken):
    pass
"""


def run(folder: Path, text: str, workers: int = 2) -> tuple[int, str]:
    """The exit code and the output of pytest about these tests."""
    (folder / "test_it.py").write_text(READ + text)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = on_one_worker(name): of one worker\n")
    plugins = ["-p", "no:django", "-p", "no:cacheprovider", "-p", "tests.databases", "-p", "tests.workers"]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", *plugins, "--workers", str(workers), "test_it.py"],
        cwd=folder, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return found.returncode, found.stdout + found.stderr


def played(folder: Path) -> dict[str, list[str]]:
    """Of each test that was begun, by which processes."""
    found: dict[str, list[str]] = {}
    for line in (folder / "played").read_text().splitlines():
        name, process = line.split()
        found.setdefault(name, []).append(process)
    return found


def test_they_are_read_once_and_each_is_played_once_by_one_of_the_workers(tmp_path: Path) -> None:
    code, output = run(tmp_path, SPREAD)
    assert (code, "16 passed" in output) == (0, True), output
    assert len((tmp_path / "read").read_text().split()) == 1
    by_test = played(tmp_path)
    shared, ended = by_test.pop("shared"), by_test.pop("ended")
    assert by_test.keys() == {f"{name}[{turn}]" for name in ("one", "other") for turn in range(8)}
    assert {len(processes) for processes in by_test.values()} == {1}
    # What a module shares is made by each worker that needs it, once, and ended there.
    assert sorted(shared) == sorted(ended) == sorted(set(shared))


def test_a_group_stays_together(tmp_path: Path) -> None:
    run(tmp_path, SPREAD)
    assert len({process for name, (process, *_) in played(tmp_path).items() if name.startswith("one[")}) == 1


def test_a_worker_that_ends_fails_its_test_and_the_others_are_played(tmp_path: Path) -> None:
    code, output = run(tmp_path, SPREAD + ENDS)
    assert (code, "2 failed, 19 passed" in output) == (1, True), output
    assert output.count("Its worker ended with -9 while it was played.") == 2
    assert {name: len(processes) for name, processes in played(tmp_path).items() if "[" in name} == {
        f"{name}[{turn}]": 1 for name, turns in (("one", 8), ("other", 8), ("ends", 5)) for turn in range(turns)
    }


def test_what_they_say_is_said_as_by_one_process(tmp_path: Path) -> None:
    (tmp_path / "played").write_text("that")
    code, output = run(tmp_path, "import pytest\n" + SAYS)
    assert code == 1
    assert "1 failed, 1 passed, 1 skipped, 1 warning, 1 error" in output
    for line in ("look at this", "not today", "what was printed", "assert 'that' == 'this'", "no such thing"):
        assert line in output, output
    assert "nobody reads this" not in output


def test_what_cannot_be_read_is_an_error_and_nothing_is_played(tmp_path: Path) -> None:
    code, output = run(tmp_path, SPREAD + "\nraise RuntimeError('not readable')\n")
    assert (code, "not readable" in output, (tmp_path / "played").exists()) == (2, True, False), output


# What a worker does after it was forked, and every setting that still has something of the first process's.
LEFT = """
from tests import databases
import django
django.setup()
from django.conf import settings
from django.core.cache import cache
from django.db import connection
before = str(settings.DATABASES["default"]["NAME"])
assert before.endswith("_main"), before
# In use before the fork, as a module that is read with the tests may do.
assert cache.key_prefix == before, cache.key_prefix
databases.work_with_those_of("gw7")
names = [name for name in dir(settings) if name.isupper() and "_main" in repr(getattr(settings, name))]
print(names, connection.settings_dict["NAME"], cache.key_prefix, *sorted(databases.os.environ[name] for name in databases.PATTERNS))
"""


@pytest.mark.parametrize("program", ["dashboard", "service"])
def test_nothing_of_the_first_process_is_a_workers(program: str) -> None:
    addresses = dict.fromkeys(
        ("DATABASE_URL", "SERVICE_DATABASE_URL"), f"postgresql://a:b@127.0.0.1:1/{program}_WORKER"
    )
    env = environ_of(program) | addresses | {"AUDIT_ANCHOR_FOLDER": "/nowhere/anchors_WORKER", "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", LEFT], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    worker = f"{program}_gw7"
    expected = f"[] {worker} {worker} /nowhere/anchors_gw7 " + " ".join([f"postgresql://a:b@127.0.0.1:1/{worker}"] * 2)
    assert found.stdout.strip() == expected, found.stderr
