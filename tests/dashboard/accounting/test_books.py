"""The books: from a figure down to its entries, their posting and its transaction; sums added up; files that say the same."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from datetime import date
from decimal import Decimal
from typing import Any

from openpyxl import load_workbook

from dashboard.mirror.models import Transaction
from dashboard.pages.accounting.presenters.books import trial_groups
from dashboard.schemas.accounting import TrialBalance
from tests.dashboard.accounting.test_periods import now, page, spend
from tests.dashboard.accounting.test_reports import ask, report
from tests.dashboard.conftest import World


def trial_of(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.upstream(f"/accounting/periods/{now(world)}/trial-balance")
    return found


def test_from_a_figure_to_its_entries_its_posting_and_its_transaction(world: World) -> None:
    made = spend(world, 1)[0]
    apollo, period = world.client("Apollo"), now(world)
    trial = apollo.get(world.address(f"accounting/{period}/trial-balance/"))
    assert "Balanced" in page(trial)
    row = Transaction.objects.get(business=world.business, expense_id=made["_id"])
    posting = row.payload["ledger_transaction_id"]
    moved = [one for one in trial_of(world)["accounts"] if one["debit_minor"] >= made["amount_minor"]]
    ledgers = {
        one["account_id"]: apollo.get(world.address(f"accounting/{period}/ledger/?account={one['account_id']}"))
        for one in moved
    }
    assert all(f"?account={account}" in trial.content.decode() for account in ledgers)
    address = world.address(f"accounting/postings/{posting}/")
    leading = [answer for answer in ledgers.values() if address in answer.content.decode()]
    assert leading
    assert "is the closing balance" in page(leading[0])
    shown = apollo.get(address)
    assert "Balanced" in page(shown)
    assert "added up here: 0.00" in page(shown)
    assert world.address(f"transactions/{row.remote_id}/") in shown.content.decode()


def test_a_trial_balance_that_does_not_balance_is_said(world: World) -> None:
    report = trial_of(world)
    assert all(group.balances for group in trial_groups(world.actor("Ada"), TrialBalance.model_validate(report)))
    report["accounts"][0]["credit_minor"] += 1
    report["accounts"][0]["closing_minor"] += 1
    [group] = [
        group
        for group in trial_groups(world.actor("Ada"), TrialBalance.model_validate(report))
        if group.currency == report["accounts"][0]["currency"]
    ]
    assert not group.balances


def test_the_files_say_what_the_ledger_says_and_come_to_nothing(world: World) -> None:
    spend(world, 4)
    moved: dict[tuple[str, str], int] = {
        (one["currency"], str(one["account_id"])): one["credit_minor"] - one["debit_minor"]
        for one in trial_of(world)["accounts"]
    }

    book = load_workbook(io.BytesIO(report(world, "general_ledger", "xlsx", by="Apollo")))
    sheet = list(book.active.iter_rows(values_only=True))  # type: ignore[union-attr]
    heading, entries = sheet[0], [row for row in sheet[1:] if isinstance(row[6], int | float)]
    assert heading[:3] == ("Date", "Posted at (UTC)", "Account number")
    by_account: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for row in entries:
        by_account[str(row[5]), str(row[2])] += Decimal(str(row[11] or 0)) - Decimal(str(row[10] or 0))
    assert {key: int(by_account[key] * 100) for key in moved} == moved
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for (currency, _), value in by_account.items():
        sums[currency] += value
    assert set(sums.values()) == {Decimal(0)}

    file = report(world, "general_ledger", by="Apollo").decode("utf-8-sig")
    lines = list(csv.reader(io.StringIO(file)))
    assert len([line for line in lines[1:] if len(line) == len(heading)]) == len(entries)
    assert any(line[:1] == ["Entries"] and line[1] == str(len(entries)) for line in lines)

    trial = report(world, "trial_balance", by="Apollo").decode("utf-8-sig")
    rows = [line for line in csv.reader(io.StringIO(trial)) if len(line) == 8][1:]
    assert {line[1]: int(Decimal(line[7]) * 100) for line in rows} == {
        str(one["account_id"]): one["closing_minor"] for one in trial_of(world)["accounts"]
    }


def test_a_format_that_is_none_is_refused(world: World) -> None:
    answer = ask(world, "general_ledger", "exe")
    assert answer.status_code == 422
    assert "Choose CSV or XLSX" in page(answer)


def test_what_is_nobodys_is_404(world: World, new_world: Any) -> None:
    other = new_world()
    account = other.upstream(f"/accounting/periods/{now(other)}/trial-balance")["accounts"][0]["account_id"]
    ada = world.client("Ada")
    assert ada.get(world.address(f"accounting/{now(world)}/ledger/?account={account}")).status_code == 404
    assert ada.get(world.address("accounting/postings/999999999999999999/")).status_code == 404


def test_what_an_address_says_wrong_shows_the_first_account(world: World) -> None:
    ada, period = world.client("Ada"), now(world)
    for query in ("account=x", "account=٣", f"account={'9' * 30}", "page=-1", "page=0", "page=x"):
        answer = ada.get(world.address(f"accounting/{period}/ledger/?{query}"))
        assert answer.status_code == 200, query
        assert re.search(r"\d+ lines?", page(answer)), query


def test_lists_without_rows_say_so(world: World) -> None:
    ada, period = world.client("Ada"), now(world)
    assert "No bank line of this period" in page(ada.get(world.address(f"accounting/{period}/bank-lines/")))
    assert "Nothing from an earlier period" in page(ada.get(world.address(f"accounting/{period}/late/")))
    assert "FX left nothing" in page(ada.get(world.address(f"accounting/{period}/trial-balance/?show=fx")))


def test_a_ledger_adds_up_all_accounts_once_and_offers_one_that_came_since(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    spend(world, 1)
    ada, period = world.client("Ada"), now(world)
    address = world.address(f"accounting/{period}/ledger/")
    first = ada.get(address).content.decode()
    asked = len(world.proxy.sent("GET", "/trial-balance"))
    assert asked == 1
    for _ in range(3):
        assert re.search(r"\d+ lines?", page(ada.get(address)))
    assert len(world.proxy.sent("GET", "/trial-balance")) == asked
    # The account's page says of its month what the head of the page needs: nothing else is asked of the service.
    before = len(world.proxy.sent())
    assert ada.get(address).status_code == 200
    assert {sent.path.split("?")[0].rsplit("/", 2)[1] for sent in world.proxy.sent(since=before)} == {"accounts"}
    # A wallet that nothing was posted on until now.
    known = {row["account_id"] for row in trial_of(world)["accounts"]}
    opened = {"currency": "KES", "walletType": "SUB:new"}
    acting = {"X-Acting-Employee": world.employee("Ada")["employee_id"]}
    wallet = world.send("POST", "/accounts", opened, headers=acting)["org_wallet_ref"]
    world.sandbox("top-up", org_wallet_ref=wallet, amount=12)
    new = {row["account_id"] for row in trial_of(world)["accounts"]} - known
    assert new
    for account in new:
        shown = ada.get(f"{address}?account={account}").content.decode()
        assert f'<option value="{account}" selected>' in shown
        assert f'value="{account}"' not in first


def test_the_entries_of_an_account_are_shown_from_a_day_on(world: World) -> None:
    spend(world, 3)
    ada, period = world.client("Ada"), now(world)
    bounds = world.upstream(f"/accounting/periods/{period}")
    account = max(trial_of(world)["accounts"], key=lambda row: row["debit_minor"])["account_id"]
    entries = world.upstream(f"/accounting/periods/{period}/accounts/{account}", limit=1000)["docs"]
    address = world.address(f"accounting/{period}/ledger/?account={account}&since=")

    def shown(day: date) -> list[int]:
        text = ada.get(f"{address}{day}").content.decode()
        assert f'value="{day}"' in text
        return [int(number) for number in re.findall(r"/accounting/postings/(\d+)/", text)]

    first, last = date.fromisoformat(bounds["from"]), date.fromisoformat(bounds["to"])
    for day in {
        first,
        last,
        date.fromisoformat(entries[-1]["effective_on"]),
        date.fromisoformat(entries[0]["effective_on"]),
    }:
        of_days = [row["ledger_transaction_id"] for row in entries if row["effective_on"] >= str(day)]
        assert shown(day) == of_days
        if not of_days:
            assert "in this period from this day on" in page(ada.get(f"{address}{day}"))
    for wrong, words in (("2020-01-01", "Enter a day from"), ("03/11/2026", "Enter the date as 2026-11-20.")):
        refused = ada.get(f"{address}{wrong}")
        assert refused.status_code == 400
        assert words in page(refused)
