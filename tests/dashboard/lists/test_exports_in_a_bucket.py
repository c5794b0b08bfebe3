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


def away(settings: Any) -> None:
    """From here on the store does not answer: nobody listens there."""
    settings.STORAGES = {**settings.STORAGES, "exports": bucket("s3://a:b@files?endpoint=http://127.0.0.1:9&region=x")}


def test_an_export_waits_for_a_store_that_is_away_and_the_page_says_so(
    kept_house: House, store: Store, settings: Any
) -> None:
    there = settings.STORAGES
    away(settings)
    assert ask(kept_house, "Ada").status_code == 302
    export = Export.objects.get(business=kept_house.business)
    assert (export.state, export.file) == (ExportState.QUEUED, "")
    page = kept_house.browser("Ada").get(kept_house.address("exports/")).content.decode()
    assert "The store of files cannot be reached right now. It is tried again within two minutes." in page
    settings.STORAGES = there
    assert exports.run(export.pk)
    assert len(store.names()) == 1
    away(settings)
    answer = kept_house.browser("Ada").get(kept_house.address(f"exports/{export.pk}/file/"))
    assert answer.status_code == 503
    assert "The store of files cannot be reached right now." in answer.content.decode()


def test_a_file_that_is_not_deleted_stays_known_and_is_deleted_later(
    kept_house: House, store: Store, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for form in ("csv", "xlsx"):
        ask(kept_house, "Ada", form=form)
    old = Export.objects.filter(business=kept_house.business)
    old.update(finished_at=timezone.now() - timedelta(hours=49))
    first = old.get(form="csv")
    real = storages["exports"].delete

    def fails_for_the_first(name: str) -> None:
        if name == first.file:
            raise OSError("away")
        real(name)

    monkeypatch.setattr(storages["exports"], "delete", fails_for_the_first)
    exports.forget_old()
    assert {row.form: row.state for row in old} == {"csv": ExportState.DONE, "xlsx": ExportState.EXPIRED}
    monkeypatch.undo()
    exports.forget_old()
    assert (store.names(), set(old.values_list("state", flat=True))) == ([], {ExportState.EXPIRED})
