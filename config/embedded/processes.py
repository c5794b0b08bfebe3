"""Programs that end with the one that started them, a free port, and what is kept for the owner alone."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
# How many points the curve P-256 has: a private key is a number below it.
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CLONE_NEWUSER = 0x10000000
# A unix socket's whole path must fit into 107 bytes; PostgreSQL adds "/.s.PGSQL.5432".
LONGEST_SOCKET_FOLDER = 90
START_SECONDS = 30
STOP_SECONDS = 15


class RunningProcess(Protocol):
    """A process of ours, with what subprocess.Popen has of one: `returncode` is None while it runs."""

    pid: int

    @property
    def returncode(self) -> int | Any:
        """Its exit code, negative for the signal that ended it; None while it runs."""

    def poll(self) -> int | None:
        """The exit code as it is now."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit code once it has ended; subprocess.TimeoutExpired after so many seconds."""

    def send_signal(self, number: int, /) -> None:
        """Sends a signal to the process; nothing where it has ended."""

    def terminate(self) -> None:
        """Sends SIGTERM: it ends once it has finished what it is at."""

    def kill(self) -> None:
        """Sends SIGKILL: it ends without finishing anything."""


class CannotStart(Exception):
    """Something on this machine is in the way; the message is one line for a person, with what to do about it."""


def die_with_parent(signal_number: int = signal.SIGKILL, parent: int | None = None) -> None:
    """Asks the kernel to end this process when its parent ends, however it ends (Linux; elsewhere nothing happens).

    `parent` is the pid that started us: if it is gone already, the kernel would have nothing left to report.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def name_process(name: str) -> None:
    """What `ps` and the kernel call this process from now on, by its first fifteen letters (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NAME, name.encode()[:15], 0, 0, 0)


def spawn(
    command: list[str], *, env: dict[str, str] | None = None, log: Path | None = None, stdin: int | None = None,
    prepare: Callable[[], object] | None = None, death_signal: int = signal.SIGKILL, folder: Path | None = None,
    pass_fds: Iterable[int] = (),
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Starts a program that ends with us, in a folder and with open descriptors of ours where those are given; its output
    goes to the log file. Call from the main thread only: the kernel watches the thread that forked."""
    starter = os.getpid()

    def before_exec() -> None:
        if prepare is not None:
            prepare()
        # After any change of credentials, which would clear it; parents in another user namespace read as themselves.
        die_with_parent(death_signal, starter)

    output = log.open("ab") if log else None
    try:
        return subprocess.Popen(
            command, env=env, stdin=stdin if stdin is not None else subprocess.DEVNULL, stdout=output, stderr=output,
            preexec_fn=before_exec, start_new_session=True, cwd=folder, pass_fds=tuple(pass_fds),
        )  # fmt: skip
    finally:
        if output:
            output.close()


def stop(process: RunningProcess | None, signal_number: int = signal.SIGTERM, seconds: float = STOP_SECONDS) -> None:
    """Ends a program politely, then firmly."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(signal_number)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(STOP_SECONDS)


def stop_all(processes: Iterable[RunningProcess], seconds: float = STOP_SECONDS) -> None:
    """Ends several programs politely, all at once, and after so many seconds for all of them together firmly."""
    living = [process for process in processes if process.poll() is None]
    for process in living:
        process.terminate()
    ends = time.monotonic() + seconds
    for process in living:
        stop(process, seconds=max(0.0, ends - time.monotonic()))


def stop_groups(processes: list[subprocess.Popen[Any]], seconds: float) -> None:
    """Ends programs that were spawned, with whatever each has started in its own session: politely, and after so many
    seconds for all of them together firmly."""
    for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, STOP_SECONDS)):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        ends = time.monotonic() + patience
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, ends - time.monotonic()))


def work_of(pids: Iterable[int]) -> int:
    """How much processor time these processes and their children have used, in the kernel's ticks: a number that grows
    as long as they work. 0 where the kernel does not tell."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += sum(int(word) for word in words[11:15])
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            ticks += work_of(int(child) for child in children)
    return ticks


def free_port() -> int:
    """A port on loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def saved_secrets(data: Path) -> dict[str, str]:
    """The secrets of an embedded set-up: made once, kept readable for its owner alone. A folder of an earlier version gets
    those that it lacks."""
    file = data / "secrets.json"
    stored: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    import base64

    new_secrets = {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "SERVICE_SECRET_KEY": secrets.token_urlsafe(50),
        "ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "REDIS_PASSWORD": secrets.token_urlsafe(24),
        "METRICS_TOKEN": secrets.token_urlsafe(24),
        "SERVICE_METRICS_TOKEN": secrets.token_urlsafe(24),
        "SERVICE_SANDBOX_TOKEN": secrets.token_urlsafe(24),
        # As dashboard/notifications/vapid.py reads it: 32 bytes in base64url without padding.
        "VAPID_PRIVATE_KEY": base64.urlsafe_b64encode((secrets.randbelow(P256_ORDER - 1) + 1).to_bytes(32, "big"))
        .decode()
        .rstrip("="),
    } | stored
    if new_secrets != stored:
        write_private(file, json.dumps(new_secrets, indent=1))
    return new_secrets


def write_private(file: Path, text: str) -> None:
    """Writes a file that only its owner may read, in one step: a reader sees the old one or the new one."""
    partial = file.with_name(file.name + ".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(text)
    partial.replace(file)


def package_folder(name: str) -> Path | None:
    """Where an installed package lies; None where it is not installed."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))
