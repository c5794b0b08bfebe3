"""The chart of accounts: made, renamed, archived, deleted, pasted; what is filed under it keeps it; by whom."""

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.journal_exports.models import Mapping
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Category
from dashboard.pages.categories.presenters import chart
from dashboard.schemas.categories import Category as CategoryRow
from tests.dashboard.conftest import World


def page(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def made(world: World, name: str = "Fleet costs", **form: str) -> dict[str, Any]:
    posted = {"name": name, "code": "", "group": "Operations"} | form
    answer = world.client("Ada").post(world.address("categories/new/"), posted)
    assert answer.status_code == 302, page(answer)
    return upstream(world, answer["Location"].rstrip("/").rsplit("/", 1)[1])


def upstream(world: World, category_id: str) -> dict[str, Any]:
    found: dict[str, Any] = world.upstream(f"/categories/{category_id}")
    return found


def with_subcategory(world: World, name: str = "Tyres") -> tuple[dict[str, Any], dict[str, Any]]:
    category = made(world)
    posted = {"new-name": name, "new-code": ""}
    assert world.client("Ada").post(world.address(f"categories/{category['_id']}/new/"), posted).status_code == 302
    category = upstream(world, category["_id"])
    return category, category["subcategories"][0]


def names(world: World) -> list[str]:
    return [label for _, label in categories_of(world.actor("Carla"))]


def test_a_category_and_its_subcategory_are_at_the_service_in_the_tree_and_in_every_choice(world: World) -> None:
    category, row = with_subcategory(world)
    assert (category["group"], row["code"]) == ("Operations", "TYRES")
    shown = page(world.client("Carla").get(world.address("categories/?q=tyres")))
    assert "Fleet costs" in shown
    assert "Tyres" in shown
    assert "Fleet costs · Tyres" in names(world)
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence="created category Fleet costs").exists()


def test_renamed_its_subcategories_are_chosen_under_the_new_name(world: World) -> None:
    category, _ = with_subcategory(world)
    posted = {"name": "Vehicles", "code": "VEHICLES", "group": "", "status": "ACTIVE"}
    answer = world.client("Ada").post(world.address(f"categories/{category['_id']}/edit/"), posted)
    assert answer.status_code == 302
    found = upstream(world, category["_id"])
    assert (found["name"], found["code"], found["group"]) == ("Vehicles", "VEHICLES", "")
    assert "Vehicles · Tyres" in names(world)


def test_an_archived_subcategory_is_offered_no_more(world: World) -> None:
    category, row = with_subcategory(world)
    address = world.address(f"categories/{category['_id']}/{row['_id']}/")
    posted = {"name": "Tyres", "code": "TYRES", "status": "ARCHIVED"}
    assert world.client("Ada").post(address, posted).status_code == 302
    assert upstream(world, category["_id"])["subcategories"][0]["status"] == "ARCHIVED"
    assert "Fleet costs · Tyres" not in names(world)


def test_deleted_it_is_gone_and_in_use_it_stays_with_the_reason(world: World) -> None:
    category, row = with_subcategory(world)
    ada = world.client("Ada")
    assert ada.post(world.address(f"categories/{category['_id']}/{row['_id']}/delete/")).status_code == 302
    assert upstream(world, category["_id"])["subcategories"] == []
    assert not Category.objects.filter(business=world.business, remote_id=row["_id"], tombstoned_at=None).exists()
    world.sandbox("expenses", count=1)
    world.sync("hot")
    used = world.upstream("/expenses")["docs"][0]["subcategory"]
    parent = Category.objects.get(business=world.business, remote_id=used["_id"]).category_id
    answer = ada.post(world.address(f"categories/{parent}/{used['_id']}/delete/"), follow=True)
    assert "Archive it" in page(answer)
    assert any(child["_id"] == used["_id"] for child in upstream(world, parent)["subcategories"])


def test_a_code_that_is_taken_is_refused_and_what_was_typed_stays(world: World) -> None:
    made(world, code="FLEET")
    answer = world.client("Ada").post(
        world.address("categories/new/"), {"name": "Other", "code": "fleet", "group": "People"}
    )
    assert answer.status_code == 409
    assert 'value="Other"' in page(answer)
    assert "taken" in page(answer)


TABLE = "Category\tSubcategory\tCode\nFleet costs\tTyres\t\nFleet costs\tOil\tOIL-1\nEvents\t\t\n"


