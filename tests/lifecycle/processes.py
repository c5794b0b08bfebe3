"""What runs on this machine for a data folder, and what it listens on: read in /proc, so nothing can hide it."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from config.embedded import work_of

LISTENING = "0A"
LOOPBACK = "0100007F"


def until(
    happened: Callable[[], object],
    seconds: float,
    what: str,
    progress: Callable[[], object],
    *,
    looks_every_s: float = 0.05,
) -> None:
    """Waits for it, looking often; fails with the sentence `what`.

    The seconds are a guard against what hangs, not a wish: they begin anew whenever `progress` answers something else
    than before, until ten times as many have passed. What has no state to be seen by works at least (`work_in`).
    """
    began = last = time.monotonic()
    seen = progress()
    while not happened():
        now = time.monotonic()
        if (reached := progress()) != seen:
            seen, last = reached, now
        assert now - last < seconds, f"after {now - began:.0f} s: {what}"
        assert now - began < 10 * seconds, f"after {now - began:.0f} s, still moving ({seen}): {what}"
        time.sleep(looks_every_s)


def joined(threads: Sequence[threading.Thread], seconds: float, what: str, progress: Callable[[], object]) -> None:
    """Waits until all of them have ended, as `until` does."""
    until(lambda: not any(thread.is_alive() for thread in threads), seconds, what, progress)


def work_in(folder: Path) -> int:
    """How much processor time what runs for a data folder has used by now: it grows as long as anything of it works."""
    return work_of(processes_of(folder))


def processes_of(folder: Path) -> dict[int, str]:
    """Every living process that has the folder in its arguments, its environment or as its working folder."""
    named, found = str(folder).encode(), {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        # A process may end, or be somebody else's, while it is looked at.
        with contextlib.suppress(OSError):
            told = (entry / "cmdline").read_bytes()
            with contextlib.suppress(OSError):
                told += (entry / "environ").read_bytes()
            with contextlib.suppress(OSError):
                told += bytes((entry / "cwd").readlink())
            ended = (entry / "stat").read_text().rsplit(")", 1)[-1].split()[0] in {"Z", "X"}
            if named in told and not ended:
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:120]
    return found


def below(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def listening() -> dict[str, tuple[str, int]]:
    """Every listening TCP socket of this machine: inode → (address as the kernel writes it, port)."""
    found = {}
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if not Path(table).exists():
            continue
        for line in Path(table).read_text().splitlines()[1:]:
            words = line.split()
            address, port = words[1].split(":")
            if words[3] == LISTENING:
                found[words[9]] = (address, int(port, 16))
    return found


def sockets_of(pids: dict[int, str]) -> set[tuple[str, int]]:
    """What these processes listen on: (address, port)."""
    everybody, found = listening(), set()
    for pid in pids:
        with contextlib.suppress(OSError):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    inode = str(descriptor.readlink()).removeprefix("socket:[").removesuffix("]")
                    if inode in everybody:
                        found.add(everybody[inode])
    return found
