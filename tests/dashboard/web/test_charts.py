"""Charts as figures: bars for parts, the largest ten of them."""

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
