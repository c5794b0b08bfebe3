"""The codes of an audit file, read back: withheld taxes as their report has them, each line's categories and teams."""

from __future__ import annotations

import csv
import io
from collections import Counter
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from django.utils import timezone

from dashboard.mirror.apply import tombstone
from dashboard.mirror.schedule import today
from tests.dashboard.accounting.test_periods import spend
from tests.dashboard.accounting.test_reports import NAMESPACE, report
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.taxes.test_deductions import deducted


def text(element: ET.Element, name: str) -> str:
    return element.findtext(f"{NAMESPACE}{name}") or ""


def lines_of(root: ET.Element) -> list[ET.Element]:
    return list(root.iter(f"{NAMESPACE}Line"))


def side_of(line: ET.Element) -> str:
    return "credit" if text(line, "CreditAmount") else "debit"


def whole_of(line: ET.Element) -> Decimal:
    return Decimal(text(line, "CreditAmount") or text(line, "DebitAmount"))


@pytest.fixture
def root(world: World) -> ET.Element:
    """The audit file of a month in which three taxes were withheld, one of them paid over, and expenses filed."""
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    vendor = upstream.vendor(world, "Paper & Sons")
    first = deducted(world, 100_000, vendor)
    deducted(world, 60_000, vendor)
    deducted(world, 80_000, vendor, code="WHT_RENT")
    over = {"remitted_on": today(world.business).isoformat(),
            "transactions": [{"tax_transaction_id": first["_id"], "certificate_no": "KRAWHT1"}]}  # fmt: skip
    ask(world, "Ada", "POST", "/taxes/remittances", over)
    filed = world.upstream("/categories")["docs"][0]["subcategories"][0]
    for spent in spend(world):
        world.send("POST", f"/expenses/changeSubCategory/{spent['_id']}", {"subcategory_id": filed["_id"]})
    return ET.fromstring(report(world, "audit_file", "xml"))


def test_its_taxes_by_code_are_those_of_the_report_to_the_cent(world: World, root: ET.Element) -> None:
    sums: dict[str, Counter[str]] = {"credit": Counter(), "debit": Counter()}
    for line in lines_of(root):
        taxes = line.findall(f"{NAMESPACE}TaxInformation")
        for tax in taxes:
            sums[side_of(line)][text(tax, "TaxCode")] += int(Decimal(text(tax, "TaxAmount")) * 100)
        if taxes:
            assert sum(Decimal(text(tax, "TaxAmount")) for tax in taxes) == whole_of(line)
    file = world.client("Ada").get(world.address("taxes/report/file/")).content.decode()
    codes = {tax["name"]: tax["code"] for tax in world.upstream("/taxes", limit=200)["docs"]}
    reported, remitted = Counter[str](), Counter[str]()
    for row in list(csv.reader(io.StringIO(file)))[1:]:
        code, minor = codes.get(row[4], row[4]), int(Decimal(row[8]) * 100)
        reported[code] += minor
        remitted[code] += minor if row[9] == "Remitted" else 0
    assert len(reported) == 2
    assert sums["credit"] == reported
    assert sums["debit"] == +remitted
    assert sums["debit"]
    listed = {text(entry, "TaxCode") for entry in root.iter(f"{NAMESPACE}TaxTableEntry")}
    assert set(sums["credit"]) <= listed


def test_its_lines_are_of_categories_and_teams_that_it_lists(world: World, root: ET.Element) -> None:
    listed = {
        (text(entry, "AnalysisType"), text(entry, "AnalysisID")): text(entry, "AnalysisIDDescription")
        for entry in root.iter(f"{NAMESPACE}AnalysisTypeTableEntry")
    }
    filed = world.upstream("/categories")["docs"][0]
    shown = f"{filed['name']} › {filed['subcategories'][0]['name']}"
    assert listed["CATEGORY", filed["subcategories"][0]["_id"]] == shown
    seen = Counter[str]()
    for line in lines_of(root):
        sums: Counter[str] = Counter()
        for analysis in line.findall(f"{NAMESPACE}Analysis"):
            kind = text(analysis, "AnalysisType")
            assert (kind, text(analysis, "AnalysisID")) in listed
            sums[kind] += int(Decimal(text(analysis, "AnalysisAmount")) * 100)
        assert all(minor <= whole_of(line) * 100 for minor in sums.values())
        seen.update(kind for kind, minor in sums.items() if minor == whole_of(line) * 100)
    assert seen["CATEGORY"] >= 2
    assert seen["TEAM"] >= 2


def test_what_was_deleted_since_is_listed_for_the_lines_that_were_posted_under_it(
    world: World, root: ET.Element
) -> None:
    filed = world.upstream("/categories")["docs"][0]["subcategories"][0]["_id"]
    teams = {
        text(analysis, "AnalysisID")
        for analysis in root.iter(f"{NAMESPACE}Analysis")
        if text(analysis, "AnalysisType") == "TEAM"
    }
    assert teams
    tombstone("category", world.business, [filed], timezone.now())
    tombstone("team", world.business, sorted(teams), timezone.now())
    again = ET.fromstring(report(world, "audit_file", "xml"))
    listed = {
        (text(entry, "AnalysisType"), text(entry, "AnalysisID"))
        for entry in again.iter(f"{NAMESPACE}AnalysisTypeTableEntry")
    }
    named = {
        (text(analysis, "AnalysisType"), text(analysis, "AnalysisID"))
        for analysis in again.iter(f"{NAMESPACE}Analysis")
    }
    assert ("CATEGORY", filed) in named
    assert named <= listed
