"""Mappings: typed or pasted, wrong rows told at their place, nothing half stored."""

from __future__ import annotations

import re
from html import unescape

import pytest

from dashboard.journal_exports.mapped_lines import NO_TAX
from dashboard.journal_exports.models import JournalExport, Mapping
from tests.dashboard.accounting.test_periods import page, spend
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports.test_exports import ROOM, export, item, map_all, now, trial


def stored(world: World) -> dict[str, tuple[str, str]]:
    return {row.source_id: (row.code, row.name) for row in Mapping.objects.filter(business=world.business)}


def paste(world: World, table: str, **more: str) -> object:
    return world.client("Ada").post(world.address(f"{ROOM}mapping/account/paste/"), {"table": table, **more})


def test_typed_codes_are_stored_and_taken_off_again(world: World) -> None:
    spend(world)
    account = str(trial(world)[0]["account_id"])
    address = world.address(f"{ROOM}mapping/account/")
    client = world.client("Ada")
    assert "Not mapped" in page(client.get(address))
    assert client.post(address, {f"code-{account}": "1200", f"name-{account}": "Bank"}).status_code == 302
    assert stored(world) == {account: ("1200", "Bank")}
    assert 'value="1200"' in client.get(address).content.decode()
    # A form that does not bring a row leaves it as it is.
    assert client.post(address, {}).status_code == 302
    assert stored(world) == {account: ("1200", "Bank")}
    alone = client.post(address, {f"code-{account}": "", f"name-{account}": "Bank"})
    assert alone.status_code == 422
    assert stored(world) == {account: ("1200", "Bank")}
    assert client.post(address, {f"code-{account}": ""}).status_code == 302
    assert stored(world) == {}


@pytest.mark.parametrize("text", ["=1+1", "Bank;=1+1", "\u200b@bank", "-1"])
def test_what_a_spreadsheet_would_run_is_no_code_and_no_name(world: World, text: str) -> None:
    account = str(trial(world)[0]["account_id"])
    address = world.address(f"{ROOM}mapping/account/")
    for form in ({f"code-{account}": text}, {f"code-{account}": "1200", f"name-{account}": text}):
        refused = world.client("Ada").post(address, form)
        assert refused.status_code == 422
        assert "A spreadsheet would run this" in page(refused)
    pasted = paste(world, f"account\tcode\tname\n{account}\t1200\t{text}")
    assert "A spreadsheet would run this" in page(pasted)
    assert stored(world) == {}


@pytest.mark.parametrize("code", ["-1000 Suspense", "+Cash", "@x", "1000;=1+1"])
def test_a_code_from_before_the_rule_is_never_written_as_another_one(world: World, code: str) -> None:
    spend(world)
    map_all(world)
    account = str(trial(world)[0]["account_id"])
    Mapping.objects.filter(business=world.business, source_id=account).update(code=code)
    preview = world.client("Ada").get(world.address(f"{ROOM}new/?period={now(world)}&formats=xero"))
    assert "1 mapping missing" in page(preview)
    assert f"a spreadsheet would run “{code}”" in unescape(page(preview))
    assert export(world, ["xero"]).status_code == 422
    # The table for spreadsheets marks what could be run, and takes nothing away.
    assert export(world, ["csv"]).status_code == 302


def test_the_code_of_lines_without_a_tax_from_before_the_rule_stops_the_files(world: World) -> None:
    spend(world)
    map_all(world)
    Mapping.objects.create(business=world.business, source="tax", source_id=NO_TAX, code="-0")
    answer = export(world, ["xero"])
    row = JournalExport.objects.get(business=world.business)
    assert (row.manifest, row.files.count()) == ("", 0)
    text = page(answer) if answer.status_code >= 400 else page(item(world, row))
    assert "Not mapped: “-0”. A spreadsheet would run it: map it to a code" in unescape(text)


