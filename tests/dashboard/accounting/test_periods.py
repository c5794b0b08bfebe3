"""Periods: a checklist whose figures are those of the lists it leads to, closed by one admin and reopened by another."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry
from dashboard.lists.registry import find
from dashboard.lists.totals import totals_of
from dashboard.mirror.apply import upsert, upsert_expenses
from dashboard.mirror.models import Expense, Origin, Transaction, Wallet
from dashboard.pages.accounting.forms import CloseForm
from dashboard.pages.accounting.presenters.periods import checklist, open_count, open_text
from dashboard.pages.accounting.selectors.periods import (
    OpenItem,
    counted_items,
    covered_days,
    period_of,
    uncovered,
    wallet_items,
)
from dashboard.schemas.accounting import AccountingPeriod
from dashboard.schemas.reconciliation import BankStatement
from tests.dashboard.bills import upstream
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


@pytest.mark.parametrize(
    ("spans", "gap"),
    [
        ([], "1 – 31 Oct 2026"),
        ([(1, 31)], ""),
        ([(5, 10), (1, 6)], "11 – 31 Oct 2026"),
        ([(3, 4), (6, 30)], "1 – 2, 5, 31 Oct 2026"),
    ],
)
def test_the_days_that_no_statement_covers(spans: list[tuple[int, int]], gap: str) -> None:
    october = [(date(2026, 10, begin), date(2026, 10, end)) for begin, end in spans]
    around = [*october, (date(2026, 9, 1), date(2026, 9, 30)), (date(2026, 11, 1), date(2026, 11, 30))]
    assert uncovered(date(2026, 10, 1), date(2026, 10, 31), around) == gap


def statement(first: date, last: date, opening: int | None, closing: int | None, wallet: str = "1") -> BankStatement:
    return BankStatement.model_validate({
        "_id": f"{wallet}{first}{last}", "org_wallet_ref": wallet, "currency": "KES", "from": first, "to": last,
        "opening_minor": opening, "closing_minor": closing,
    })  # fmt: skip


def test_days_between_two_statements_that_join_are_covered() -> None:
    september = statement(date(2026, 9, 2), date(2026, 9, 28), 0, 50)
    october = statement(date(2026, 10, 5), date(2026, 10, 29), 50, 70)
    november = statement(date(2026, 11, 3), date(2026, 11, 27), 70, 90)
    of_other_wallet = statement(date(2026, 10, 8), date(2026, 10, 8), 1, 70, wallet="2")
    days = date(2026, 10, 1), date(2026, 10, 31)
    joined = covered_days([november, october, of_other_wallet, september])
    assert uncovered(*days, joined["1"]) == ""
    assert uncovered(*days, joined["2"]) == "1 – 7, 9 – 31 Oct 2026"
    other_balance = covered_days([september, october.model_copy(update={"opening_minor": 49}), november])
    assert uncovered(*days, other_balance["1"]) == "1 – 4 Oct 2026"
    without_balances = statement(date(2026, 10, 5), date(2026, 10, 29), None, None)
    assert uncovered(*days, covered_days([september, without_balances])["1"]) == "1 – 4, 30 – 31 Oct 2026"


def test_a_nought_of_a_month_whose_bank_nobody_brought_is_not_all_that_is_said(world: World) -> None:
    period = month_before(now(world))
    shown = page(world.client("Ada").get(world.address(f"accounting/{period}/")))
    assert "Bank lines unmatched 0" in shown
    assert "No line or balance of 1 – " in shown


def test_a_month_without_the_bank_s_statement_is_closed_by_whoever_accepts_that_and_the_audit_says_so(
    world: World,
) -> None:
    period, ada = month_before(now(world)), world.client("Ada")
    address = world.address(f"accounting/{period}/")
    refused = ada.post(f"{address}close/", {"key": "k", "seen": seen_of(ada.get(address))})
    assert refused.status_code == 422
    assert "accept it" in page(refused)
    assert world.upstream(f"/accounting/periods/{period}")["status"] == "OPEN"
    assert ada.post(f"{address}close/", ticked(ada.get(address))).status_code == 302
    accepted = AuditEntry.objects.get(chain=world.business.pk, operation="close_period", outcome="NOTED")
    assert "Bank statements" in str(accepted.after)
    assert "No line or balance of 1 – " in str(accepted.after)


def test_what_is_not_known_is_accepted_too_and_what_is_usual_is_not() -> None:
    items = [
        OpenItem("Bank statements", None, "", lacks="No line of 1 Oct 2026"), OpenItem("Unmatched entries", None, ""),
        OpenItem("Expenses", 0, ""), OpenItem("Bills", 3, "", more=True), OpenItem("FX", None, "", is_usual=True),
    ]  # fmt: skip
    assert open_count(items) == 5
    assert open_text(items) == (
        "Bank statements: No line of 1 Oct 2026; Unmatched entries: not known; Bills: more than 3"
    )  # fmt: skip


def test_unmatched_entries_and_a_statement_that_is_not_proven_stand_on_the_checklist(world: World) -> None:
    spend(world, 1)
    actor, wallet = world.actor("Ada"), Wallet.objects.get(business=world.business, org_wallet_ref="1")
    period = period_of(actor, now(world))
    assert wallet_items(actor, period) == []
    entries = world.upstream("/accounting/unmatched-entries", accountref="1")["docs"]
    day = entries[0]["effective_on"]
    line = {"number": 1, "day": day, "amount_minor": -5_00, "description": "Bank", "reference": ""}
    world.send("POST", "/accounting/bank-statements/lines", {
        "org_wallet_ref": "1", "file_name": "bank.xml", "sha256": "a" * 64, "source_format": "CAMT053",
        "currency": wallet.currency, "account": "KE1", "from": day, "to": day, "opening_minor": 7_00, "closing_minor": 2_00,
        "lines": [line],
    }, headers={"X-Acting-Employee": world.employee("Ada")["employee_id"]})  # fmt: skip
    of_day = [entry for entry in entries if entry["effective_on"] >= day]
    unmatched, unproven = wallet_items(actor, period)
    assert (unmatched.title, unmatched.count) == (f"Unmatched entries, {wallet.name}", len(of_day))
    assert (unproven.title, unproven.count) == (f"Statement not proven, {wallet.name}", 1)
    ada = world.client("Ada")
    desk = ada.get(unmatched.address.split("#", maxsplit=1)[0]).content.decode()
    assert len(re.findall(r'name="entry" value="', desk)) == len(of_day)
    assert "Not proven" in page(ada.get(unproven.address.split("#", maxsplit=1)[0]))
    assert f"Unmatched entries, {wallet.name}: {len(of_day)}" in open_text(checklist(actor, period, ()))
    shown = page(ada.get(world.address(f"accounting/{period.period}/")))
    assert f"Unmatched entries, {wallet.name} {len(of_day)}" in shown


def test_wallets_that_the_service_does_not_tell_of_are_not_taken_for_proven(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    actor = proxied_world.actor("Ada")
    period = period_of(actor, month_before(now(proxied_world)))
    proxied_world.proxy.fail("500", path=f"/v2/accounting/periods/{period.period}/wallets")
    [item] = wallet_items(actor, period)
    assert (item.title, item.count, item.is_usual) == ("Unmatched entries, statements not proven", None, False)


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


def counts_of(actor: Actor, period: AccountingPeriod) -> dict[str, int | None]:
    return {item.title: item.count for item in counted_items(actor, period)}


def test_a_transaction_counts_in_the_month_of_its_posting_and_in_no_other(world: World) -> None:
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    earlier = period_of(actor, month_before(period.period))
    world.sync("transactions_whole")
    [row, *_] = Transaction.objects.filter(business=world.business, type="TOPUP")
    title = "Transactions without a category"
    own = datetime.combine(period.first, time(), ZoneInfo(world.business.time_zone)) - timedelta(seconds=1)

    def counts(**posted: Any) -> tuple[int, int]:
        Transaction.objects.filter(pk=row.pk).update(
            category_name="", expense_id="", tombstoned_at=None, occurred_at=own, **posted
        )
        return counts_of(actor, earlier)[title] or 0, counts_of(actor, period)[title] or 0

    others = counts(status="REVERSED", effective_on=period.first)
    posted_late = counts(status="POSTED", effective_on=period.first)
    posted_then = counts(status="POSTED", effective_on=earlier.last)
    not_posted = counts(status="PENDING", effective_on=None)
    assert posted_late == (others[0], others[1] + 1)
    assert posted_then == not_posted == (others[0] + 1, others[1])


def test_an_expense_is_asked_for_in_the_month_of_its_posting_and_in_no_other(world: World) -> None:
    [made] = spend(world, 1)
    world.sync("transactions_whole")
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    earlier = period_of(actor, month_before(period.period))
    before = datetime.combine(period.first, time(), ZoneInfo(world.business.time_zone)) - timedelta(days=3)
    moved = Transaction.objects.get(business=world.business, expense_id=made["_id"])
    assert moved.effective_on is not None
    rows = Expense.objects.filter(business=world.business, remote_id=made["_id"])
    Transaction.objects.filter(pk=moved.pk).update(occurred_at=before, category_name="")
    payload = {**rows.get().payload, "receipt_required": True}
    rows.update(transaction_date=before, subcategory_id="", category_name="", has_receipt=False, payload=payload)
    titles = ("Expenses to review", "Required receipts missing", "Transactions without a category")
    # Spent in the month before, which is open still, and posted in this one: it is of this one's books alone.
    own, earlier_own = counts_of(actor, period), counts_of(actor, earlier)
    assert (own["Expenses to review"], earlier_own["Expenses to review"]) == (1, 0)
    assert (own["Required receipts missing"], earlier_own["Required receipts missing"]) == (1, 0)
    assert [item.title for item in checklist(actor, period, ()) if "not in the copy" in item.title] == []
    apollo = world.client("Apollo")
    shown = apollo.get(world.address(f"accounting/{period.period}/")).content.decode()
    for item in counted_items(actor, period):
        if item.title in titles[:2]:
            assert item.address.replace("&", "&amp;") in shown
            assert re.findall(r'/expenses/(\w{24})/"', apollo.get(item.address).content.decode())[:1] == [made["_id"]]
    # Not posted yet, it is of the month that it was spent in.
    Transaction.objects.filter(pk=moved.pk).update(effective_on=None)
    assert counts_of(actor, earlier)["Expenses to review"] == 1
    assert counts_of(actor, period)["Expenses to review"] == 0


def test_what_is_to_be_paid_stays_on_each_later_checklist_until_it_is(world: World) -> None:
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    title = "Bills due and not paid"
    before = counts_of(actor, period)[title] or 0
    bill = upstream.bill(world, due=-70, issued=-80)
    upsert("bill", world.business, [world.upstream(f"/bills/{bill['_id']}")], Origin.POLL)
    earlier = period_of(actor, month_before(period.period))
    assert counts_of(actor, period)[title] == before + 1
    assert counts_of(actor, earlier)[title] == before + 1
    items = {item.title: item for item in counted_items(actor, period)}
    for name in (title, "Payouts not finished"):
        assert "since=" not in items[name].address
        assert f"until={period.last}" in items[name].address


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
