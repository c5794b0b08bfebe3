"""Exports of receipts: asked of the real service in the person's own name, followed, downloaded through us alone."""

import io
import time
import zipfile
from typing import Any

import pytest

from dashboard.lists.models import ReceiptsJob
from tests.dashboard.conftest import World

FORM = {"since": "2026-01-01", "until": "2026-12-31", "format": "ZIP", "team": "", "status": ""}


def collected(world: World, person: str) -> Any:
    """The finished job's download."""
    browser = world.client(person)
    assert browser.post(world.address("expenses/receipts/"), FORM).status_code == 302
    ends = time.monotonic() + 60
    while ReceiptsJob.objects.get(membership=world.people[person]).open:
        assert time.monotonic() < ends, "the export is not finished"
        time.sleep(0.3)
        browser.get(world.address("expenses/receipts/rows/"), headers={"HX-Request": "true"})
    job = ReceiptsJob.objects.get(membership=world.people[person])
    return browser.get(world.address(f"expenses/receipts/{job.pk}/file/"))


def test_the_archive_holds_the_receipts_and_its_list(world: World) -> None:
    world.sandbox("expenses", count=3, employee_ids=[world.employee("Carla")["employee_id"]])
    answer = collected(world, "Ada")
    assert answer["Content-Type"] == "application/zip"
    names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    assert "manifest.csv" in names
    assert len(names) > 1
    assert "Download" in world.client("Ada").get(world.address("expenses/receipts/")).content.decode()


def test_somebody_elses_export_is_not_there(world: World) -> None:
    collected(world, "Ada")
    job = ReceiptsJob.objects.get(membership=world.people["Ada"])
    assert world.client("Sam").get(world.address(f"expenses/receipts/{job.pk}/file/")).status_code == 404


def test_a_card_user_has_no_such_page_and_nothing_is_sent(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    before = len(proxied_world.proxy.sent())
    browser = proxied_world.client("Carla")
    assert browser.post(proxied_world.address("expenses/receipts/"), FORM).status_code == 403
    assert "expenses/receipts" not in browser.get(proxied_world.address("expenses/")).content.decode()
    assert len(proxied_world.proxy.sent()) == before


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"until": "2025-12-31"}, "before the start date"),
        ({"since": "2024-01-01"}, "At most one year"),
        ({"since": "2026-02-30"}, "valid date"),
        ({"team": "no-such"}, "valid choice"),
    ],
)
def test_what_makes_no_sense_is_told_beside_the_field(world: World, changed: dict[str, str], sentence: str) -> None:
    answer = world.client("Ada").post(world.address("expenses/receipts/"), FORM | changed)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not ReceiptsJob.objects.filter(business=world.business).exists()


def test_the_days_stay_when_the_service_does_not_answer(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("lost reply", method="POST", path="receipts")
    form = FORM | {"since": "2026-03-04", "format": "PDF", "key": "of-the-form"}
    answer = proxied_world.client("Ada").post(proxied_world.address("expenses/receipts/"), form)
    body = answer.content.decode()
    assert answer.status_code == 504
    assert 'value="2026-03-04"' in body
    assert 'value="PDF" selected' in body
    assert 'value="of-the-form"' in body
    assert "Send it again as it stands" in body
    proxied_world.proxy.heal()
    assert proxied_world.client("Ada").post(proxied_world.address("expenses/receipts/"), form).status_code == 302