def test_a_pasted_table_is_shown_first_and_added_once_it_is_confirmed(world: World) -> None:
    made(world)
    ada, address = world.client("Ada"), world.address("categories/many/")
    shown = page(ada.post(address, {"table": TABLE}))
    assert "1 category and 2 subcategories" in shown
    assert not any(row["name"] == "Events" for row in world.upstream("/categories", limit=500)["docs"])
    digest = re.findall(r'name="confirmed" value="(\w+)"', shown)[0]
    changed = page(ada.post(address, {"table": TABLE + "Sneaked\tIn\t\n", "confirmed": digest}))
    assert "What will be added" in changed
    assert ada.post(address, {"table": TABLE, "confirmed": digest}).status_code == 302
    rows = {row["name"]: row for row in world.upstream("/categories", limit=500)["docs"]}
    assert {child["name"]: child["code"] for child in rows["Fleet costs"]["subcategories"]} == {
        "Tyres": "TYRES",
        "Oil": "OIL-1",
    }
    assert "Events" in rows
    assert "Sneaked" not in rows
    assert "Fleet costs · Oil" in names(world)
    assert "0 categories and 0 subcategories" in page(ada.post(address, {"table": TABLE}))


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("", "required"),
        ("Category,Subcategory\n", "at least one row"),
        (",Tyres", "Row 1"),
        ("Fleet,Tyres\nFleet,tyres", "Row 2: tyres is there twice"),
        ("Fleet,Tyres,a b!", "Row 1: A code has"),
        ('Fleet,"Tyres', "cannot be read as a table"),
        ("\n".join(f"Fleet,Row {number}" for number in range(1001)), "At most 1000 rows"),
    ],
)
def test_a_table_with_errors_names_its_rows_and_adds_nothing(world: World, table: str, problem: str) -> None:
    answer = world.client("Ada").post(world.address("categories/many/"), {"table": table, "confirmed": "1"})
    assert answer.status_code == 422
    assert problem in page(answer)
    assert not any(row["name"].startswith("Fleet") for row in world.upstream("/categories", limit=500)["docs"])


@pytest.mark.parametrize(
    ("person", "may"), [("Ada", True), ("Sam", True), ("Apollo", False), ("Rita", False), ("Carla", False)]
)
def test_everybody_reads_it_and_an_admin_changes_it(world: World, person: str, may: bool) -> None:
    category = made(world)
    client = world.client(person)
    assert client.get(world.address("categories/")).status_code == 200
    assert ("New category" in page(client.get(world.address("categories/")))) is may
    assert ("Save changes" in page(client.get(world.address(f"categories/{category['_id']}/")))) is may
    posted = {"name": "X Y", "code": "XY", "group": "", "status": "ACTIVE"}
    answer = client.post(world.address(f"categories/{category['_id']}/edit/"), posted)
    assert (answer.status_code == 302) is may
    assert (upstream(world, category["_id"])["name"] == "X Y") is may


def test_while_the_service_is_away_it_says_so(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/categories")
    shown = page(proxied_world.client("Ada").get(proxied_world.address("categories/")))
    assert "Try again" in shown
    assert "No categories yet" not in shown


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 100])
def test_each_row_of_the_tree_is_on_one_page(world: World, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(chart, "ROWS_ON_PAGE", size)

    def category(name: str, *children: str) -> CategoryRow:
        rows = [{"_id": child, "name": child, "code": child} for child in children]
        return CategoryRow.model_validate({"_id": name, "name": name, "code": name, "subcategories": rows})

    tree = [category("A", "a1", "a2", "a3"), category("B"), category("C", "c1", "c2")]
    actor = world.actor("Ada")
    first = chart.chart_context(actor, tree, "")
    rows = [
        row
        for number in range(1, first["pages"] + 1)
        for node in chart.chart_context(actor, tree, "", number)["nodes"]
        for row in node.subcategories
    ]
    assert [line.subcategory.name for line in rows] == ["a1", "a2", "a3", "c1", "c2"]
    shown = [
        [node.category.name for node in chart.chart_context(actor, tree, "", number)["nodes"]]
        for number in range(1, first["pages"] + 1)
    ]
    assert list(dict.fromkeys(name for names_of_page in shown for name in names_of_page)) == ["A", "B", "C"]
    assert first["pages"] == -(-8 // size)
    assert chart.chart_context(actor, tree, "", 99)["number"] == first["pages"]
    assert [node.category.name for node in chart.chart_context(actor, tree, "c1")["nodes"]] == ["C"]


def test_the_accountant_s_codes_stand_in_the_tree_for_who_maps_them(world: World) -> None:
    category, row = with_subcategory(world)
    Mapping.objects.create(business=world.business, source="category", source_id=row["_id"], code="6100", name="Tyres")
    to_mapping = world.address(f"journal-exports/mapping/category/#row-{row['_id']}")
    for address in ("categories/?q=tyres", f"categories/{category['_id']}/"):
        shown = page(world.client("Ada").get(world.address(address)))
        assert f'<a href="{to_mapping}"><bdi>6100</bdi>' in shown
        assert to_mapping not in page(world.client("Apollo").get(world.address(address)))
    Mapping.objects.all().delete()
    assert f'<a href="{to_mapping}"><span class="mute">Not mapped</span>' in page(
        world.client("Ada").get(world.address("categories/?q=tyres"))
    )
