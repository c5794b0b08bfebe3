"""An address with several hosts leads to whichever takes writes; one with one host is read as before."""

from __future__ import annotations

import dj_database_url
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config.settings.base import database, replica
from config.settings.database_url import SEVERAL_HOSTS, parse

OPTIONS = {"conn_max_age": 600, "conn_health_checks": True}


@pytest.mark.parametrize(
    "url",
    [
        "postgres://app:word@db.internal:5433/service",
        "postgres://app@/service?host=%2Ftmp%2Frun",
        "postgres://app:a%40b%2Cc@db/service?sslmode=require",
    ],
)
def test_one_host_is_read_as_before(url: str) -> None:
    assert parse(url, **OPTIONS) == dict(dj_database_url.parse(url, **OPTIONS))


def test_several_hosts_keep_their_order_and_their_ports() -> None:
    entry = parse("postgres://app:a%40b%2Cc@h1:5433,h2,[::1]:5434/service?sslmode=verify-full", **OPTIONS)
    assert (entry["HOST"], entry["PORT"]) == ("h1,h2,::1", "5433,5432,5434")
    assert (entry["USER"], entry["PASSWORD"], entry["NAME"]) == ("app", "a@b,c", "service")
    assert entry["CONN_HEALTH_CHECKS"] is True
    assert entry["OPTIONS"] == SEVERAL_HOSTS | {"sslmode": "verify-full"}


def test_who_only_reads_may_say_so() -> None:
    entry = parse("postgres://app@h1,h2/service?target_session_attrs=prefer-standby&connect_timeout=9", **OPTIONS)
    assert entry["OPTIONS"]["target_session_attrs"] == "prefer-standby"
    assert entry["OPTIONS"]["connect_timeout"] == 9


def test_libpq_reads_what_is_made_of_it() -> None:
    entry = parse("postgres://app@h1:5433,h2:5434/service", **OPTIONS)
    connection = make_conninfo(host=entry["HOST"], port=entry["PORT"], dbname=entry["NAME"], **entry["OPTIONS"])
    assert conninfo_to_dict(connection)["host"] == "h1,h2"
    assert conninfo_to_dict(connection)["target_session_attrs"] == "read-write"


@pytest.mark.parametrize("url", ["postgres://app@h1,/service", "postgres://app@h1:x,h2/service"])
def test_what_cannot_be_read_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"host|[Pp]ort"):
        parse(url)


def test_a_replica_is_reached_by_its_own_address_and_read_as_the_primary() -> None:
    primary = database("postgres://app@h1,h2/dashboard?sslmode=disable")
    primary["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 3}
    primary["OPTIONS"]["options"] += " -c plan_cache_mode=force_custom_plan"
    entry = replica("postgres://app@standby/dashboard?sslmode=verify-full&sslrootcert=%2Fca.pem", primary)["replica"]
    assert entry["HOST"] == "standby"
    assert entry["OPTIONS"] == {
        "sslmode": "verify-full", "sslrootcert": "/ca.pem", "connect_timeout": 2, "server_side_binding": True,
        "prepare_threshold": 3, "options": primary["OPTIONS"]["options"],
    }  # fmt: skip


def test_of_several_replicas_none_has_to_take_writes() -> None:
    primary = database("postgres://app@h1,h2/dashboard")
    options = replica("postgres://app@s1,s2/dashboard", primary)["replica"]["OPTIONS"]
    assert "target_session_attrs" not in options
    assert options["keepalives_count"] == SEVERAL_HOSTS["keepalives_count"]
    named = replica("postgres://app@s1,s2/dashboard?target_session_attrs=standby", primary)["replica"]["OPTIONS"]
    assert named["target_session_attrs"] == "standby"


def test_without_an_address_there_is_no_replica() -> None:
    assert replica("", database("postgres://app@h1/dashboard")) == {}
