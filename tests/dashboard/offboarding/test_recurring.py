"""What comes again by itself is among what somebody leaves behind; and the offboardings that are open are listed."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.offboarding import services
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.top_ups.models import TopUp
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.offboarding.conftest import begin, held, id_of, job_of, started, states, work
from tests.dashboard.pages.conftest import House, make_house
from tests.dashboard.people.conftest import shown
from tests.days import business_day


def schedule(world: World, by: str = "Apollo") -> str:
    """A recurring bill that somebody has added at the service; its id."""
    vendor = upstream.vendor(world, f"Landlord {uuid.uuid4().hex[:6]}")
    body = {
        "number_prefix": "RENT", "vendor_id": vendor["_id"], "currency": "KES", "interval": "MONTHLY", "day": 28,
        "starts_on": business_day(20).isoformat(),
        "line_items": [{"description": "Rent", "qty": 1, "unit_price": 85000}],
    }  # fmt: skip
    row = world.send("POST", "/bill-schedules", body, {"X-Acting-Employee": id_of(world, by)})
    return str(row["_id"])


def status_of(world: World, schedule_id: str) -> str:
    return str(world.upstream(f"/bill-schedules/{schedule_id}")["status"])


def top_up(world: World, name: str, by: str) -> TopUp:
    wallet = next(row["org_wallet_ref"] for row in world.upstream("/accounts")["docs"] if row["currency"] == "KES")
    return TopUp.objects.create(
        business=world.business, employee_id=id_of(world, name), employee_name=name, currency="KES",
        org_wallet_ref=wallet, target_minor=100_000, interval="MONTHLY", day=28,
        next_on=business_day(40), by=world.people[by], key=uuid.uuid4().hex,
    )  # fmt: skip


def titles(world: World, kind: str) -> dict[str, list[str]]:
    return {row.remote_id: [choice.name for choice in row.choices] for row in held(world, "Apollo") if row.kind == kind}


def test_recurring_bills_of_the_leaver_are_listed_and_left_unless_one_says_otherwise(world: World) -> None:
    own, others = schedule(world), schedule(world, "Zawadi")
    assert titles(world, "bill_schedule") == {own: ["keep", "pause", "end"]}
    started(world)
    work(world)
    assert [now for name, now in states(world).items() if "bill_schedule keep" in name] == ["DONE"]
    assert (status_of(world, own), status_of(world, others)) == ("ACTIVE", "ACTIVE")


@pytest.mark.parametrize(("action", "becomes"), [("pause", "PAUSED"), ("end", "ENDED")])
def test_they_are_paused_or_ended_where_that_is_chosen(world: World, action: str, becomes: str) -> None:
    own = schedule(world)
    answer = begin(world, **{f"bill_schedule-{own}-action": action})
    assert answer.status_code == 302, shown(answer)
    work(world)
    assert status_of(world, own) == becomes
    assert [now for name, now in states(world).items() if f"bill_schedule {action}" in name] == ["DONE"]


def test_top_ups_of_the_leaver_end_and_those_in_their_name_go_on_in_an_approvers(world: World) -> None:
    own, carlas, others = (
        top_up(world, "Apollo", "Zawadi"),
        top_up(world, "Carla", "Apollo"),
        top_up(world, "Rita", "Zawadi"),
    )
    assert titles(world, "top_up") == {str(own.pk): ["end"], str(carlas.pk): ["take_over", "end"]}
    started(world)
    work(world)
    # An admin allocates nothing: both wait for an approver.
    waiting = {name.split(" ", 1)[1]: now for name, now in states(world).items() if "top_up" in name}
    assert waiting == {"top_up end": "FOR_ANOTHER", "top_up take_over": "FOR_ANOTHER"}
    assert services.go_on(world.actor("Zawadi"), job_of(world))
    work(world)
    for row in (own, carlas, others):
        row.refresh_from_db()
    assert (own.state, carlas.state, others.state) == ("ENDED", "ACTIVE", "ACTIVE")
    assert carlas.by == world.people["Zawadi"]
    assert AuditEntry.objects.filter(
        chain=world.business.pk, sentence__startswith="changed the recurring top-up of Carla"
    ).exists()


def test_what_was_taken_over_meanwhile_is_not_taken_again(world: World) -> None:
    carlas = top_up(world, "Carla", "Apollo")
    started(world)
    TopUp.objects.filter(pk=carlas.pk).update(by=world.people["Juma"])
    services.go_on(world.actor("Zawadi"), job_of(world))
    work(world)
    carlas.refresh_from_db()
    assert carlas.by == world.people["Juma"]
    assert [now for name, now in states(world).items() if "take_over" in name] == ["DONE"]


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def leaving(house: House, name: str, state: str, kind: str = "card", action: str = "close") -> Offboarding:
    """An offboarding of two steps, of which the second is in this state."""
    job = Offboarding.objects.create(
        business=house.business, employee_id=house.employee_id(name), employee_name=name,
        started_by=house.people["Ada"], key=uuid.uuid4().hex,
    )  # fmt: skip
    for number, now in ((1, "DONE"), (2, state)):
        OffboardingStep.objects.create(
            offboarding=job, number=number, kind=kind, action=action, remote_id="c1", title="Card",
            by=house.people["Ada"], state=now,
        )  # fmt: skip
    return job


def listed(house: House, name: str) -> str:
    return shown(house.browser(name).get(house.address("people/offboardings/")))


@pytest.mark.parametrize(
    ("state", "kind", "action", "left"),
    [("REFUSED", "card", "close", "1 step for you"), ("FOR_ANOTHER", "top_up", "end", "Needs another role"),
     ("PROPOSED", "mandate", "remove", "Waiting for a second admin"), ("WAITING", "card", "close", "In progress"),
     ("DONE", "card", "close", "In progress")],
)  # fmt: skip
def test_an_open_offboarding_is_listed_with_what_is_left(
    house: House, state: str, kind: str, action: str, left: str
) -> None:
    job = leaving(house, "Rita", state, kind, action)
    page = listed(house, "Ada")
    assert house.address(f"people/offboarding/{job.pk}/") in page
    assert left in page
    assert "Rita" in listed(house, "Apollo")
    assert house.address("people/offboardings/") in shown(house.browser("Ada").get(house.address("people/")))


def test_a_finished_one_and_those_of_others_are_not_listed(house: House) -> None:
    Offboarding.objects.filter(pk=leaving(house, "Rita", "DONE").pk).update(finished_at=timezone.now())
    leaving(make_house(), "Carla", "WAITING")
    assert "No open offboardings" in listed(house, "Ada")
    for name in ("Carla", "Rita"):
        assert house.browser(name).get(house.address("people/offboardings/")).status_code == 403
