"""The address of what a page preloads: it answers the fragment, and leads nobody anywhere."""

from __future__ import annotations

import re

from django.utils.html import escape

from tests.dashboard.pages.conftest import House, house

__all__ = ["house"]


def test_what_is_preloaded_holds_the_address_of_the_page(house: House) -> None:
    expense = house.expense(merchant="Java House")
    address = house.address(f"approvals/expense/{expense.remote_id}/")
    answer = house.browser("Apollo").get(f"{address}?fragment=1&show=mine", headers={"Sec-Fetch-Dest": "empty"})
    shown = answer.content.decode()
    assert "Java House" in shown
    assert "<html" not in shown
    assert "fragment=" not in shown
    assert f'name="back" value="{escape(address)}?show=mine"' in shown


def test_whoever_is_led_to_that_address_finds_the_page(house: House) -> None:
    expense = house.expense(merchant="Java House")
    address = house.address(f"approvals/expense/{expense.remote_id}/?show=mine&fragment=1")
    shown = house.browser("Apollo").get(address, headers={"Sec-Fetch-Dest": "document"}).content.decode()
    assert "<html" in shown
    assert "fragment=" not in shown


def test_a_comment_of_a_preloaded_item_leads_to_a_whole_page(house: House) -> None:
    expense, browser = house.expense(merchant="Java House"), house.browser("Apollo")
    shown = browser.get(house.address(f"approvals/expense/{expense.remote_id}/?fragment=1")).content.decode()
    form = re.search(r'id="talk".*?action="([^"]*)"(.*?)</form>', shown, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[2]))
    posted = browser.post(form[1], fields | {"text": "Is this ours?"})
    assert posted.status_code == 302, posted.content.decode()
    led = browser.get(posted["Location"]).content.decode()
    assert "<html" in led
    assert "Is this ours?" in led


def test_an_address_with_another_word_that_begins_alike_is_left_alone(house: House) -> None:
    answer = house.browser("Apollo").get(house.address("approvals/?q=fragment&fragments=1"))
    assert "<html" in answer.content.decode()
    assert answer.wsgi_request.GET["fragments"] == "1"
