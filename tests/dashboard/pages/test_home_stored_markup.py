"""Home opens with the markup that is stored of its widgets: to the same person, with the same rights, and no failure among it."""

from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House

HTMX = {"HX-Request": "true"}


def home(house: House, person: str) -> str:
    return house.browser(person).get(house.address("")).content.decode().replace("\xa0", " ")


def test_home_opens_with_what_was_shown_last_to_that_person_alone(house: House) -> None:
    house.expense(employee_id=house.employee_id("Carla"), category_name="Fuel", amount_minor=123_456)
    assert "1,234.56" not in home(house, "Carla")
    house.browser("Carla").get(house.address("home/spending/"), headers=HTMX)
    assert "1,234.56" in home(house, "Carla")
    assert "1,234.56" not in home(house, "Rita")
    assert "1,234.56" not in home(house, "Ada")


def test_another_role_finds_nothing_of_what_the_last_one_saw(house: House) -> None:
    house.expense(category_name="Meals", amount_minor=999_900)
    house.browser("Ada").get(house.address("home/spending/"), headers=HTMX)
    assert "9,999.00" in home(house, "Ada")
    house.people["Ada"].role = "CARD_USER"
    house.people["Ada"].save()
    assert "9,999.00" not in home(house, "Ada")


def test_a_failure_is_not_what_home_opens_with(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    browser = proxied_world.client("Ada")
    assert 'role="alert"' in browser.get(proxied_world.address("home/movement/"), headers=HTMX).content.decode()
    widgets = browser.get(proxied_world.address("")).content.decode().split('id="widget-movement"')[1]
    assert "skeleton" in widgets.split("</section>")[0]
