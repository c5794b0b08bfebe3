"""One PostgreSQL under Patroni, as a program: `python -m config.cluster.node CONFIGURATION DATA_FOLDER`.

Patroni starts PostgreSQL so that it lives on when Patroni ends, as is right on a machine of its own. Here both have to end
with who started them: what Patroni leaves behind becomes this program's child, and is ended by it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from types import FrameType

from config.embedded import spawn

PR_SET_CHILD_SUBREAPER = 36
# Patroni's own goodbye: a checkpoint, and the standby has everything.
END_S = 20
ENDING = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGALRM}
ROOT = Path(__file__).resolve().parents[2]


def postmaster(folder: Path) -> int:
    """The process that its lock file names; 0 where there is none."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pid = int((folder / "postmaster.pid").read_text().split()[0])
        os.kill(pid, 0)
        # The number may be another program's by now; where nobody tells, it is taken for what it was.
        if sys.platform != "linux" or b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return pid
    return 0


def end_postgres(folder: Path) -> None:
    """Ends a PostgreSQL whose Patroni has gone, in the immediate way: it recovers at its next start."""
    if pid := postmaster(folder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGQUIT)
        ends = time.monotonic() + END_S
        while postmaster(folder) == pid and time.monotonic() < ends:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)
            time.sleep(0.05)


def wait_for(child: int) -> int:
    """Until this child ends; its exit code. Others that were left to us are taken note of: Patroni, which asks whether its
    PostgreSQL is there, must not be shown one that has died."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            return os.waitstatus_to_exitcode(status)


def run(configuration: Path, folder: Path) -> int:
    """Until Patroni ends; SIGTERM and SIGINT end it in peace, SIGQUIT (which is what a lost parent sends) at once."""
    # Whatever comes before we can heed it waits until then: else we would end, and a PostgreSQL that Patroni began would not.
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    patroni = spawn(
        [sys.executable, "-m", "patroni", str(configuration)], env=dict(os.environ), folder=ROOT,
        prepare=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, ENDING),
    )  # fmt: skip

    def end(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            in_peace = number in {signal.SIGTERM, signal.SIGINT}
            os.kill(patroni.pid, signal.SIGTERM if in_peace else signal.SIGKILL)
        signal.alarm(END_S)

    for number in ENDING:
        signal.signal(number, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    code = wait_for(patroni.pid)
    end_postgres(folder)
    return code


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), Path(sys.argv[2])))
