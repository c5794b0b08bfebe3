"""The books of a month, live: the trial balance, an account's entries, and one posting."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from dashboard import operations, operations_accounting
from dashboard.access.actor import Actor
from dashboard.client.json import read_json
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.inputs import whole_number
from dashboard.journal_exports.audit_file import CATEGORY, TEAM, AuditAnalysis, AuditTaxRate
from dashboard.mirror.cached_responses import read_or_cached, stored_text
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_categories, visible_teams, visible_transactions
from dashboard.schemas.accounting import AccountLedger, Posting, TrialAccount, TrialBalance
from dashboard.schemas.taxes import Tax

LIVE_S = 8.0
# So long the accounts that a ledger offers to choose from may be known already: only their names are read of them.
CHOICES_S = 300
PAGE_SIZE = 50
FX_CLEARING = "FX_CLEARING"
LARGEST_ID = 10**18 - 1
# A place in an account: what is none is as if it were not there.
AFTER = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.[0-9]{1,18}")


def trial_balance_of(actor: Actor, period: str, deadline: float = LIVE_S) -> TrialBalance:
    """The trial balance of a month, within so many seconds; NotFound, and the rest of the FinanceError tree."""
    path = {"period": period}
    return parsed(
        read_live(actor, operations_accounting.READ_TRIAL_BALANCE, path=path, deadline=deadline).data, TrialBalance
    )


def ledger_choices_of(actor: Actor, period: str) -> TrialBalance:
    """The trial balance of a month as it was up to five minutes ago, for the accounts in it: to add up all that moved in the month
    for each page of one account would cost more than the page. Raises as `trial_balance_of`."""
    stored = stored_text(actor, operations_accounting.READ_TRIAL_BALANCE, fresh_s=CHOICES_S, item=period)
    choices = _choices_in(stored.text) if stored is not None else None
    if stored is None:
        cached = read_or_cached(actor, operations_accounting.READ_TRIAL_BALANCE, item=period, path={"period": period})
        choices = parsed(cached.data, TrialBalance) if cached.data else None
    # One without accounts is no news: something may be posted by now.
    return choices if choices is not None and choices.accounts else trial_balance_of(actor, period)


@lru_cache(maxsize=8)
def _choices_in(text: str) -> TrialBalance:
    # An equal text is an equal trial balance, which nobody changes: read page by page it is taken apart once.
    return parsed(read_json(text.encode()), TrialBalance)


def fx_open_of(actor: Actor, period: str) -> list[TrialAccount] | None:
    """The accounts that FX passes through and that are not at nothing at the month's end; None where that is not known."""
    try:
        return fx_open(trial_balance_of(actor, period))
    except FinanceError:
        return None


def fx_open(trial_balance: TrialBalance) -> list[TrialAccount]:
    """Of a trial balance the accounts that FX passes through and left something on."""
    return [row for row in trial_balance.accounts if row.kind == FX_CLEARING and row.closing_minor]


def account_ledger_of(actor: Actor, period: str, account_id: int, after: str) -> AccountLedger:
    """A page of an account's entries in a month, the oldest first, behind a place of it ("" from the first); NotFound for an account that had none until then."""
    answer = read_live(
        actor, operations_accounting.READ_ACCOUNT_LEDGER, path={"period": period, "account_id": str(account_id)},
        query={"after": after, "limit": PAGE_SIZE}, deadline=LIVE_S,
    )  # fmt: skip
    return parsed(answer.data, AccountLedger)


def named_ledger(
    actor: Actor, period: str, trial_balance: TrialBalance, sent: Mapping[str, str], since: date | None = None
) -> AccountLedger | None:
    """A page of the `account` that an address names, behind its place `after`, or from a day on; of the first of the trial balance
    where it names none, and None where nothing was ever posted."""
    account = whole_number(sent.get("account", ""), LARGEST_ID)
    if account is None:
        account = next((row.account_id for row in trial_balance.accounts), None)
    after = AFTER.fullmatch(sent.get("after", ""))
    # The entries of an account are numbered from 1: behind 0 of a day are all of that day and the later ones.
    place = after[0] if after else f"{since}.0" if since else ""
    return account_ledger_of(actor, period, account, place) if account is not None else None


def posting_of(actor: Actor, posting_id: int) -> Posting:
    """One posting with all its entries; NotFound, and the rest of the FinanceError tree."""
    path = {"posting_id": str(posting_id)}
    return parsed(read_live(actor, operations_accounting.READ_POSTING, path=path, deadline=LIVE_S).data, Posting)


def transactions_of(actor: Actor, posting: Posting) -> list[Transaction]:
    """The transactions of a posting that the actor sees, as the copy has them."""
    ids = [row.id for row in posting.transactions]
    return list(visible_transactions(actor).filter(remote_id__in=ids).order_by("occurred_at", "id"))


def tax_rates_of(actor: Actor) -> list[AuditTaxRate]:
    """The withholding taxes with each of their dated rates, by code and day. Raises the FinanceError tree."""

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {"page": number, "limit": size}
        return read_page(read_live(actor, operations.LIST_TAXES, query=query, deadline=LIVE_S).data)

    rates = [
        AuditTaxRate(
            tax.id, tax.code, tax.name, tax.currency, rate.resident_rate_bps, rate.non_resident_rate_bps, rate.effective_from,
            rate.effective_to,
        )
        for tax in typed(every_row(fetch), Tax)
        for rate in tax.versions or [tax]
    ]  # fmt: skip
    return sorted(rates, key=lambda rate: (rate.code, rate.first is not None, rate.first or date.min))


def analyses_of(actor: Actor) -> list[AuditAnalysis]:
    """The categories and the teams of the copy, by name: deleted ones too, for what was posted under them is in the books."""
    categories = visible_categories(actor, deleted=True).order_by("category_name", "name", "remote_id")
    teams = visible_teams(actor, deleted=True).order_by("name", "remote_id").values_list("remote_id", "name")
    return [
        *(AuditAnalysis(CATEGORY, row.remote_id, f"{row.category_name} › {row.name}") for row in categories),
        *(AuditAnalysis(TEAM, team_id, name) for team_id, name in teams),
    ]
