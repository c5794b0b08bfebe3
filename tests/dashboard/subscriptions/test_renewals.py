"""Renewals: the last day to act from notice and next renewal, reminded of once; the checklist of a cancellation, its real
steps at the service, and charges after it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.audit.models import AuditEntry
from dashboard.mirror.mappers.vendors import NEVER
from dashboard.mirror.models import Card, Subscription
from dashboard.notifications.models import Notice
from dashboard.renewals.deadlines import deadline_of
from dashboard.renewals.models import Cancellation, CancellationStep, RenewalTerms
from dashboard.renewals.reminders import remind
from dashboard.times import local, today_of
from tests.dashboard.cards.conftest import give_card
from tests.dashboard.conftest import World
from tests.dashboard.subscriptions.test_subscriptions import added, page, upstream, words


class Clock:
    """A business of which the days alone count."""

    time_zone = "Africa/Nairobi"


def terms(world: World, row: Subscription, who: str = "Ada", **form: str) -> Any:
    values = {"notice_days": "30", "remind_days": "7", "renews_on": "", "term_months": ""}
    return world.client(who).post(world.address(f"subscriptions/{row.remote_id}/terms/"), values | form)


def act_by_in(world: World, row: Subscription, days: int) -> date:
    """Terms under which the last day to act is so many days ahead, with a reminder a week before; the day."""
    act_by = today_of(world.business) + timedelta(days=days)
    renews = (act_by + timedelta(days=30)).isoformat()
    assert terms(world, row, renews_on=renews, term_months="12").status_code == 302
    return act_by


def step(world: World, row: Subscription, name: str, who: str = "Ada", **form: str) -> Any:
    address = world.address(f"subscriptions/{row.remote_id}/cancellation/{name}/")
    return world.client(who).post(address, {f"{name}-{field}": value for field, value in form.items()})


def reminded(world: World) -> int:
    remind()
    return Notice.objects.filter(business=world.business, topic="renewals").count()


def steps_of(world: World) -> list[tuple[str, str]]:
    rows = CancellationStep.objects.filter(cancellation__business=world.business).order_by("pk")
    return list(rows.values_list("name", "cancellation__state"))


def start(world: World, row: Subscription, who: str = "Ada") -> Any:
    return world.client(who).post(world.address(f"subscriptions/{row.remote_id}/cancellation/start/"))


def withdraw(world: World, row: Subscription, reason: str = "Again") -> Any:
    address = world.address(f"subscriptions/{row.remote_id}/cancellation/withdraw/")
    return world.client("Ada").post(address, {"reason": reason}, follow=True)


def monthly(world: World, card: Card) -> list[int]:
    limits = world.upstream(f"/cards/{card.remote_id}")["controls"]["limits"]
    return [limit["amount"] for limit in limits if limit["interval"] == "PER_MONTH"]


def on_card(world: World) -> tuple[Subscription, Card]:
    card = give_card(world, "Carla")
    return added(world, employee_id=world.employee("Carla")["employee_id"], card_id=card.remote_id), card


@given(
    notice=st.integers(0, 730),
    frequency=st.sampled_from(["WEEKLY", "MONTHLY", "QUARTERLY", "ANNUAL"]),
    ahead=st.integers(-400, 400),
    term=st.sampled_from([None, 1, 3, 6, 12, 24, 36]),
)
def test_the_last_day_is_never_past_and_as_many_days_ahead_of_a_renewal_as_the_notice(
    notice: int, frequency: str, ahead: int, term: int | None
) -> None:
    today = today_of(Clock())  # type: ignore[arg-type]
    start_on = today + timedelta(days=ahead)
    moment = timezone.now() + timedelta(days=ahead)
    row = Subscription(billing_frequency=frequency, next_charge_at=moment, last_charge_at=None)
    contract = {"renews_on": start_on, "term_months": term} if term else {}
    found = deadline_of(RenewalTerms(notice_days=notice, remind_days=7, **contract), row, Clock())  # type: ignore[arg-type]
    assert found is not None
    assert found.act_by >= today
    assert found.renewal_on - found.act_by == timedelta(days=max(1, notice))
    assert found.renewal_on >= start_on


def test_the_last_day_is_the_first_that_can_still_be_met() -> None:
    today = today_of(Clock())  # type: ignore[arg-type]
    row = Subscription(billing_frequency="WEEKLY", next_charge_at=timezone.now() + timedelta(days=3))
    found = deadline_of(RenewalTerms(notice_days=5, remind_days=1), row, Clock())  # type: ignore[arg-type]
    assert found is not None
    assert (found.act_by, found.renewal_on) == (today + timedelta(days=5), today + timedelta(days=10))
    row.next_charge_at = datetime(NEVER.year, 1, 1, tzinfo=timezone.now().tzinfo)
    assert deadline_of(RenewalTerms(notice_days=5, remind_days=1), row, Clock()) is None  # type: ignore[arg-type]


def test_terms_stand_on_the_item_in_the_list_and_in_the_audit(world: World) -> None:
    row = added(world)
    act_by = act_by_in(world, row, 12)
    shown = f"{act_by.day} {act_by:%b %Y}"
    item = words(world.client("Ada").get(world.address(f"subscriptions/{row.remote_id}/")))
    assert f"{shown} (in 12 days)" in item
    assert shown in words(world.client("Selma").get(world.address("subscriptions/")))
    entry = AuditEntry.objects.get(chain=world.business.pk, operation="renewal_terms")
    assert entry.after == {
        "notice_days": "30", "remind_days": "7", "renews_on": (act_by + timedelta(days=30)).isoformat(),
        "term_months": "12",
    }  # fmt: skip
    assert "Last day to cancel" in page(world.client("Ada").get(world.address("subscriptions/")))


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("notice_days", "731"), ("notice_days", "-1"), ("notice_days", "٣"), ("remind_days", "366"),
        ("renews_on", "2026-13-01"), ("renews_on", "2027-01-01"), ("term_months", "12"), ("term_months", "5"),
    ],
)  # fmt: skip
def test_terms_that_are_wrong_are_refused_at_their_field(world: World, field: str, typed: str) -> None:
    row = added(world)
    answer = terms(world, row, **{field: typed})
    assert answer.status_code == 422
    other = {"renews_on": "term_months", "term_months": "renews_on"}
    # A day without a term is told beside the term, and the other way round.
    named = other[field] if typed in ("2027-01-01", "12") and field in other else field
    assert f'id="id_{named}_error"' in page(answer)
    assert not RenewalTerms.objects.filter(business=world.business).exists()


def test_the_owner_and_the_admins_are_reminded_once_and_on_home(world: World) -> None:
    row = added(world, employee_id=world.employee("Carla")["employee_id"])
    act_by_in(world, row, 5)
    remind()
    remind()
    notices = Notice.objects.filter(business=world.business, topic="renewals")
    names = [name.split()[0] for name in notices.values_list("membership__user__name", flat=True)]
    assert sorted(names) == sorted(set(names))
    assert {"Ada", "Abel", "Sam", "Selma", "Carla"} >= set(names) >= {"Ada", "Selma", "Carla"}
    assert notices.filter(sentence__contains="The last day to cancel it is in 5 days").count() == notices.count()
    # A card user may not open subscriptions: there is no way to it in what they are told.
    assert notices.get(membership=world.people["Carla"]).kind == ""
    assert notices.get(membership=world.people["Ada"]).kind == "subscription"
    for who, reminded in (("Ada", True), ("Carla", True), ("Rita", False), ("Apollo", False)):
        home = page(world.client(who).get(world.address("home/exceptions/")))
        assert ("Drive renews on" in home) is reminded


def test_nobody_is_reminded_before_the_chosen_days_nor_once_the_vendor_knows(world: World) -> None:
    row = added(world)
    act_by_in(world, row, 8)
    assert reminded(world) == 0
    act_by_in(world, row, 7)
    start(world, row)
    assert step(world, row, "vendor", by="Ada", on=today_of(world.business).isoformat(), how="Email").status_code == 302
    assert reminded(world) == 0
    withdrawn = world.address(f"subscriptions/{row.remote_id}/cancellation/withdraw/")
    assert world.client("Ada").post(withdrawn, {"reason": ""}).status_code == 422
    assert world.client("Ada").post(withdrawn, {"reason": "Still needed"}).status_code == 302
    assert reminded(world) > 0


def test_the_checklist_blocks_the_card_ends_the_subscription_and_says_who_did_it(world: World) -> None:
    row, card = on_card(world)
    assert start(world, row).status_code == 302
    assert step(world, row, "end").status_code == 409
    assert upstream(world, row)["status"] == "ACTIVE"
    today = today_of(world.business)
    assert step(world, row, "vendor", by="Abel", on=today.isoformat(), how="Ticket 4711").status_code == 302
    assert step(world, row, "block").status_code == 302
    assert world.upstream(f"/cards/{card.remote_id}")["status"] == "BLOCKED"
    until = today + timedelta(days=10)
    assert step(world, row, "charge", is_expected="on", until=until.isoformat()).status_code == 302
    assert step(world, row, "end").status_code == 302
    assert upstream(world, row)["status"] == "PAUSED"
    live = Cancellation.objects.get(business=world.business, subscription_id=row.remote_id)
    assert (live.state, live.charges_until) == ("ENDED", until)
    assert [name for name, _ in steps_of(world)] == ["VENDOR_NOTIFIED", "CARD_STOPPED", "LAST_CHARGE", "ENDED"]
    checklist = words(world.client("Ada").get(world.address(f"subscriptions/{row.remote_id}/cancellation/")))
    assert "Abel told the vendor on" in checklist
    assert "Ticket 4711" in checklist
    assert checklist.count("Done") == 4
    sentences = AuditEntry.objects.filter(chain=world.business.pk, operation="cancel_subscription")
    assert sentences.count() == 5
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="block_card", outcome="DONE").exists()
    # A step is done once.
    assert step(world, row, "block").status_code == 409
    assert step(world, row, "vendor", by="Ada", on=today.isoformat()).status_code == 409


def test_the_limit_of_the_card_is_lowered_at_the_service_and_never_raised(world: World) -> None:
    row, card = on_card(world)
    start(world, row)
    for typed in ("0", "-1", "1,5,0", "0.001"):
        assert step(world, row, "limit", amount=typed).status_code == 422
    assert step(world, row, "limit", amount="10").status_code == 302
    limits = world.upstream(f"/cards/{card.remote_id}")["controls"]["limits"]
    assert [limit["amount"] for limit in limits if limit["interval"] == "PER_MONTH"] == [1000]
    assert monthly(world, card) == [1000]
    withdraw(world, row)
    start(world, row)
    above = step(world, row, "limit", amount="20")
    assert above.status_code == 422
    assert "below that already" in page(above)
    assert steps_of(world) == [("CARD_STOPPED", "WITHDRAWN")]


def test_a_charge_after_the_cancellation_is_shown_and_told_once(world: World) -> None:
    row = added(world)
    start(world, row)
    yesterday = today_of(world.business) - timedelta(days=1)
    assert step(world, row, "charge", until=yesterday.isoformat()).status_code == 302
    assert not Notice.objects.filter(business=world.business, topic="renewals").exists()
    carla = world.employee("Carla")["employee_id"]
    give_card(world, "Carla")
    world.sandbox("swipe", employee_id=carla, amount=1500, merchant="Cloud Co", settle=True)
    world.sync()
    world.sync()
    notices = Notice.objects.filter(business=world.business, topic="renewals")
    assert notices.filter(membership=world.people["Ada"]).count() == 1
    notice = notices.get(membership=world.people["Ada"])
    assert notice.sentence.startswith("Drive was charged on")
    item = words(world.client("Ada").get(world.address(f"subscriptions/{row.remote_id}/")))
    assert "After the last expected charge" in item
    assert "After cancellation" not in item
    # It is not cancelled yet, and nobody is told that it is.
    said = f"though it is being cancelled and no charge was expected after {yesterday.day} {yesterday:%b %Y}"
    assert said in notice.sentence
    attention = words(world.client("Ada").get(world.address("subscriptions/attention/")))
    assert said in attention
    Cancellation.objects.filter(business=world.business).update(state="ENDED")
    attention = words(world.client("Ada").get(world.address("subscriptions/attention/")))
    assert said.replace("being ", "") in attention
    row.refresh_from_db()
    assert row.last_charge_at is not None
    assert local(row.last_charge_at, world.business).date() > yesterday


@pytest.mark.parametrize("who", ["Rita", "Selma", "Carla"])
def test_whoever_may_not_change_it_cancels_nothing(world: World, who: str) -> None:
    row = added(world, employee_id=world.employee("Rita")["employee_id"])
    assert start(world, row, who).status_code == 403
    assert terms(world, row, who).status_code == 403
    start(world, row)
    assert step(world, row, "none", who, reason="Invoice").status_code == 403
    assert not steps_of(world)
    if who != "Carla":
        assert "Cancel subscription" not in page(
            world.client(who).get(world.address(f"subscriptions/{row.remote_id}/"))
        )


def test_a_step_of_another_name_or_of_nothing_is_refused(world: World) -> None:
    row = added(world)
    assert step(world, row, "none", reason="Invoice").status_code == 409
    start(world, row)
    assert start(world, row).status_code == 302
    assert Cancellation.objects.filter(business=world.business).count() == 1
    assert step(world, row, "block").status_code == 409
    assert step(world, row, "nothing").status_code == 404
    assert step(world, row, "vendor", by="Ada", on="2999-01-01").status_code == 422
    assert step(world, row, "none", reason="Paid by invoice").status_code == 302
