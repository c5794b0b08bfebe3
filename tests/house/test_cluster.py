"""What `up --cluster` says where a program of the system is missing, and which data it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.cluster import house as cluster_house
from config.cluster import programs, proxy
from config.cluster.house import ClusterHouse
from config.cluster.ports import free_ports
from config.cluster.postgres import PatroniPair
from config.embedded import CannotStart, Postgres
from config.up import House


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


def test_ports_are_different() -> None:
    assert len(set(free_ports(20))) == 20


def test_the_proxy_sends_again_only_what_can_be_repeated() -> None:
    text = proxy.HEAD + proxy.configuration("dashboard", 8310, [9001, 9002])
    assert "disable-l7-retry unless METH_GET" in text
    assert "bind 127.0.0.1:8310" in text
    assert "server dashboard-2 127.0.0.1:9002" in text
