"""A PostgreSQL primary and its synchronous standby under Patroni, on loopback."""

from __future__ import annotations

import base64
import json
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from config import ROOT
from config.cluster.etcd import Etcd
from config.cluster.ports import free_ports
from config.embedded import CannotStart, Postgres, spawn, stop, work_of, write_private
from config.embedded.postgres import not_root

NODES = ("postgres 1", "postgres 2")
# A first start makes one cluster and copies it; as long as it works at it, it is waited for.
SILENT_S, READY_AT_MOST_S = 60, 300
ROLES = ("postgres", "replicator", "dashboard_app", "dashboard_owner", "service_app", "service_owner")
# How the pair behaves; Patroni keeps it in etcd. Seconds.
RULES: dict[str, Any] = {
    # A primary that has not renewed its lease for so long is no longer one: the least that Patroni allows.
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 5,
    # What is committed is on both, and only who has it all is promoted. Where there is no standby the primary goes on alone.
    "synchronous_mode": True,
    # A primary that died is not waited for: the standby has all that it had.
    "primary_start_timeout": 0,
    # Where etcd is away, the primary goes on as long as its standby says that it follows it.
    "failsafe_mode": True,
    "postgresql": {
        "use_pg_rewind": True,
        "use_slots": True,
        "remove_data_directory_on_rewind_failure": True,
        "remove_data_directory_on_diverged_timelines": True,
        "parameters": {"max_connections": 200, "wal_log_hints": "on", "max_wal_size": "2GB"},
    },
}
SYNCHRONOUS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'"
# Over the socket in our own folder whoever may enter it; over loopback with a password.
ACCESS = (
    "local all all trust",
    "host replication replicator 127.0.0.1/32 scram-sha-256",
    "host all all 127.0.0.1/32 scram-sha-256",
)


