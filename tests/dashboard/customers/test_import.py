"""Customers from a file: every row checked before any is sent; all of them come in, or none."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.errors import Conflict, Unavailable
from dashboard.lists import imports
from dashboard.lists.imports import IMPORTERS
from dashboard.lists.models import Import
from dashboard.mirror.models import Customer
from dashboard.pages.customers import services
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House, house

__all__ = ["house"]
GOOD = (
    "Name,Phone,E-mail,Tax PIN\nMary Otieno,254700000001,mary@example.com,A001\n=SUM(1),,,\nZoë Café,+254700000002,,\n"
)


def upload(world: World | House, text: str | bytes, person: str = "Ada") -> Any:
    browser = world.client(person) if isinstance(world, World) else world.browser(person)
    content = text.encode() if isinstance(text, str) else text
    return browser.post(world.address("customers/import/"), {"file": SimpleUploadedFile("people.csv", content)})


def job_of(world: World) -> Import:
    return Import.objects.get(business=world.business)


@pytest.fixture
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.pages.customers.services.enqueue_on_commit", lambda *_, **__: None)


def begun(world: World, text: str = GOOD) -> Import:
    answer = upload(world, text)
    assert answer.status_code == 302, answer.content.decode()
    world.client("Ada").post(f"{answer['Location']}begin/")
    return job_of(world)


def test_nothing_is_sent_before_it_is_confirmed_then_all_of_them_come_in(world: World, no_queue: None) -> None:
    answer = upload(world, GOOD)
    page = world.client("Ada").get(answer["Location"]).content.decode()
    assert "Add all 3" in page
    assert not Customer.objects.filter(business=world.business).exists()
    job = job_of(world)
    assert imports.run(job.pk) is False
    world.client("Ada").post(f"{answer['Location']}begin/")
    assert imports.run(job.pk)
    names = {row["name"] for row in world.upstream("/customers")["docs"]}
    assert names == {"Mary Otieno", "=SUM(1)", "Zoë Café"}
    assert "3 customers added" in world.client("Ada").get(answer["Location"]).content.decode()
    assert imports.run(job.pk) is False


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "file is empty"), ("phone\n2547\n", "first line names the columns"),
        ("name\n", "no rows"), (b"name\n\xff\xfe", "UTF-8"), ("name\n" + "x\n" * 2001, "At most 2,000"),
        (b"name\n" + b"x" * 1_100_000, "larger than 1 MB"), ("name,phone\nMary,call me\n", "phone number"),
        ("name,email\n,mary@example.com\n", "required"),
        ("name,phone\nMary,254700000001\nMary again,+254700000001\n", "the same phone as row 2"),
        ("name,email\nA,a@example.com\nB,A@example.com\n", "the same email as row 2"),
        ("name,phone,mobile\nMary,254700000001,\n", "both say “phone”"),
        ("name,address\nMary,Moi Ave, Nairobi\n", "more cells than columns"),
        ("name,phone\nMary,0700 000 001\nMary again,+254700000001\n", "the same phone as row 2"),
        ("name\nMary\n\u200b\n", "is blank"), ("name\nMary\x07\n", "control character"),
        ('name\n"Mary\nOtieno"\n', "control character"), ("name,contact\nMary,\u3164\n", "is blank"),
        ("name,address\nMary,Moi Ave\x1b[2J\n", "control character"), ("name\nMary\x00\n", "control character"),
    ],
)  # fmt: skip
def test_what_is_wrong_stands_beside_its_row_and_nothing_is_kept(house: House, text: str | bytes, said: str) -> None:
    answer = upload(house, text)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Import.objects.filter(business=house.business).exists()


def test_semicolons_and_columns_of_other_kinds_are_understood(house: House) -> None:
    file = SimpleUploadedFile("people.csv", b"Colour;Customer;Mobile\nred;Mary;254700000001\n")
    page = house.browser("Ada").post(house.address("customers/import/"), {"file": file}, follow=True).content.decode()
    assert "no such field: Colour." in page
    assert Import.objects.get(business=house.business).rows == [{"name": "Mary", "phone": "254700000001"}]


def test_who_is_there_already_is_named(world: World) -> None:
    world.send("POST", "/customers", {"name": "Mary Otieno", "phone": "254700000001"})
    world.sync("customers")
    assert "Mary Otieno has this phone already" in upload(world, "name,phone\nM,+254700000001\n").content.decode()


def test_a_row_that_the_service_refuses_takes_all_back(
    world: World, no_queue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = begun(world)
    # What no check of ours knows of: the service's own rule, reached by a body that it refuses.
    job.rows[2] = {"name": "Zoë", "phone": "not a phone"}
    job.save()
    assert imports.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.made) == ("FAILED", {})
    # As its row stands in the file, under the line of the columns; and in the service's words with the request.
    assert re.match(r"Row 4: .+\(request \S+\)$", job.trouble)
    assert world.upstream("/customers")["total"] == 0
    assert world.upstream("/customers?status=DELETED")["total"] == 2


def test_after_a_crash_it_goes_on_and_sends_nothing_twice(
    world: World, no_queue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, calls = begun(world), []

    def dies_after_sending(actor: Any, body: dict[str, Any], key: str) -> str:
        made = services.create_row(actor, body, key)
        calls.append(key)
        if len(calls) == 2:
            raise Unavailable("the worker is gone")
        return made

    importer = IMPORTERS["customers"]
    dying = imports.Importer(importer.operation, importer.noun, dies_after_sending, importer.undo)
    monkeypatch.setitem(IMPORTERS, "customers", dying)
    assert imports.run(job.pk) is False
    monkeypatch.setitem(IMPORTERS, "customers", importer)
    Import.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert str(job.pk) in imports.lost()
    assert imports.run(job.pk)
    assert world.upstream("/customers")["total"] == 3


@pytest.fixture
def half_made(world: World, no_queue: None, monkeypatch: pytest.MonkeyPatch) -> Import:
    """An import of which two rows are made, and the service was away for the third."""
    job, importer = begun(world), IMPORTERS["customers"]

    def stops_at_the_third(actor: Actor, body: dict[str, Any], key: str) -> str:
        if key.endswith("-3"):
            raise Unavailable("the service is away")
        return services.create_row(actor, body, key)

    with monkeypatch.context() as away:
        away.setitem(IMPORTERS, "customers", replace(importer, create=stops_at_the_third))
        assert imports.run(job.pk) is False
    Import.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    return job_of(world)


@pytest.mark.parametrize("state", ["RUNNING", "UNDOING"])
def test_when_the_membership_ends_midway_it_ends_with_saying_what_stands(
    world: World, half_made: Import, state: str
) -> None:
    Import.objects.filter(pk=half_made.pk).update(state=state)
    membership = world.people["Ada"]
    Membership.objects.filter(pk=membership.pk).update(is_active=False)
    assert imports.run(half_made.pk)
    job = job_of(world)
    assert (job.state, job.lease_id, sorted(job.made)) == ("LEFT", None, ["1", "2"])
    assert str(job.pk) not in imports.lost()
    assert imports.run(job.pk) is False
    assert world.upstream("/customers")["total"] == 2
    line = AuditEntry.objects.filter(chain=world.business.pk).latest("id")
    assert line.sentence == "imported 2 of 3 customers from people.csv, which was not undone"
    assert "Your access to this business has ended. What stands is of the rows 2, 3 of the file." in line.reason
    Membership.objects.filter(pk=membership.pk).update(is_active=True)
    page = world.client("Ada").get(world.address(f"customers/import/{job.pk}/")).content.decode()
    assert "2 of 3 customers were added and were not removed again." in page
    assert "Row 2: Mary Otieno" in page


def test_a_row_of_which_no_answer_came_is_named_when_nobody_can_ask_again(world: World, half_made: Import) -> None:
    # Its worker died between the service's answer and noting the row.
    Import.objects.filter(pk=half_made.pk).update(made={"1": half_made.made["1"]})
    Membership.objects.filter(pk=world.people["Ada"].pk).update(is_active=False)
    assert imports.run(half_made.pk)
    job = job_of(world)
    assert job.state == "LEFT"
    assert "Row 3 was sent, but no answer came back" in job.trouble


def test_a_row_that_cannot_be_taken_back_stands_and_the_others_go(
    world: World, half_made: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    importer = IMPORTERS["customers"]

    def keeps_the_second(actor: Actor, made: str, key: str) -> None:
        if key.endswith("-2"):
            raise Conflict("It has a bill.")
        importer.undo(actor, made, key)

    monkeypatch.setitem(IMPORTERS, "customers", replace(importer, undo=keeps_the_second))
    Import.objects.filter(pk=half_made.pk).update(state="UNDOING")
    assert imports.run(half_made.pk)
    job = job_of(world)
    assert (job.state, sorted(job.made)) == ("LEFT", ["2"])
    assert "Row 3 cannot be removed: It has a bill." in job.trouble
    assert [row["name"] for row in world.upstream("/customers")["docs"]] == ["=SUM(1)"]


def test_a_reviewer_imports_nothing(house: House) -> None:
    assert upload(house, GOOD, "Rita").status_code == 403


def test_a_name_that_the_service_would_refuse_is_refused_at_its_row_before_anything_is_sent(
    proxied_world: World, no_queue: None
) -> None:
    assert proxied_world.proxy is not None
    before = len(proxied_world.proxy.sent())
    answer = upload(proxied_world, "name,phone\nMary,0700 000 001\n\u200b\u200d,0700000002\nZoe\u0301,0700000003\n")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "<td>3</td>" in page or ">3<" in page
    assert "is blank" in page
    assert len(proxied_world.proxy.sent()) == before
    assert not Import.objects.filter(business=proxied_world.business).exists()


def test_rows_are_sent_as_they_were_checked_in_one_form_of_text_and_of_telephone_numbers(
    world: World, no_queue: None
) -> None:
    begun(world, "name,phone\nZoe\u0301, 0712 345 678 \n")
    assert imports.run(job_of(world).pk)
    made = world.upstream("/customers")["docs"][0]
    assert (made["name"], made["phone"]) == ("Zo\xe9", "254712345678")


class Killed(BaseException):
    """The worker ends here, as by kill -9."""


def test_a_row_that_a_lost_worker_had_made_is_not_denied_by_who_takes_over(
    proxied_world: World, no_queue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, real = proxied_world, services.create_row
    assert world.proxy is not None
    job = begun(world)

    def killed(actor: Actor, body: dict[str, Any], key: str) -> str:
        made = real(actor, body, key)
        if body["name"].startswith("=SUM"):
            raise Killed
        return made

    monkeypatch.setitem(IMPORTERS, "customers", replace(IMPORTERS["customers"], create=killed))
    with pytest.raises(Killed):
        imports.run(job.pk)
    monkeypatch.setitem(IMPORTERS, "customers", replace(IMPORTERS["customers"], create=real))
    lost(job)
    world.proxy.fail("lost reply", method="POST", path="/customers")
    imports.run(job.pk)
    job.refresh_from_db()
    assert job.state == "RUNNING", job.trouble
    world.proxy.heal()
    lost(job)
    assert imports.run(job.pk)
    job.refresh_from_db()
    assert job.state == "DONE"
    assert len(world.upstream("/customers")["docs"]) == 3


def test_what_was_made_and_never_noted_is_named_when_it_is_taken_back(
    world: World, no_queue: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, real = begun(world), services.create_row

    def killed(actor: Actor, body: dict[str, Any], key: str) -> str:
        real(actor, body, key)
        raise Killed

    monkeypatch.setitem(IMPORTERS, "customers", replace(IMPORTERS["customers"], create=killed))
    with pytest.raises(Killed):
        imports.run(job.pk)
    Import.objects.filter(pk=job.pk).update(state="UNDOING")
    lost(job)
    imports.run(job.pk)
    job.refresh_from_db()
    assert [row["name"] for row in world.upstream("/customers")["docs"]] == ["Mary Otieno"]
    assert (job.state, "Row 2 was sent" in job.trouble) == ("LEFT", True), job.trouble


def lost(job: Import) -> None:
    """Nobody has been at it for long."""
    Import.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=3))
