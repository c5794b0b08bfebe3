"""Files that are bad: dropped for a bill, each ends in a sentence at its place, and a bill can be entered beside it."""

import re
from typing import Any

import pytest

from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import drop, enter, value
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import INVOICE, changed, content_bomb, factur_x, pdf, picture_bomb, ubl

LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY inside "&b;&b;&b;&b;">]>'
MANY = pdf(*[[f"Page {number}", ("Total", f"KES {number}.00")] for number in range(1, 301)])


@pytest.fixture
def vendor(world: World) -> Any:
    created = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync()
    return created


def said(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


CASES = {
    "password": changed(pdf(INVOICE), password="let me in"),
    "100 megapixels": picture_bomb(10_000),
    "content bomb": content_bomb(),
    "300 pages": MANY,
    "laughs": changed(pdf(INVOICE), attached={"factur-x.xml": ubl(seller="&inside;", head=LAUGHS)}),
    "disagrees": changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1284.00")}),
    "half": pdf(INVOICE)[:200],
}


@pytest.mark.parametrize("name", CASES)
def test_look(world: World, vendor: Any, name: str) -> None:
    answer = drop(world, CASES[name])
    print(name, answer.status_code, value(answer.content.decode(), "file_id"), said(answer)[1400:4200])
    raise AssertionError
