"""What `up --cluster` says where a program of the system is missing, and which data it refuses."""

from __future__ import annotations

import ast
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from config import ROOT
from config.cluster import house as cluster_house
from config.cluster import programs, proxy
from config.cluster.house import ClusterHouse
from config.cluster.ports import free_ports
from config.cluster.postgres import PatroniPair
from config.cluster.programs import find_program
from config.demo_months import DemoMonths
from config.dev_stack import House
from config.embedded import CannotStart, Postgres, spawn, stop, work_of
from tests.house.sources import nodes_of, tree_of
from tests.lifecycle.processes import until


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which none of them is installed."""
    for module in (programs, cluster_house):
        monkeypatch.setattr(module, "find_program", lambda _: None)


def house(data: Path, kind: type[House] = ClusterHouse) -> House:
    return kind(data, 8310, 8311, environ={})


def test_each_missing_program_is_named_with_its_package_and_what_follows(without: None) -> None:
    lines = programs.missing_programs()
    assert [line.partition(" is not here")[0] for line in lines][:2] == ["etcd", "haproxy"]
    assert "Debian's package etcd-server" in lines[0]
    assert "without a standby" in lines[0]
    assert "Debian's package haproxy" in lines[1]
    assert all(line.endswith(".") and "\n" not in line for line in lines)


def test_without_them_one_postgresql_and_the_first_of_each_program_are_reached(without: None, tmp_path: Path) -> None:
    one = house(tmp_path)
    assert type(one.make_postgres()) is Postgres
    assert isinstance(one, ClusterHouse)
    assert (one.ports["dashboard"][0], one.ports["service"][0]) == (8310, 8311)


def test_data_of_a_pair_is_not_begun_as_one_nor_the_other_way_round(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pair, alone = tmp_path / "pair", tmp_path / "alone"
    (pair / "cluster" / "etcd").mkdir(parents=True)
    (alone / "postgres").mkdir(parents=True)
    with pytest.raises(CannotStart, match="made by `up --cluster`"):
        house(pair, House).make_postgres()
    monkeypatch.setattr(cluster_house, "has_patroni", lambda: True)
    assert isinstance(house(pair).make_postgres(), PatroniPair)
    with pytest.raises(CannotStart, match="without a standby"):
        house(alone).make_postgres()
    monkeypatch.setattr(cluster_house, "has_patroni", lambda: False)
    monkeypatch.setattr(programs, "find_program", lambda _: None)
    with pytest.raises(CannotStart, match="Debian's package etcd-server"):
        house(pair).make_postgres()
    assert type(house(alone).make_postgres()) is Postgres


def test_two_processes_stand_for_two_machines(tmp_path: Path) -> None:
    assert house(tmp_path).outer["WEB_WORKERS"] == "1"
    assert ClusterHouse(tmp_path, 8310, 8311, environ={"WEB_WORKERS": "3"}).outer["WEB_WORKERS"] == "3"


@pytest.mark.parametrize("kind", [House, ClusterHouse])
def test_with_its_programs_ends_what_adds_the_demos_months(tmp_path: Path, kind: type[House]) -> None:
    closing = house(tmp_path, kind)
    begun = [sys.executable, "-c", "import time; time.sleep(120)"]
    months = spawn(begun)
    closing.months = DemoMonths(tmp_path, lambda *_: months, tmp_path / "log")
    closing.close_programs(5)
    assert months.poll() is not None


def test_ports_are_different() -> None:
    assert len(set(free_ports(20))) == 20


def spawns_without_a_folder(function: ast.AST) -> list[int]:
    """The lines at which a function that runs one of Python's modules by its name spawns it in whatever folder we are."""
    nodes = list(ast.walk(function))
    by_name = any(isinstance(one, ast.Constant) and one.value == "-m" for one in nodes)
    calls = [one for one in nodes if isinstance(one, ast.Call) and ast.unparse(one.func) == "spawn"]
    return [one.lineno for one in calls if by_name and not any(word.arg == "folder" for word in one.keywords)]


def test_what_runs_a_module_by_its_name_does_so_in_the_checkouts_folder() -> None:
    """`python -m config.…` finds it there alone, and `up` may be called from anywhere."""
    lines = {
        f"{file.relative_to(ROOT)}:{line}"
        for file in (ROOT / "config").rglob("*.py")
        for function in nodes_of(tree_of(file))
        if isinstance(function, ast.FunctionDef)
        for line in spawns_without_a_folder(function)
    }
    assert lines == set()


def test_the_proxy_sends_again_only_what_can_be_repeated() -> None:
    text = proxy.HEAD + proxy.configuration("dashboard", 8310, [9001, 9002])
    assert "disable-l7-retry unless METH_GET" in text
    assert "bind 127.0.0.1:8310" in text
    assert "server dashboard-2 127.0.0.1:9002" in text


@dataclass
class Servers:
    """Two servers behind the proxy, of which the one that is asked first for anything but its health dies of it."""

    arrivals: list[tuple[int, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def arrive(self, port: int, method: str) -> bool:
        """Notes a request; whether it is the first."""
        with self.lock:
            self.arrivals.append((port, method))
            return len(self.arrivals) == 1

    @contextmanager
    def running(self) -> Iterator[list[int]]:
        """Their ports."""
        both = [ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, self)) for _ in range(2)]
        for one in both:
            threading.Thread(target=one.serve_forever, args=[0.05], daemon=True).start()
        try:
            yield [one.server_port for one in both]
        finally:
            for one in both:
                one.shutdown()
                one.server_close()


class Handler(BaseHTTPRequestHandler):
    """Well when it is asked for its health; takes all of a request before it dies."""

    def __init__(self, servers: Servers, *rest: object) -> None:
        self.servers = servers
        super().__init__(*rest)  # type: ignore[arg-type]

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        assert isinstance(self.server, ThreadingHTTPServer)
        if self.path != "/healthz" and self.servers.arrive(self.server.server_port, self.command):
            self.server.socket.close()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815  # as http.server calls it


@pytest.mark.full
@pytest.mark.parametrize(("method", "arrivals", "statuses"), [("POST", 1, {502, 503}), ("GET", 2, {200})])
def test_what_a_server_took_before_it_died_is_asked_again_only_where_it_may_be(
    tmp_path: Path, method: str, arrivals: int, statuses: set[int]
) -> None:
    if not find_program("haproxy"):
        pytest.skip("haproxy is not here (Debian's package haproxy)")
    [front] = free_ports(1)
    (tmp_path / "log").mkdir()
    servers = Servers()
    with servers.running() as ports:
        process = proxy.start(tmp_path, [("dashboard", front, ports)])
        try:
            until(
                lambda: answer(front, "GET", "/healthz") == 200,
                20,
                "the proxy does not answer",
                lambda: work_of([process.pid]),
            )
            assert answer(front, method, "/", b"amount=10" if method == "POST" else b"") in statuses
        finally:
            stop(process)
    assert [one for _, one in servers.arrivals] == [method] * arrivals
    assert len({port for port, _ in servers.arrivals}) == arrivals


def answer(port: int, method: str, path: str, body: bytes = b"") -> int:
    """The status of an answer, 0 where there is none; the request is sent in one piece, as only that may be sent twice."""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head.encode() + body)
        words = connection.makefile("rb").readline().split()
        return int(words[1]) if len(words) > 1 else 0
    return 0
