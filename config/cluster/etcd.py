"""The etcd in which Patroni keeps who is primary: one on loopback, whose clients need a password."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from config.cluster.programs import find_program
from config.embedded import CannotStart, spawn

START_S = 30


class Etcd:
    """An etcd of our own. Whoever may write into it says how PostgreSQL is run, so that its clients need a password, from
    `protect` on. Without it whoever may open ports of this machine's loopback can write: as a client in the moments of the
    first start until then, and on the port for other etcd at all times, which knows no password."""

    def __init__(self, data: Path, password: str, port: int, peer_port: int) -> None:
        self.data, self.password = data, password
        self.port, self.peer_port = port, peer_port
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The URL at which its clients reach it, on loopback."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> subprocess.Popen[bytes]:
        """Starts it, and waits until it answers."""
        program, peer = find_program("etcd"), f"http://127.0.0.1:{self.peer_port}"
        if program is None:
            raise CannotStart("etcd is not here: install Debian's package etcd-server.")
        log = self.data / "log" / "etcd.log"
        self.process = spawn(
            [program, "--name", "countersign", "--data-dir", str(self.data / "cluster" / "etcd"),
             "--listen-client-urls", self.address, "--advertise-client-urls", self.address,
             "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", f"countersign={peer}", "--auto-compaction-retention", "1h", "--log-level", "warn"],
            log=log,
        )  # fmt: skip
        ends = time.monotonic() + START_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > ends:
                raise CannotStart(f"etcd did not start: see {log}")
            time.sleep(0.1)
        return self.process

    def protect(self) -> None:
        """Gives it its password the first time; it keeps it."""
        account = {"name": "root", "password": self.password}
        try:
            self._call("auth/authenticate", **account)
        except HTTPError:
            # Each is refused where it is there already: somebody was interrupted in the middle.
            for path, body in (
                ("auth/user/add", account),
                ("auth/role/add", {"name": "root"}),
                ("auth/user/grant", {"user": "root", "role": "root"}),
                ("auth/enable", {}),
            ):
                with contextlib.suppress(HTTPError):
                    self._call(path, **body)
            self._call("auth/authenticate", **account)

    def _call(self, path: str, **body: str) -> None:
        request = Request(f"{self.address}/v3/{path}", json.dumps(body).encode(), method="POST")
        with urlopen(request, timeout=5) as answer:
            answer.read()

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.address}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False
