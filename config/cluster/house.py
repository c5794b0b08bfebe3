"""A house of the shape of a deployment: two of each program behind a proxy, two schedules of which one works, and PostgreSQL
as a primary and its standby."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial

from config import PROGRAMS, ROOT
from config.cluster import proxy
from config.cluster.ports import free_ports
from config.cluster.postgres import NODES, PatroniPair
from config.cluster.programs import find_program, has_patroni, missing_programs
from config.dev_stack import House
from config.embedded import CannotStart, Postgres, spawn, stop_all
from config.stores import CLOSE_S
from config.supervision import Supervision

COPIES = (1, 2)
# Ended after all others, and in this order.
STORES = ("redis", "etcd", *NODES)
# What there is where all programs of the system are.
PARTS = (
    *STORES, "proxy", *(f"{program} {copy}" for program in PROGRAMS for copy in COPIES),
    "dashboard worker", "decisions worker", "service worker",
    *(f"{program} schedule {copy}" for program in PROGRAMS for copy in COPIES),
)  # fmt: skip


class ClusterHouse(House):
    """`manage.py up --cluster`. What of the system's programs is not here is said, and gone without."""

    begins_schedules = False
    # Machines share nothing that is loaded, and do not end together.
    forks = False

    def __post_init__(self, environ: Mapping[str, str] | None) -> None:
        super().__post_init__(environ)
        # Two processes of one worker each stand for two machines.
        self.outer.setdefault("WEB_WORKERS", "1")
        ports = iter(free_ports(len(PROGRAMS) * len(COPIES)))
        self.ports = {program: [next(ports) for _ in COPIES] for program in PROGRAMS}
        if find_program("haproxy"):
            self.outer.setdefault("TRUSTED_PROXIES", "1")
        else:
            self.ports["dashboard"][0], self.ports["service"][0] = self.port, self.service_port

    def make_postgres(self) -> Postgres:
        """The pair; a single one where there is no Patroni. One data folder has either."""
        alone, pair = self.data / "postgres", self.data / "cluster" / "etcd"
        if has_patroni() and alone.exists():
            raise CannotStart(
                f"The data in {self.data} is of a PostgreSQL without a standby: choose another with --data."
            )
        if not has_patroni() and pair.exists():
            raise CannotStart(f"The data in {self.data} is of a primary with a standby. {missing_programs()[0]}")
        return PatroniPair(self.data, durable=self.durable) if has_patroni() else super().make_postgres()

    def start_stores(self) -> None:
        """As without, and each store is begun again when it ends: the others go on meanwhile."""
        for line in missing_programs():
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        super().start_stores()
        if self.redis is not None and self.redis.process is not None:
            self._supervise("redis", self.redis.process, self._begin_redis)
        if isinstance(self.postgres, PatroniPair):
            assert self.postgres.etcd is not None
            assert self.postgres.etcd.process is not None
            self._supervise("etcd", self.postgres.etcd.process, self._begin_etcd)
            for name in NODES:
                self._supervise(name, self.postgres.processes[name], partial(self.begin_node, name))

    def _supervise(self, name: str, process: subprocess.Popen[bytes], begin: Callable[[], None]) -> None:
        self.processes[name] = process
        self.supervised.setdefault(name, Supervision(begin))

    def _begin_redis(self) -> None:
        assert self.redis is not None
        self.redis.start()
        assert self.redis.process is not None
        self.processes["redis"] = self.redis.process

    def _begin_etcd(self) -> None:
        assert isinstance(self.postgres, PatroniPair)
        assert self.postgres.etcd is not None
        self.processes["etcd"] = self.postgres.etcd.start()

    def begin_node(self, name: str) -> None:
        """Starts one of the two PostgreSQL, and the Patroni over it."""
        assert isinstance(self.postgres, PatroniPair)
        self.postgres.start_node(name)
        self.processes[name] = self.postgres.processes[name]

    def open_service(self) -> None:
        """Both services, and their worker."""
        self._serve_both("service")
        self._open_proxy()
        self.wait_ready(self.service_address, "The finance service")
        self.work("service")

    def open_programs(self) -> None:
        """Two of each program behind the proxy, the demo the first time, a worker for each queue, two schedules for each."""
        for program in PROGRAMS:
            self._serve_both(program)
        self._open_proxy()
        self.wait_ready(self.service_address, "The finance service")
        self.wait_ready(self.address, "The dashboard")
        if (self.data / "demo.json").exists():
            self.follow_ports()
        else:
            self.demo()
        self.work("service")
        self.work("dashboard")
        self.work("dashboard", queue="decisions")
        for program in PROGRAMS:
            for copy in COPIES:
                self.schedule(program, copy)

    def _serve_both(self, program: str) -> None:
        for copy, port in zip(COPIES, self.ports[program], strict=True):
            self.serve(program, port, f"{program} {copy}")

    def _open_proxy(self) -> None:
        """In front of both; begun again as it was."""
        if not find_program("haproxy"):
            return
        fronts = {"dashboard": self.port, "service": self.service_port}
        parts = [(program, front, self.ports[program]) for program, front in fronts.items()]
        self._supervise("proxy", proxy.start(self.data, parts), self._open_proxy)

    def schedule(self, program: str, copy: int) -> None:
        """Starts one of a program's two schedules, of which the one with the lease works."""
        name = f"{program} schedule {copy}"
        file = self.data.resolve() / f"{program}-schedule-{copy}"
        process = spawn(
            [sys.executable, "-m", "celery", "-A", "config.celery", "--quiet", "beat", "-S",
             "config.cluster.schedules:LeasedScheduler", "-s", str(file), "--pidfile=", "-l", "WARNING"],
            env=self.program_env(program), log=self._log_of(name), folder=ROOT,
        )  # fmt: skip
        self._supervise(name, process, partial(self.schedule, program, copy))

    def close_programs(self, seconds: float = CLOSE_S) -> None:
        """Ends the programs, their workers and the proxy; the stores go on."""
        self.end_months(seconds)
        stores = {name: self.processes.pop(name) for name in STORES if name in self.processes}
        stop_all(self.processes.values(), seconds)
        self.processes = stores
        self.supervised = {name: store for name, store in self.supervised.items() if name in stores}

    def close(self, seconds: float = CLOSE_S) -> None:
        """As without: the stores at the end."""
        super().close(seconds)
        self.processes.clear()
        self.supervised.clear()
