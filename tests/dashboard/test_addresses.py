"""Every address × every role × right business, other business, signed out: one table, read by a person at each change.

The table is tests/dashboard/data/addresses.csv. `WRITE_ADDRESSES=1` writes it anew; the diff is what has to be looked at.
Whatever is refused must have sent nothing, which is seen at the proxy, and have left a denial in the audit.
"""

import csv
import io
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from dashboard.access.decorators import OWN_ACCOUNT, PUBLIC, declared_operations
from dashboard.audit.models import AuditEntry
from tests.dashboard.address_stage import filled, staged
from tests.dashboard.conftest import World

TABLE = Path(__file__).parent / "data" / "addresses.csv"
PEOPLE = ("Carla", "Rita", "Rex", "Apollo", "Ada", "Sam")
# All visitors at every address; else one of those whom the reviewed table answers alike.
WHOLE = bool(os.environ.get("FULL") or os.environ.get("WRITE_ADDRESSES"))
COLUMNS = ("method", "address", *PEOPLE, "other business", "signed out")
# Addresses that belong to a library or to development; each is looked at by a test of its own.
OURS_ALONE = ("hook", "inbound_mail", "style", "mail", "healthz", "readyz", "metrics")


def patterns(
    resolver: URLResolver | None = None, prefix: str = "", *, with_sign_in: bool = False
) -> Iterator[tuple[str, URLPattern]]:
    """Every address of ours with its whole pattern; sign-in's own pages are allauth's, and come `with_sign_in` alone."""
    for one in (resolver or get_resolver()).url_patterns:
        whole = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            if with_sign_in or not whole.startswith("-/account/"):
                yield from patterns(one, whole, with_sign_in=with_sign_in)
        else:
            yield whole, one


def test_every_view_says_what_it_needs() -> None:
    silent = [whole for whole, one in patterns() if declared_operations(one.callback) is None]
    assert not silent
    open_to_all = {one.name for _, one in patterns() if declared_operations(one.callback) == PUBLIC}
    assert (
        open_to_all
        == {
            "entry",
            "healthz",
            "metrics",
            "readyz",
            "hook",
            "inbound_mail",
            "pulse",
            "bell",
            "style",
            "mail",
            "kept_form",
            "manifest",
            "sign_on",
            "scim_config",
            "scim_types",
            "scim_type",
            "scim_schemas",
            "scim_schema",
            "scim_users",
            "scim_user",
            "scim_groups",
            "scim_group",
            "openid_connect_login",
            "openid_connect_callback",
            "saml_metadata",
            "saml_consumer",
            "saml_finish",
            "saml_logout",
            "saml_sign_out",
            "push_worker",
        }
        & open_to_all
    )
    assert "approvals" not in open_to_all
    own = {one.name for _, one in patterns() if declared_operations(one.callback) == OWN_ACCOUNT}
    assert not {name for name in own if name and name.startswith(("approvals", "expenses", "settings", "audit"))}


@pytest.fixture
def stage(new_world: Callable[..., World]) -> tuple[World, World, dict[str, Any]]:
    """A business with something of each kind in it, reached through a proxy, and another business."""
    return staged(new_world(proxied=True), new_world())


def answers(stage: tuple[World, World, dict[str, Any]]) -> tuple[list[dict[str, str]], list[str]]:
    """The table as it is, and what was wrong besides the codes."""
    world, other, ids = stage
    assert world.proxy is not None
    visitors: dict[str, Client] = {name: world.client(name) for name in PEOPLE}
    visitors |= {"other business": other.client("Apollo"), "signed out": Client()}
    table, wrong = [], []
    reviewed = {} if WHOLE else {(row["method"], row["address"]): row for row in csv.DictReader(TABLE.open(newline=""))}
    denied = denials(world)
    for whole, one in patterns():
        if one.name in OURS_ALONE:
            continue
        address = filled(world, whole, one.name or "", ids)
        for method in ("GET", "POST"):
            row = {"method": method, "address": f"/{whole}"}
            # What the table leaves out is answered 405 to everybody.
            known = reviewed.get((method, row["address"]), row | dict.fromkeys(visitors, "405"))
            for visitor, client in visitors.items():
                if not WHOLE and not is_asked(known, visitor):
                    row[visitor] = known[visitor]
                    continue
                sent_before = len(world.proxy.record)
                code = client.generic(method, address).status_code
                row[visitor] = str(code)
                if code in {403, 404} and world.proxy.sent(since=sent_before):
                    wrong.append(f"{method} {address} as {visitor}: {code}, and yet something was sent")
                # Counted after refusals alone: nothing else writes a denial.
                denied_before, denied = denied, denials(world) if code in {403, 404} else denied
                if code == 403 and visitor in PEOPLE and denied == denied_before:
                    wrong.append(f"{method} {address} as {visitor}: 403 without a line in the audit")
            if set(row.values()) - {method, row["address"]} != {"405"}:
                table.append(row)
    return table, wrong


def is_asked(row: dict[str, str], visitor: str) -> bool:
    """Whether the daily run asks for a visitor: all who send a form, as one changes what the next finds; whoever is refused a
    page; and by turns one of those whom it is answered alike. Where there is no such method (405), nothing is changed and
    nobody is let in or refused."""
    code = row[visitor]
    if code != "405" and (row["method"] != "GET" or code[0] == "4"):
        return True
    alike = [name for name in (*PEOPLE, "other business", "signed out") if row[name] == code]
    turn = zlib.crc32(f"{row['method']} {row['address']}".encode()) + int(os.environ.get("DAY_OF_TESTS", "0"))
    return alike[turn % len(alike)] == visitor


def denials(world: World) -> int:
    # Asked thousands of times, of which the ORM would take most of the time.
    with connection.cursor() as cursor:
        sql = f"SELECT count(*) FROM {AuditEntry._meta.db_table} WHERE chain = %s AND outcome = 'DENIED'"
        cursor.execute(sql, [world.business.pk])
        return int(cursor.fetchone()[0])


def test_each_answers_as_the_reviewed_table_says(stage: tuple[World, World, dict[str, Any]]) -> None:
    table, wrong = answers(stage)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    if os.environ.get("WRITE_ADDRESSES"):
        TABLE.write_text(out.getvalue())
    assert not wrong, "\n".join(wrong)
    assert out.getvalue().splitlines() == TABLE.read_text().splitlines()
    assert len(table) > 40
