"""Lines of a bill split over teams: typed, sent, shown, changed; what does not come to the line stands at its field."""

import re
from decimal import Decimal
from typing import Any

import pytest

from dashboard.mirror.models import Team
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import ONE_LINE, enter
from tests.dashboard.conftest import World


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Otieno & Sons Ltd")
    for name in ("Fleet", "Sales"):
        world.send("POST", "/teams", {"name": name, "code": name})
    world.sync("lookups", "vendors")
    return made


def shares(world: World, *parts: tuple[str, str]) -> dict[str, str]:
    """The fields of a split of the first line, by the names of the teams."""
    ids = dict(Team.objects.filter(business=world.business).values_list("name", "remote_id"))
    fields = {}
    for place, (team, share) in enumerate(parts):
        fields |= {f"line-0-split-team_{place}": ids.get(team, team), f"line-0-split-share_{place}": share}
    return fields


def amounts(world: World) -> list[tuple[Any, int]]:
    row = upstream.copied(world, "INV-1")
    [line] = world.upstream(f"/bills/{row.remote_id}")["line_items"]
    return [(split["percent"], split["amount_minor"]) for split in line["splits"]]


def at(answer: Any, name: str) -> str:
    """The error at a field."""
    found = re.search(rf'id="id_line-0-split-{name}_error">(.*?)</span>', answer.content.decode(), re.DOTALL)
    return re.sub(r"\s+", " ", found[1]).strip() if found else ""


def lines_sent(count: int, answer: Any = None) -> dict[str, str]:
    """The fields of so many lines as a browser sends them: all that the page has, those of the splits too."""
    fields = {"line-TOTAL_FORMS": str(count), "line-INITIAL_FORMS": "0"}
    for place in range(count):
        fields |= {
            f"line-{place}-description": f"Paper {place}", f"line-{place}-quantity": "1", f"line-{place}-unit_price": "10",
            f"line-{place}-tax_rate": "", f"line-{place}-subcategory": "",
        }  # fmt: skip
    page = answer.content.decode() if answer is not None else ""
    return fields | dict.fromkeys(re.findall(r'name="(line-\d+-split-(?:team|share)_\d)"', page), "")


def test_a_bill_of_two_hundred_lines_is_saved_and_a_line_of_it_is_split(world: World, vendor: Any) -> None:
    added = enter(world, vendor, add_line="1", **lines_sent(199))
    assert added.status_code == 200
    sent = lines_sent(200, added)
    assert len(sent) < 1_100
    asked = enter(world, vendor, split_line="1", split_at="3", **sent)
    sent = lines_sent(200, asked)
    assert {name.split("-")[1] for name in sent if "-split-" in name} == {"2"}
    ids = dict(Team.objects.filter(business=world.business).values_list("name", "remote_id"))
    sent |= {"line-2-split-team_0": ids["Fleet"], "line-2-split-share_0": "100 %"}
    assert enter(world, vendor, **sent).status_code == 302
    row = upstream.copied(world, "INV-1")
    lines = world.upstream(f"/bills/{row.remote_id}")["line_items"]
    assert [place for place, line in enumerate(lines) if line["splits"]] == [2]
    assert len(lines) == 200
    edit = upstream.page(world, "Ada", f"bills/{row.remote_id}/edit/")
    assert 'name="line-199-description"' in edit
    assert 'name="line-2-split-team_0"' in edit


def test_percentages_are_sent_and_the_bill_says_whose_share_it_is(world: World, vendor: Any) -> None:
    # Ten at a thousand with 16 % of tax: 11,600.
    assert enter(world, vendor, **shares(world, ("Fleet", "33.33 %"), ("Sales", "66.67%"))).status_code == 302
    assert amounts(world) == [(Decimal("33.33"), 386_628), (Decimal("66.67"), 773_372)]
    row = upstream.copied(world, "INV-1")
    shown = upstream.page(world, "Ada", f"bills/{row.remote_id}/")
    assert "Fleet 33.33 %: KES\xa03,866.28" in shown
    edit = upstream.page(world, "Ada", f"bills/{row.remote_id}/edit/")
    assert 'value="33.33 %"' in edit
    changed = {"bill_no": "INV-1", "issued_at": str(row.issued_on), **ONE_LINE}
    address = world.address(f"bills/{row.remote_id}/edit/")
    by_amount = shares(world, ("Sales", "11,000"), ("Fleet", "600"))
    assert world.client("Ada").post(address, changed | by_amount).status_code == 302
    assert amounts(world) == [(None, 1_100_000), (None, 60_000)]
    assert world.client("Ada").post(address, changed).status_code == 302
    assert amounts(world) == []


@pytest.mark.parametrize(
    ("parts", "field", "problem"),
    [
        ([("Fleet", "60 %"), ("Sales", "30 %")], "share_1", "come to 90 %, not to 100 %"),
        ([("Fleet", "60 %"), ("Sales", "40")], "share_1", "all shares of a line in per cent, or all as amounts"),
        ([("Fleet", "11,000"), ("Sales", "500")], "share_1", "come to KES 11,500.00, the line with its tax to KES 11,600.00"),
        ([("Fleet", "50 %"), ("Fleet", "50 %")], "team_1", "has a share of the line already"),
        ([("Fleet", "")], "share_0", "a team and a part"),
        ([("", "100 %")], "team_0", "a team and a part"),
        ([("Fleet", "0 %"), ("Sales", "100 %")], "share_0", "above zero"),
        ([("Fleet", "33.333 %"), ("Sales", "66.667 %")], "share_0", "two decimals"),
        ([("Fleet", "half")], "share_0", ""),
        ([("no-such-team", "100 %")], "team_0", "not one of the available choices"),
    ],
)  # fmt: skip
def test_what_does_not_come_to_the_line_stands_at_its_field(
    world: World, vendor: Any, parts: list[tuple[str, str]], field: str, problem: str
) -> None:
    answer = enter(world, vendor, **shares(world, *parts))
    assert answer.status_code == 422
    assert at(answer, field)
    assert problem in at(answer, field)
    # What was typed stands, and can be seen.
    assert re.search(r'<details class="whole" open', answer.content.decode())
    assert not world.upstream("/bills")["docs"]


def test_another_line_keeps_the_shares_that_were_typed(world: World, vendor: Any) -> None:
    typed = enter(world, vendor, add_line="1", **shares(world, ("Fleet", "60 %"), ("Sales", "40 %")))
    shown = typed.content.decode()
    assert typed.status_code == 200
    assert 'value="60 %"' in shown
    assert "Split line 2 over teams" in shown


def test_a_share_without_its_line_is_not_lost(world: World, vendor: Any) -> None:
    empty = {f"line-0-{name}": "" for name in ("description", "quantity", "unit_price", "tax_rate")}
    answer = enter(world, vendor, **empty, **shares(world, ("Fleet", "100 %")))
    assert answer.status_code == 422
    assert 'id="id_line-0-description_error"' in answer.content.decode()


def test_the_list_of_a_team_has_the_bills_of_which_it_has_a_share(world: World, vendor: Any) -> None:
    world.send("POST", "/teams", {"name": "Legal", "code": "Legal"})
    world.sync("lookups")
    assert enter(world, vendor, **shares(world, ("Fleet", "60 %"), ("Sales", "40 %"))).status_code == 302
    ids = dict(Team.objects.filter(business=world.business).values_list("name", "remote_id"))
    listed = {
        name: "INV-1" in upstream.page(world, "Ada", f"bills/?team={ids[name]}") for name in ("Fleet", "Sales", "Legal")
    }
    assert listed == {"Fleet": True, "Sales": True, "Legal": False}
