"""What both programs stand on in one data folder: its lock, free ports, PostgreSQL and Redis, and the addresses of these."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from pathlib import Path

from config import DATABASES
from config.embedded import CannotStart, Postgres, Redis, saved_secrets

LEAST_FREE = 500 * 1024 * 1024
CLOSE_S = 10.0
# Of the secrets of the data folder, what the programs read from their environment.
GIVEN_SECRETS = (
    "SECRET_KEY", "SERVICE_SECRET_KEY", "ENCRYPTION_KEYS", "VAPID_PRIVATE_KEY", "METRICS_TOKEN", "SERVICE_METRICS_TOKEN",
    "SERVICE_SANDBOX_TOKEN",
)  # fmt: skip


@dataclass(eq=False)
class Stores:
    """PostgreSQL and Redis of one data folder; `env` is what the programs find them by, `outer` what was given from outside."""

    data: Path
    port: int
    service_port: int
    durable: bool = field(default=True, kw_only=True)
    environ: InitVar[Mapping[str, str] | None] = field(default=None, kw_only=True)

    def __post_init__(self, environ: Mapping[str, str] | None) -> None:
        self.outer = dict(os.environ if environ is None else environ)
        self.postgres: Postgres | None = None
        self.redis: Redis | None = None
        self.env: dict[str, str] = {}
        self._lock: int | None = None
        # When a person began to wait for it; nobody is told of its steps otherwise.
        self.begun: float | None = None

    @property
    def address(self) -> str:
        """Where people go. A name, since passkeys do not work on an IP address."""
        return f"http://localhost:{self.port}"

    @property
    def service_address(self) -> str:
        """Where the finance service answers."""
        return f"http://localhost:{self.service_port}"

    def say(self, line: str) -> None:
        """A line for the person who waits."""
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def say_step(self, what: str) -> None:
        """What is done next, and after how many seconds: for a person who waits."""
        if self.begun is not None:
            sys.stdout.write(f"{time.monotonic() - self.begun:4.0f} s  {what} …\n")
            sys.stdout.flush()

    def open_folder(self) -> None:
        """Makes the data folder ours for as long as we run."""
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = os.open(self.data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            (self.data / "log").mkdir(exist_ok=True)
            (self.data / "mail").mkdir(exist_ok=True)
            (self.data / "inbound-mail").mkdir(exist_ok=True)
        except OSError as error:
            raise CannotStart(f"Cannot write to {self.data} ({error.strerror}): choose a folder with --data.") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotStart(f"Another `up` is running on {self.data}: end it, or choose --data and --port.") from None
        # What processes that have ended counted is no use to those that begin.
        shutil.rmtree(self.data / "metrics", ignore_errors=True)
        for program in ("dashboard", "service"):
            (self.data / "metrics" / program).mkdir(parents=True)
        free = shutil.disk_usage(self.data).free
        if free < LEAST_FREE:
            raise CannotStart(f"Only {free // 1024**2} MB are free for {self.data}: at least 500 MB are needed.")

    def check_ports(self) -> None:
        """Says which port cannot be used before anything is started."""
        if self.port == self.service_port:
            raise CannotStart(f"Port {self.port} cannot serve both: choose another with --port or --service-port.")
        for port, option in ((self.port, "--port"), (self.service_port, "--service-port")):
            if not 0 < port < 65536:
                raise CannotStart(f"{option} {port} is no port: choose one from 1 to 65535.")
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError as error:
                    why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
                    raise CannotStart(f"Port {port} {why}: choose another with {option}.") from None

    def start_stores(self) -> None:
        """PostgreSQL and Redis, each unless its address is given from outside."""
        secret = saved_secrets(self.data)
        env = self.outer | {
            "COUNTERSIGN_DEVELOPMENT": self.outer.get("COUNTERSIGN_DEVELOPMENT", "1"),
            "COUNTERSIGN_DATA": str(self.data.resolve()),
            "DASHBOARD_ADDRESS": self.address,
            "SERVICE_ADDRESS": self.service_address,
            "SERVICE_SANDBOX": self.outer.get("SERVICE_SANDBOX", "1"),
            "EMAIL_FILE_PATH": self.outer.get("EMAIL_FILE_PATH", str(self.data.resolve() / "mail")),
            "INBOUND_MAIL_FOLDER": self.outer.get("INBOUND_MAIL_FOLDER", str(self.data.resolve() / "inbound-mail")),
            "EXPORTS_FOLDER": self.outer.get("EXPORTS_FOLDER", str(self.data.resolve() / "exports")),
            "AUDIT_ANCHOR_FOLDER": self.outer.get("AUDIT_ANCHOR_FOLDER", str(self.data.resolve() / "audit-anchors")),
            "SERVICE_MEDIA_ROOT": self.outer.get("SERVICE_MEDIA_ROOT", str(self.data.resolve() / "media")),
            "PYTHONUNBUFFERED": "1",
        }
        for name in GIVEN_SECRETS:
            env.setdefault(name, secret[name])
        missing = [program for program, name in DATABASES.items() if not env.get(f"{name}_URL")]
        if missing:
            self.postgres = self.make_postgres()
            self.postgres.start()
            for program in missing:
                self.postgres.prepare(program)
                env[f"{DATABASES[program]}_URL"] = self.postgres.url(f"{program}_app", program)
                env[f"{DATABASES[program]}_OWNER_URL"] = self.postgres.url(f"{program}_owner", program)
        if not env.get("REDIS_URL"):
            self.redis = Redis(self.data, secret["REDIS_PASSWORD"], durable=self.durable)
            self.redis.start()
            env["REDIS_URL"] = self.redis.url
        self.env = env

    def make_postgres(self) -> Postgres:
        """The embedded PostgreSQL, not started yet; CannotStart where this data is not one that it made."""
        if (self.data / "cluster" / "etcd").exists():
            raise CannotStart(
                f"The data in {self.data} was made by `up --cluster`: start it so, or choose another with --data."
            )
        return Postgres(self.data, durable=self.durable)

    def close_stores(self, seconds: float = CLOSE_S) -> None:
        """Stops the stores that were started here, and gives the data folder back."""
        if self.redis:
            self.redis.stop(seconds)
        if self.postgres:
            self.postgres.stop(seconds)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
