"""Exports in a store that speaks S3: the owner's alone there, handed out by our own view, gone after 48 hours."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import storages
from django.utils import timezone

from config.settings.base import bucket
from dashboard.lists import exports
from dashboard.lists.models import Export, ExportState
from tests.dashboard.lists.test_exports import ask, content
from tests.dashboard.pages.conftest import House
from tests.s3_store import PREFIX, Store, running_store


@pytest.fixture
def store(settings: Any, kept_house: House) -> Iterator[Store]:
    with running_store() as running:
        settings.STORAGES = {**settings.STORAGES, "exports": bucket(running.url)}
        yield running


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_an_export_is_written_handed_out_and_forgotten(kept_house: House, store: Store, form: str) -> None:
    kept_house.expense(merchant="Shell Westlands")
    answer = ask(kept_house, "Ada", form=form)
    body = content(answer)
    [name] = store.names()
    assert name.startswith(f"{PREFIX}/{kept_house.business.pk}/expenses-")
    assert (store.content(name), store.readers(name)) == (body, {"CanonicalUser"})
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert "no-store" in answer["Cache-Control"]
    export = Export.objects.get(business=kept_house.business)
    assert export.size == len(body)
    address = kept_house.address(f"exports/{export.pk}/file/")
    again = kept_house.browser("Ada").get(address)
    assert content(again) == body
    assert kept_house.browser("Sam").get(address).status_code == 404
    Export.objects.filter(pk=export.pk).update(finished_at=timezone.now() - timedelta(hours=49))
    assert exports.forget_old() >= 1
    export.refresh_from_db()
    assert (store.names(), export.state) == ([], ExportState.EXPIRED)


def test_there_is_no_address_that_could_be_passed_on(store: Store) -> None:
    with pytest.raises(NotImplementedError):
        storages["exports"].url("file.csv")