class PatroniPair(Postgres):
    """Two PostgreSQL of our own, of which one is primary; `url` leads to whichever is."""

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        super().__init__(data, durable=durable)
        self.folder = data / "cluster"
        self.ports = dict(zip(NODES, free_ports(len(NODES)), strict=True))
        self.rest_ports = dict(zip(NODES, free_ports(len(NODES)), strict=True))
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.passwords: dict[str, str] = {}
        self.etcd: Etcd | None = None

    def start(self) -> None:
        """Etcd, then both, until there is a primary with a standby that has all that it has."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.data / "log").mkdir(exist_ok=True)
        self.run.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.passwords = _saved_passwords(self.folder / "passwords.json")
        self.etcd = Etcd(self.data, self.passwords["etcd"], *free_ports(2))
        self.etcd.start()
        self.etcd.protect()
        for name in NODES:
            self.start_node(name)
        self._wait()
        self._apply_rules()

    def start_node(self, name: str) -> None:
        """Starts one of the two; Patroni makes of it what it has to be."""
        folder, log = self.node_folder(name), self.data / "log" / f"{name.replace(' ', '-')}.log"
        folder.mkdir(exist_ok=True, mode=0o700)
        file = folder / "patroni.yml"
        # JSON is YAML.
        write_private(file, json.dumps(self._configuration(name), indent=1))
        self.processes[name] = spawn(
            [sys.executable, "-m", "config.cluster.node", str(file.resolve()), str((folder / "data").resolve())],
            log=log, prepare=not_root(folder, self.run, log), death_signal=signal.SIGQUIT, folder=ROOT,
        )  # fmt: skip

    def node_folder(self, name: str) -> Path:
        """Where one of the two keeps what it has."""
        return self.folder / name.replace(" ", "-")

    def url(self, role: str, database: str) -> str:
        """An address of both, in which a client finds the one that takes writes."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports.values())
        password = quote(self.passwords[role], safe="")
        return f"postgres://{role}:{password}@{hosts}/{database}?target_session_attrs=read-write"

    def prepare(self, program: str, database: str | None = None, template: str | None = None) -> None:
        """As the one of its own; its roles have passwords, since they come over loopback."""
        import psycopg
        from psycopg import sql

        super().prepare(program, database, template)
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            for role in (f"{program}_app", f"{program}_owner"):
                connection.execute(
                    sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), self.passwords[role])
                )

    def members(self) -> list[dict[str, Any]]:
        """What Patroni says of both: name, role (leader, sync_standby, replica), state, timeline; [] where nobody answers."""
        for port in self.rest_ports.values():
            try:
                with urlopen(f"http://127.0.0.1:{port}/cluster", timeout=2) as answer:
                    members: list[dict[str, Any]] = json.load(answer)["members"]
                    return members
            except (URLError, OSError, ValueError, KeyError):
                continue
        return []

    def primary(self) -> str | None:
        """Which of the two takes writes, as Patroni has it; None while it is none."""
        leaders = (
            member["name"] for member in self.members() if member["role"] == "leader" and member["state"] == "running"
        )
        return next(leaders, None)

    def is_whole(self) -> bool:
        """Whether there is a primary, and a standby that has all that it has: as the primary says, since what Patroni wrote
        of both outlives them by its lease."""
        import psycopg

        states = {member["role"]: member["state"] for member in self.members()}
        if states.get("leader") != "running" or "sync_standby" not in states:
            return False
        try:
            with psycopg.connect(self.url("postgres", "postgres"), connect_timeout=3) as connection:
                return connection.execute(SYNCHRONOUS).fetchone() == (1,)
        except psycopg.Error:
            return False

    def stop(self, seconds: float = 30.0) -> None:
        """The standby first, so that the primary does not promote it in its last second; etcd at the end."""
        primary = self.primary() if self.processes else None
        for name in sorted(self.processes, key=lambda member: member == primary):
            stop(self.processes[name], seconds=seconds)
        self.processes.clear()
        if self.etcd is not None:
            stop(self.etcd.process, seconds=seconds)
            self.etcd = None

    def _wait(self) -> None:
        began = last = time.monotonic()
        work = -1
        while not self.is_whole():
            now = time.monotonic()
            if (done := work_of(process.pid for process in self.processes.values())) != work:
                work, last = done, now
            ended = [name for name, process in self.processes.items() if process.poll() is not None]
            if ended or now - last > SILENT_S or now - began > READY_AT_MOST_S:
                what = f"The {ended[0]} ended" if ended else "There is no primary with a standby"
                raise CannotStart(f"{what}: see {self.data / 'log'}")
            time.sleep(0.2)

    def _apply_rules(self) -> None:
        """Those of this version, on data of whichever."""
        account = base64.b64encode(f"patroni:{self.passwords['patroni']}".encode()).decode()
        request = Request(
            f"http://127.0.0.1:{next(iter(self.rest_ports.values()))}/config",
            json.dumps(RULES).encode(),
            {"Authorization": f"Basic {account}", "Content-Type": "application/json"},
            method="PATCH",
        )
        with urlopen(request, timeout=10) as answer:
            answer.read()

    def _configuration(self, name: str) -> dict[str, Any]:
        rest, port = f"127.0.0.1:{self.rest_ports[name]}", f"127.0.0.1:{self.ports[name]}"
        assert self.etcd is not None
        account = {role: {"username": role, "password": self.passwords[role]} for role in ("postgres", "replicator")}
        durable = {} if self.durable else {"fsync": "off", "full_page_writes": "off"}
        return {
            "scope": "countersign",
            "name": name,
            "restapi": {
                "listen": rest,
                "connect_address": rest,
                "authentication": {"username": "patroni", "password": self.passwords["patroni"]},
            },
            "etcd3": {"host": f"127.0.0.1:{self.etcd.port}", "username": "root", "password": self.passwords["etcd"]},
            "bootstrap": {"dcs": RULES, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}]},
            "postgresql": {
                "listen": port,
                "connect_address": port,
                "data_dir": str((self.node_folder(name) / "data").resolve()),
                "bin_dir": str(self.programs),
                "pgpass": str((self.node_folder(name) / "pgpass").resolve()),
                "use_unix_socket": True,
                "authentication": {"superuser": account["postgres"], "replication": account["replicator"]},
                "parameters": {
                    "unix_socket_directories": str(self.run),
                    "unix_socket_permissions": "0700",
                    "shared_buffers": "256MB",
                    "log_min_duration_statement": "2000",
                    **durable,
                },
                "pg_hba": list(ACCESS),
            },
        }


def _saved_passwords(file: Path) -> dict[str, str]:
    stored: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    passwords = {name: secrets.token_urlsafe(24) for name in (*ROLES, "etcd", "patroni")} | stored
    if passwords != stored:
        write_private(file, json.dumps(passwords, indent=1))
    return passwords
