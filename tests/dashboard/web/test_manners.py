"""Manners of every page: what it may load, what a browser may keep, errors in words, mail and style guide in development."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from dashboard.web.mail import letters
from tests.dashboard.pages.conftest import House


def test_a_page_loads_from_its_own_origin_only(house: House) -> None:
    answer = house.browser("Apollo").get(house.address("approvals/"))
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "HX-Request" in answer["Vary"]
    assert "Cookie" in answer["Vary"]
    body = answer.content.decode()
    assert "style=" not in body
    assert "onclick=" not in body


def test_a_missing_thing_is_a_page_of_ours_and_a_toast_in_a_swap(house: House) -> None:
    browser = house.browser("Apollo")
    page = browser.get(house.address("expenses/none/"))
    assert page.status_code == 404
    assert "Page not found" in page.content.decode()
    swap = browser.get(house.address("expenses/none/"), headers={"HX-Request": "true"})
    assert swap.status_code == 404
    assert swap["HX-Retarget"] == "#toasts"
    assert "<html" not in swap.content.decode()


def test_another_business_does_not_exist_for_a_stranger(house: House, new_house) -> None:  # type: ignore[no-untyped-def]
    other = new_house()
    answer = house.browser("Apollo").get(other.address("approvals/"))
    assert answer.status_code == 404
    assert other.business.name not in answer.content.decode()


def test_a_history_restore_gets_the_whole_page(house: House) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    body = house.browser("Apollo").get(house.address("approvals/"), headers=headers).content.decode()
    assert "<html" in body


def test_a_form_of_another_browser_is_refused_in_words(house: House) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(house.people["Apollo"].user)
    answer = browser.post(house.address("approvals/plan/"), {"verb": "approve"})
    assert answer.status_code == 403
    assert "from an older page of yours" in answer.content.decode()


def test_mail_is_read_newest_first_with_its_links_and_nothing_else_live(tmp_path: Path) -> None:
    dashes = "-" * 79
    text = "Subject: {0}\nTo: a@b.test\nDate: Fri, 20 Nov 2026 10:00:00 -0000\n\n{1}\n" + dashes + "\n"
    one = text.format("Old", "http://localhost:8000/-/account/x/?a=1&b=2") + text.format("New", "<script>x</script>")
    (tmp_path / "1.log").write_text(one)
    found = letters(tmp_path)
    assert [letter["subject"] for letter in found] == ["New", "Old"]
    assert "<script>" not in str(found[0]["body"])
    assert '<a href="http://localhost:8000/-/account/x/?a=1&amp;b=2">' in str(found[1]["body"])


@pytest.mark.parametrize("address", ["/-/style/", "/-/mail/"])
def test_development_pages_are_not_there_in_production(db: None, settings: Any, address: str) -> None:
    settings.DEVELOPMENT = True
    settings.EMAIL_FILE_PATH = "/nonexistent"
    assert Client().get(address).status_code == 200
    settings.DEVELOPMENT = False
    assert Client().get(address).status_code == 404
