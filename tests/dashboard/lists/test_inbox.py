"""The inbox is saved as views and exported like any list, though it stands on two tables."""

import io
from datetime import UTC, datetime, timedelta

import openpyxl
from django.utils import timezone

from dashboard.lists.models import SavedView
from tests.dashboard.lists.test_exports import content, table
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_access_changes import change


def test_its_file_equals_the_tab_in_the_order_of_the_screen(kept_house: House) -> None:
    kept_house.expense(merchant="Older")
    kept_house.payment(title="Tyres", amount_minor=500_000)
    kept_house.expense(merchant="Decided", status="APPROVED")
    kept_house.expense(merchant="Own", employee_id=kept_house.employee_id("Apollo"))
    form = {"list": "show=mine", "format": "csv"}
    rows = table(content(kept_house.browser("Apollo").post(kept_house.address("lists/approvals/export/"), form)))
    lines = [dict(zip(rows[0], row, strict=True)) for row in rows[1:3]]
    assert [(line["Kind"], line["Description"]) for line in lines] == [
        ("Payment request", "Tyres"),
        ("Expense", "Older"),
    ]
    assert ["Rows", "2"] in rows
    assert ["Totals", "KES\xa013,420.00"] in rows


def test_as_a_sheet_it_has_its_moments_in_utc_and_its_amounts_as_numbers(kept_house: House) -> None:
    moment = datetime(2026, 11, 20, 21, 30, 15, tzinfo=UTC)
    kept_house.expense(merchant="Older", transaction_date=moment, amount_minor=842_000)
    form = {"list": "show=mine", "format": "xlsx"}
    answer = content(kept_house.browser("Apollo").post(kept_house.address("lists/approvals/export/"), form))
    sheet = openpyxl.load_workbook(io.BytesIO(answer)).active
    headings, line = ([cell.value for cell in row] for row in sheet.iter_rows(max_row=2))
    cells = dict(zip(headings, line, strict=True))
    assert (cells["Description"], cells["Amount"], cells["At (UTC)"]) == ("Older", 8420, moment.replace(tzinfo=None))


def test_a_reviewers_file_has_no_payments_and_a_card_user_has_none_at_all(kept_house: House) -> None:
    kept_house.expense(merchant="Fuel")
    kept_house.payment(title="Tyres")
    address, form = kept_house.address("lists/approvals/export/"), {"list": "show=mine", "format": "csv"}
    body = content(kept_house.browser("Rita").post(address, form)).decode()
    assert "Fuel" in body
    assert "Tyres" not in body
    assert kept_house.browser("Carla").post(address, form).status_code == 403


def test_an_admins_file_has_the_changes_of_access_and_an_approvers_has_none(kept_house: House) -> None:
    kept_house.expense(merchant="Fuel", transaction_date=timezone.now() - timedelta(hours=1))
    change(kept_house, "Sam", title="Carla · Fleet")
    address, form = kept_house.address("lists/approvals/export/"), {"list": "show=mine&sort=newest", "format": "csv"}
    rows = table(content(kept_house.browser("Ada").post(address, form)))
    lines = [dict(zip(rows[0], row, strict=True)) for row in rows[1:3]]
    cells = [(line["Kind"], line["Description"], line["Person"], line["Status"], line["Amount"]) for line in lines]
    assert cells[1] == ("Access change", "Carla · Fleet", "Sam", "waiting", "")
    assert ["Rows", "2"] in rows
    assert "Carla · Fleet" not in content(kept_house.browser("Apollo").post(address, form)).decode()


def test_it_opens_with_the_saved_view(house: House) -> None:
    browser = house.browser("Apollo")
    browser.post(house.address("lists/approvals/views/"), {"name": "Risky", "list": "show=mine&risk=high"})
    view = SavedView.objects.get(business=house.business)
    assert view.query == "show=mine&risk=high"
    browser.post(house.address(f"lists/approvals/views/{view.pk}/open-with/"), {"default": "yes", "list": ""})
    answer = browser.get(house.address("approvals/"))
    assert answer["Location"] == house.address("approvals/?show=mine&risk=high")
    totals = browser.get(house.address("approvals/totals/?show=mine"), headers={"HX-Request": "true"})
    assert "Risky" in totals.content.decode()


def test_what_makes_no_sense_is_not_kept(house: House) -> None:
    form = {"name": "Purple", "list": "risk=purple"}
    assert house.browser("Apollo").post(house.address("lists/approvals/views/"), form).status_code == 422
