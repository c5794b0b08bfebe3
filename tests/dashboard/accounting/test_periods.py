"""Periods: a checklist whose figures are those of the lists it leads to, closed by one admin and reopened by another."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict

from dashboard.audit.models import AuditEntry
from dashboard.lists.registry import find
from dashboard.lists.totals import totals_of
from dashboard.mirror.apply import upsert_expenses
from dashboard.pages.accounting.forms import CloseForm
from dashboard.pages.accounting.presenters.periods import checklist
from dashboard.pages.accounting.selectors.periods import (
    counted_items,
    period_of,
)
from tests.dashboard.conftest import World


def page(answer: Any) -> str:
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))
    return text.replace("\xa0", " ").replace("&#x27;", "'")


def now(world: World) -> str:
    return str(world.upstream("/accounting/periods")["docs"][0]["period"])


def month_before(period: str) -> str:
    year, month = (int(part) for part in period.split("-"))
    return f"{year - (month == 1)}-{(month - 2) % 12 + 1:02d}"


def spend(world: World, count: int = 2) -> list[dict[str, Any]]:
    carla = world.employee("Carla")["employee_id"]
    made: list[dict[str, Any]] = world.sandbox("expenses", count=count, employee_ids=[carla])["expenses"]
    upsert_expenses(world.business, made, "FEED")
    world.sync()
    return made


def test_each_figure_is_the_total_of_the_list_that_it_leads_to(world: World) -> None:
    spend(world, 3)
    apollo = world.client("Apollo")
    period = now(world)
    shown = apollo.get(world.address(f"accounting/{period}/")).content.decode()
    actor = world.actor("Apollo")
    items = counted_items(actor, period_of(actor, period))
    assert [item.title for item in items] == [
        "Expenses to review", "Required receipts missing", "Transactions without a category",
        "Transactions not posted", "Transactions approved, not posted", "Payouts not finished", "Bills due and not paid",
    ]  # fmt: skip
    assert items[0].count == 3
    for item in items:
        where = urlsplit(item.address)
        listed = find(where.path.strip("/").split("/")[-1])
        assert listed is not None
        query = listed.parse(where.query)
        assert not query.refused, item
        assert totals_of(actor, query, listed.noun).count == item.count
        assert item.address.replace("&", "&amp;") in shown
        list_page = page(apollo.get(f"{where.path}totals/?{where.query}"))
        noun = listed.noun[item.count != 1]
        assert f"{item.count} {noun}" in list_page, item


def test_what_is_decided_leaves_the_checklist(world: World) -> None:
    made = spend(world, 2)
    actor, period = world.actor("Apollo"), now(world)
    before = counted_items(actor, period_of(actor, period))[0].count
    decided = world.send(
        "POST", f"/expenses/approve/{made[0]['_id']}", {},
        headers={"X-Acting-Employee": world.employee("Apollo")["employee_id"]},
    )  # fmt: skip
    upsert_expenses(world.business, [decided], "FEED")
    assert (before, counted_items(actor, period_of(actor, period))[0].count) == (2, 1)


def test_one_admin_closes_and_another_reopens(world: World) -> None:
    period = month_before(now(world))
    ada, abel = world.client("Ada"), world.client("Abel")
    address = world.address(f"accounting/{period}/")
    assert "Close period" in page(ada.get(address))
    assert ada.post(f"{address}close/", ticked(ada.get(address), "k1")).status_code == 302
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "CLOSED"

    own = page(ada.get(address))
    assert "Closed by Ada" in own
    assert "somebody else must decide" in own
    assert "id_reason" not in own
    assert ada.post(f"{address}reopen/", {"key": "k2", "reason": "Mine"}).status_code == 403
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "CLOSED"
    assert AuditEntry.objects.filter(
        chain=world.business.pk, operation="reopen_period", outcome="DENIED"
    ).exists()  # fmt: skip

    assert abel.post(f"{address}reopen/", {"key": "k3", "reason": ""}).status_code == 422
    assert abel.post(f"{address}reopen/", {"key": "k4", "reason": "A late invoice"}).status_code == 302
    shown = page(abel.get(address))
    assert "Reopened by Abel" in shown
    assert "A late invoice" in shown
    sentences = AuditEntry.objects.filter(chain=world.business.pk, outcome="DONE").values_list("sentence", flat=True)
    assert f"closed accounting period {period}" in sentences
    assert f"reopened accounting period {period}" in sentences


def seen_of(answer: Any) -> str:
    """The hash of what a form to close a period shows as open."""
    shown = re.search(r'name="seen" value="([^"]*)"', answer.content.decode())
    assert shown is not None
    return shown.group(1)


def ticked(answer: Any, key: str = "k") -> dict[str, str]:
    """The form to close a period as a browser sends it from this page, with what is open accepted."""
    return {"key": key, "accept_open_items": "on", "seen": seen_of(answer)}


def test_what_is_open_must_be_accepted(world: World) -> None:
    period = month_before(now(world))
    carla = world.employee("Carla")["employee_id"]
    made = world.sandbox("expenses", count=1, employee_ids=[carla], until=f"{period}-15T09:00:00Z")["expenses"]
    upsert_expenses(world.business, made, "FEED")
    world.sync()
    assert world.upstream(f"/accounting/periods/{period}")["undecided_expenses"] == 1
    ada, address = world.client("Ada"), world.address(f"accounting/{period}/")
    refused = ada.post(f"{address}close/", {"key": "k"})
    assert refused.status_code == 422
    assert "accept it" in page(refused)
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "OPEN"
    unseen = ada.post(f"{address}close/", {"key": "k", "accept_open_items": "on", "seen": "Expenses to review: 40"})
    assert unseen.status_code == 422
    assert "has changed since you looked" in page(unseen)
    assert " checked" not in unseen.content.decode()
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "OPEN"
    seen = seen_of(unseen)
    assert ada.post(f"{address}close/", {"key": "k", "accept_open_items": "on", "seen": seen}).status_code == 302
    accepted = AuditEntry.objects.get(chain=world.business.pk, operation="close_period", outcome="NOTED")
    assert "Expenses to review: 1" in str(accepted.after)
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "CLOSED"


def test_a_long_checklist_is_accepted_as_a_short_one() -> None:
    figures = "; ".join(f"Bank lines unmatched, Collections of branch {number}: 12" for number in range(60))
    shown = CloseForm(open_items=720, figures=figures)
    posted = QueryDict(mutable=True)
    posted.update({"accept_open_items": "on", "seen": shown["seen"].value()})
    form = CloseForm(posted, open_items=720, figures=figures)
    assert form.is_valid(), form.errors
    assert form.accepted() == figures


def test_whoever_ticked_nothing_has_accepted_nothing(world: World) -> None:
    period = month_before(now(world))
    carla = world.employee("Carla")["employee_id"]
    made = world.sandbox("expenses", count=1, employee_ids=[carla], until=f"{period}-15T09:00:00Z")["expenses"]
    upsert_expenses(world.business, made, "FEED")
    world.sync()
    address = world.address(f"accounting/{period}/")
    seen = seen_of(world.client("Ada").get(address))
    posted = {"key": "k", "accept_open_items": "on", "seen": seen}
    accepted = AuditEntry.objects.filter(chain=world.business.pk, operation="close_period", outcome="NOTED")
    assert world.client("Ada").post(f"{address}close/", posted).status_code == 302
    assert accepted.count() == 1
    # Abel has the page open from before, and presses the button without a tick.
    assert world.client("Abel").post(f"{address}close/", {"key": "k2", "seen": seen}).status_code == 302
    assert accepted.count() == 1
    # Ada's form once more, when the copy has caught up: the same request as before.
    upsert_expenses(world.business, [{**made[0], "status": "APPROVED", "version": made[0]["version"] + 1}], "FEED")
    again = world.client("Ada").post(f"{address}close/", posted)
    assert again.status_code == 302, page(again)


def test_what_the_service_counts_beyond_the_copy_is_on_the_checklist(world: World) -> None:
    spend(world, 1)
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    assert [item.title for item in checklist(actor, period, ()) if "not in the copy" in item.title] == []
    beyond = period.model_copy(update={"undecided_expenses": period.undecided_expenses + 1})
    [item] = [item for item in checklist(actor, beyond, ()) if "not in the copy" in item.title]
    assert item.count == 1
    assert world.client("Apollo").get(item.address).status_code == 200


def test_a_running_month_is_not_closed_and_the_form_says_why(world: World) -> None:
    address = world.address(f"accounting/{now(world)}/")
    posted = {"key": "k", "accept_open_items": "on", "seen": seen_of(world.client("Ada").get(address))}
    answer = world.client("Ada").post(f"{address}close/", posted)
    assert answer.status_code == 409
    assert "not over" in page(answer)


def test_who_opens_closes_and_reopens(world: World) -> None:
    period = month_before(now(world))
    for who in ("Carla", "Rita"):
        for rest in ("", f"{period}/", f"{period}/trial-balance/", f"{period}/ledger/"):
            assert world.client(who).get(world.address(f"accounting/{rest}")).status_code == 403, (who, rest)
    for who in ("Carla", "Rita", "Apollo"):
        for verb in ("close", "reopen"):
            answer = world.client(who).post(world.address(f"accounting/{period}/{verb}/"), {"reason": "x"})
            assert answer.status_code == 403, (who, verb)
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "OPEN"
    shown = page(world.client("Apollo").get(world.address(f"accounting/{period}/")))
    assert "Close period: This is for admins and super admins" in shown


@pytest.mark.parametrize("name", ["2026-13", "x", "1969-12", "trial-balance"])
def test_a_period_that_is_none_is_404(world: World, name: str) -> None:
    for rest in ("", "trial-balance/", "ledger/", "late/", "bank-lines/"):
        assert world.client("Ada").get(world.address(f"accounting/{name}/{rest}")).status_code == 404, rest


def test_a_lost_answer_is_no_refusal(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    period = month_before(now(proxied_world))
    proxied_world.proxy.fail("lost reply", path=f"/v2/accounting/periods/{period}/close")
    ada, address = proxied_world.client("Ada"), proxied_world.address(f"accounting/{period}/")
    answer = ada.post(f"{address}close/", ticked(ada.get(address)))
    shown = page(answer)
    assert answer.status_code >= 400
    assert "not known" in shown or "no answer" in shown.lower()
    assert "othing was sent" not in shown


def test_without_the_service_the_list_says_so(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/v2/accounting/periods")
    shown = page(proxied_world.client("Ada").get(proxied_world.address("accounting/")))
    assert "Try again" in shown
    assert "No periods yet" not in shown