def test_what_somebody_else_mapped_meanwhile_is_not_taken_off_unseen(world: World) -> None:
    spend(world)
    first, second = (str(row["account_id"]) for row in trial(world)[:2])
    address = world.address(f"{ROOM}mapping/account/")

    def seen(answer: object) -> str:
        shown = re.search(r'name="seen" value="([0-9a-f]+)"', answer.content.decode())  # type: ignore[attr-defined]
        assert shown is not None
        return shown.group(1)

    opened = seen(world.client("Abel").get(address))
    assert world.client("Ada").post(address, {f"code-{first}": "1200", "seen": opened}).status_code == 302
    # Abel's page is older: its row of the first account is empty.
    own = {f"code-{first}": "", f"code-{second}": "7500", "seen": opened}
    stale = world.client("Abel").post(address, own)
    assert stale.status_code == 409
    assert "Somebody has changed these mappings" in page(stale)
    assert stored(world) == {first: ("1200", "")}
    text = stale.content.decode()
    assert 'value="1200"' in text
    assert 'value="7500"' in text
    again = {f"code-{first}": "1200", f"code-{second}": "7500", "seen": seen(stale)}
    assert world.client("Abel").post(address, again).status_code == 302
    assert stored(world) == {first: ("1200", ""), second: ("7500", "")}


def test_a_row_that_somebody_else_changed_says_so_before_it_is_put_back(world: World) -> None:
    spend(world)
    first, second = (str(row["account_id"]) for row in trial(world)[:2])
    address = world.address(f"{ROOM}mapping/account/")
    assert world.client("Ada").post(address, {f"code-{first}": "1200"}).status_code == 302
    opened = world.client("Abel").get(address).content.decode().split('name="seen" value="')[1].split('"')[0]
    assert world.client("Ada").post(address, {f"code-{first}": "1300"}).status_code == 302
    stale = world.client("Abel").post(address, {f"code-{first}": "1200", f"code-{second}": "7500", "seen": opened})
    assert stale.status_code == 409
    assert page(stale).count("It is 1300 by now: saving puts yours in its place.") == 1


def test_a_pasted_table_is_previewed_and_stored_whole(world: World) -> None:
    spend(world)
    first, second = (str(row["account_id"]) for row in trial(world)[:2])
    table = f"account\tcode\tname\n{first}\t1200\tBank\n{second}\t7500\tCosts\n"
    seen = paste(world, table)
    text = seen.content.decode()  # type: ignore[attr-defined]
    assert "Save 2 mappings" in text
    assert stored(world) == {}
    confirmed = re.search(r'name="confirmed" value="([0-9a-f]+)"', text)
    assert confirmed is not None
    changed = paste(world, table.replace("1200", "1300"), confirmed=confirmed.group(1))
    assert "Save 2 mappings" in changed.content.decode()  # type: ignore[attr-defined]
    assert stored(world) == {}
    assert paste(world, table, confirmed=confirmed.group(1)).status_code == 302  # type: ignore[attr-defined]
    assert stored(world) == {first: ("1200", "Bank"), second: ("7500", "Costs")}


def test_wrong_rows_are_told_at_their_place_and_nothing_is_stored(world: World) -> None:
    spend(world)
    first, second = (str(row["account_id"]) for row in trial(world)[:2])
    answer = paste(world, f"account,code\n{first},1200\n999999999,1\n{first},2\n{second},\n")
    assert answer.status_code == 422  # type: ignore[attr-defined]
    shown = page(answer)
    assert "Row 3 “999999999” is none of the rows here." in shown
    assert f"Row 4 “{first}” is there twice." in shown
    assert f"Row 5 “{second}” has no code." in shown
    assert "Row 2" not in shown
    assert stored(world) == {}
    assert "missing: code" in page(paste(world, "account\n1\n"))
    assert stored(world) == {}


def test_each_kind_has_its_page_and_a_strange_one_has_none(world: World) -> None:
    spend(world)
    client = world.client("Ada")
    for source in ("account", "category", "tax", "team"):
        assert client.get(world.address(f"{ROOM}mapping/{source}/")).status_code == 200, source
    assert client.get(world.address(f"{ROOM}mapping/wallet/")).status_code == 404
