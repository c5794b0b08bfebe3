"""A test that reckons with days takes today from `tests/days.py`: Greenwich's today is yesterday's for three hours of each night in Nairobi."""

import ast
from collections.abc import Iterator

from tests.house.sources import name_of, nodes_of, python_files, tree_of

# Where the day is Greenwich's by what is tested.
OF_GREENWICH = {"tests/service/fx/test_rates.py": "The day of a rate is the market's, in UTC."}
# The methods that read a clock, and the function of the product that says a moment in the time of a business.
CLOCKS, AT_THE_BUSINESS = {"now", "utcnow"}, "local"


def todays_in(tree: ast.Module) -> Iterator[int]:
    """The lines that ask a clock for its day, and no business for its time zone: `now().date()` with or without something added, in
    one step or by a name of the module, `time.strftime` of now, or `localdate()`; the clock of the machine is refused by test_rules.py."""
    moments = {
        node.targets[0].id
        for node in nodes_of(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_elsewhere(node.value)
    }
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            moment, asked = node.func.value, node.func.attr
            is_day = asked == "date" and (is_elsewhere(moment) or ast.unparse(moment) in moments)
            is_written = asked == "strftime" and ast.unparse(moment) == "time" and len(node.args) == 1
            if is_day or is_written or (asked == "localdate" and ast.unparse(moment) == "timezone"):
                yield node.lineno


def is_elsewhere(moment: ast.expr) -> bool:
    """Whether a moment is that of a clock, and neither is said in the time of a business nor was asked for in its zone."""
    calls = [part for part in ast.walk(moment) if isinstance(part, ast.Call)]
    clocks = [one for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr in CLOCKS]
    if not clocks:
        return False
    of_a_business = any(ast.unparse(one.func) == AT_THE_BUSINESS for one in calls) or any(
        "time_zone" in ast.unparse(given) for one in clocks for given in one.args
    )
    return not of_a_business


def test_no_test_has_a_today_of_its_own() -> None:
    found = {name_of(file) for file in python_files("tests") if any(todays_in(tree_of(file)))}
    assert found == {"tests/days.py", *OF_GREENWICH}


def test_the_rule_finds_what_it_is_for() -> None:
    for line in (
        "a = timezone.now().date()",
        "a = (datetime.now(UTC) + timedelta(days=1)).date()",
        "a = timezone.localdate()",
        "b = timezone.now(); a = b.date()",
        "a = time.strftime('%Y-%m-%d')",
    ):
        assert list(todays_in(ast.parse(line))) == [1], line
    for line in (
        "a = business_day(1)",
        "a = found.issued_at.date()",
        "a = timezone.now()",
        "a = local(timezone.now(), house.business).date() + timedelta(days=1)",
        "a = datetime.now(ZoneInfo(business.time_zone)).date()",
        "b = local(timezone.now(), house.business); a = b.date()",
    ):
        assert list(todays_in(ast.parse(line))) == [], line
