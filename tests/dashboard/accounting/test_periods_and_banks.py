"""What the checklist of a period says of the banks: days without a statement, entries that are not matched, what is not proven."""

from __future__ import annotations

import re
from datetime import date

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Wallet
from dashboard.pages.accounting.presenters.periods import checklist, open_count, open_text
from dashboard.pages.accounting.selectors.periods import OpenItem, covered_days, period_of, uncovered, wallet_items
from dashboard.schemas.reconciliation import BankStatement
from tests.dashboard.accounting.test_periods import month_before, now, page, seen_of, spend, ticked
from tests.dashboard.conftest import World


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
