"""Charts as figures: bars for parts, the largest ten of them."""

import pytest

from dashboard.web.charts import MOST_PARTS, parts_chart


def test_each_part_is_a_bar_with_its_amount_in_words() -> None:
    chart = parts_chart("Spent", [("Fuel", 123_456), ("Taxi", 500)], "KES", "en_KE")
    assert chart is not None
    assert (chart["kind"], chart["unit"], chart["digits"]) == ("across", "KES", 2)
    assert chart["labels"] == ["Fuel", "Taxi"]
    assert chart["series"][0]["values"] == [123_456, 500]
    assert chart["series"][0]["texts"] == ["KES\xa01,234.56", "KES\xa05.00"]


def test_one_part_is_no_chart_and_of_many_the_first_are_drawn() -> None:
    assert parts_chart("Spent", [("Fuel", 1)], "KES", "en_KE") is None
    many = parts_chart("Spent", [(f"Category {number}", number) for number in range(30)], "JPY", "en_KE", kind="bar")
    assert many is not None
    assert (many["kind"], len(many["labels"])) == ("bar", MOST_PARTS)


@pytest.mark.parametrize(
    ("locale", "shorts"),
    [
        ("en_KE", [(10**3, 10**3, "", "K"), (10**6, 10**6, "", "M"), (10**9, 10**9, "", "B")]),
        ("de_DE", [(10**3, 1, "", ""), (10**6, 10**6, "", "\xa0Mio."), (10**9, 10**9, "", "\xa0Mrd.")]),
        ("en_IN", [(10**3, 10**3, "", "K"), (10**5, 10**5, "", "L"), (10**7, 10**7, "", "Cr")]),
        ("sw_KE", [(10**3, 10**3, "elfu\xa0", ""), (10**6, 10**6, "M", ""), (10**9, 10**9, "B", "")]),
    ],
)
def test_an_axis_is_handed_the_short_forms_of_the_locale(locale: str, shorts: list[tuple[int, int, str, str]]) -> None:
    chart = parts_chart("Spent", [("Fuel", 1), ("Taxi", 2)], "KES", locale)
    assert chart is not None
    found = [(form["least"], form["divisor"], form["before"], form["after"]) for form in chart["shorts"]]
    assert found[: len(shorts)] == shorts
