"""The program over Patroni ends what Patroni began, however early it is ended itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config import ROOT

# In place of Patroni a program that goes on; the signal comes in the moment after its start.
PROGRAM = """
import os, sys
from pathlib import Path
from config.cluster import node

number, left = int(sys.argv[1]), Path(sys.argv[2])
spawn = node.spawn

def start(command, **options):
    process = spawn([sys.executable, "-c", "import time; time.sleep(60)"], **options)
    left.write_text(str(process.pid))
    os.kill(os.getpid(), number)
    return process

node.spawn = start
node.end_postgres = lambda folder: left.write_text("ended")
node.run(Path("configuration"), Path("data"))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_ended_right_after_patroni_began_it_ends_what_patroni_began(tmp_path: Path, number: signal.Signals) -> None:
    left = tmp_path / "left"
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(number.value), str(left)],
        cwd=ROOT, capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    assert left.read_text() == "ended"
