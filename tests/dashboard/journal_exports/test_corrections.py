"""What is filed otherwise after its export is told before the next one, and corrected by it: once, in every format."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from dashboard.journal_exports.models import JournalExport, Mapping
from dashboard.mirror.models import Category
from tests.dashboard.accounting.test_periods import now, page, spend
from tests.dashboard.conftest import World
from tests.dashboard.journal_exports.test_exports import ALL, ROOM, downloads, export, exported, item, map_all, read


def filed(world: World, expense_id: str) -> str:
    rows = world.upstream("/expenses", limit=50)["docs"]
    return next(str((row["subcategory"] or {}).get("_id", "")) for row in rows if row["_id"] == expense_id)


def file(world: World, expense_id: str, subcategory_id: str) -> None:
    world.send(
        "POST", f"/expenses/changeSubCategory/{expense_id}", {"subcategory_id": subcategory_id},
        headers={"X-Acting-Employee": world.employee("Ada")["employee_id"]},
    )  # fmt: skip


def net(form: str, files: dict[str, bytes]) -> Counter[str]:
    """What a format's files come to under each account: debit above zero."""
    sums: Counter[str] = Counter()
    for line in read(form, files):
        sums[line.account] += int(line.amount * 100)
    return sums


def test_the_next_export_says_what_changed_and_corrects_it_in_every_format(world: World) -> None:
    [made] = spend(world, 1)
    map_all(world)
    old, new = list(Category.objects.filter(business=world.business, tombstoned_at=None).order_by("remote_id")[:2])
    for row, code in ((old, "C-OLD"), (new, "C-NEW")):
        Mapping.objects.create(
            business=world.business, source="category", source_id=row.remote_id, code=code, name=code
        )
    file(world, made["_id"], old.remote_id)
    first = exported(world, ALL)
    before = downloads(world, first)
    address, form = world.address(f"{ROOM}new/"), {"period": now(world), "formats": ["csv"]}
    ada = world.client("Ada")
    assert "changed since. This export" not in page(ada.get(address, form))

    file(world, made["_id"], new.remote_id)
    shown = ada.get(address, form)
    assert "1 exported line has changed since. This export corrects it, with two lines each." in page(shown)
    corrections = world.address(f"{ROOM}pending/{now(world)}/corrections/")
    assert f'href="{corrections}"' in shown.content.decode()
    lines = page(ada.get(world.address(f"{ROOM}pending/{now(world)}/")))
    assert "has been exported" not in lines
    assert "No new lines. Exported lines have changed since" in lines
    assert "View 2 new lines" not in page(shown)
    listed = page(ada.get(corrections))
    assert f"{old.category_name} · {old.name} (C-OLD)" in listed
    assert f"{new.category_name} · {new.name} (C-NEW)" in listed
    for person in ("Apollo", "Rita", "Carla"):
        assert world.client(person).get(corrections).status_code == 403

    second = exported(world, ALL, key="form-2")
    files = downloads(world, second)
    assert second.line_count == 2
    assert "1 line of earlier exports is corrected here" in page(item(world, second))
    assert json.loads(second.manifest)["export"]["corrections"] == 1
    assert downloads(world, first) == before
    for name in ALL:
        one, other = net(name, before), net(name, files)
        assert sum(other.values()) == 0, name
        if name in {"csv", "xlsx"}:
            # Read by the ledger's own account: there nothing has moved.
            assert set(other.values()) == {0}
            continue
        assert one["C-OLD"], name
        assert (one["C-OLD"] + other["C-OLD"], other["C-NEW"]) == (0, one["C-OLD"]), name
    # In a package the correction is a journal of its own.
    journal = next(content.decode() for key, content in files.items() if "quickbooks" in key)
    assert "-R1" in journal
    assert "Correction: " in journal
    assert "Nothing that was exported of these days has changed since." in page(ada.get(corrections))
    assert "Everything of these days has been exported." in page(ada.get(address, form))


def test_while_the_service_is_away_the_page_of_what_changed_says_so(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    period: Any = now(proxied_world)
    proxied_world.proxy.fail("500", path="/accounting/journal-exports/pending/corrections")
    answer = proxied_world.client("Ada").get(proxied_world.address(f"{ROOM}pending/{period}/corrections/"))
    assert "Try again" in page(answer)
    assert "has changed since" not in page(answer)


def test_what_is_reversed_has_the_code_that_it_was_exported_with(world: World) -> None:
    [made] = spend(world, 1)
    map_all(world)
    old, new = list(Category.objects.filter(business=world.business, tombstoned_at=None).order_by("remote_id")[:2])
    for row, code in ((old, "C-OLD"), (new, "C-NEW")):
        Mapping.objects.create(
            business=world.business, source="category", source_id=row.remote_id, code=code, name=code
        )
    file(world, made["_id"], old.remote_id)
    before = downloads(world, exported(world, ALL))
    # What the accountant calls it is changed between the two exports.
    Mapping.objects.filter(business=world.business, code="C-OLD").update(code="C-OTHER", name="C-OTHER")
    file(world, made["_id"], new.remote_id)
    listed = page(world.client("Ada").get(world.address(f"{ROOM}pending/{now(world)}/corrections/")))
    assert f"{old.name} (C-OLD)" in listed
    assert "C-OTHER" not in listed
    after = downloads(world, exported(world, ALL, key="form-2"))
    for name in set(ALL) - {"csv", "xlsx"}:
        one, other = net(name, before), net(name, after)
        assert one["C-OLD"], name
        assert (one["C-OLD"] + other["C-OLD"], other["C-NEW"], other["C-OTHER"]) == (0, one["C-OLD"], 0), name
    assert not any(b"C-OTHER" in content for name, content in after.items() if not name.endswith("xlsx"))


def test_what_nobody_knows_the_codes_of_is_refused_before_anything_is_claimed(world: World) -> None:
    [made] = spend(world, 1)
    map_all(world)
    old, new = list(Category.objects.filter(business=world.business, tombstoned_at=None).order_by("remote_id")[:2])
    file(world, made["_id"], old.remote_id)
    first = exported(world, ["csv"])
    file(world, made["_id"], new.remote_id)
    # Its files were never written.
    JournalExport.objects.filter(pk=first.pk).update(manifest="")
    first.files.all().delete()
    ada = world.client("Ada")
    shown = page(ada.get(world.address(f"{ROOM}new/"), {"period": now(world), "formats": ["csv"]}))
    assert "It would correct lines of export 1, whose files are not written" in shown
    assert "Export 2 lines" not in shown
    assert export(world, ["csv"], key="form-2").status_code == 422
    assert list(JournalExport.objects.filter(business=world.business)) == [first]
    # Where it became so between the look and the click, the service refuses it, and has claimed nothing.
    late = JournalExport.objects.create(
        business=world.business, key="late", first_day=first.first_day, last_day=first.last_day, formats=["csv"],
        mapping={}, created_by=first.created_by, correctable=[],
    )  # fmt: skip
    refused = ada.post(world.address(f"{ROOM}{late.pk}/continue/"))
    assert refused.status_code == 409
    assert "It would correct lines of export 1: nothing was exported" in page(refused)
    assert list(JournalExport.objects.filter(business=world.business)) == [first]
    assert world.upstream("/accounting/journal-exports")["total"] == 1
    # Once they are written it is corrected.
    assert ada.post(world.address(f"{ROOM}{first.pk}/continue/")).status_code == 302
    assert exported(world, ["csv"], key="form-3").line_count == 2
