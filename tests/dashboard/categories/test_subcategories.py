"""Subcategories are read as what they are: those of a category by LIST_SUBCATEGORIES, one by READ_SUBCATEGORY."""

from __future__ import annotations

from tests.dashboard.conftest import World


def test_a_category_lists_its_subcategories_and_one_is_read_by_itself(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    category = next(row for row in proxied_world.upstream("/categories")["docs"] if row["subcategories"])
    child = category["subcategories"][0]
    ada, path = proxied_world.client("Ada"), f"/v2/categories/{category['_id']}/subcategories"
    shown = ada.get(proxied_world.address(f"categories/{category['_id']}/")).content.decode()
    assert all(row["name"] in shown for row in category["subcategories"])
    form = ada.get(proxied_world.address(f"categories/{category['_id']}/{child['_id']}/")).content.decode()
    assert child["name"] in form
    asked = [sent.path.partition("?")[0] for sent in proxied_world.proxy.record if sent.method == "GET"]
    assert asked.count(path) == 1
    assert asked.count(f"{path}/{child['_id']}") == 1


def test_a_subcategory_of_another_category_is_404(world: World) -> None:
    first, second = [row for row in world.upstream("/categories")["docs"] if row["subcategories"]][:2]
    address = world.address(f"categories/{first['_id']}/{second['subcategories'][0]['_id']}/")
    assert world.client("Ada").get(address).status_code == 404
