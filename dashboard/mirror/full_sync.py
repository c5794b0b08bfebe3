"""Lists that are read whole from time to time: one function per band, and one table that names them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any, cast

from django.utils import timezone

from dashboard import operations, operations_extra, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.standing import forget_standing
from dashboard.client.models import ServiceAccount
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.errors import Forbidden, NotFound
from dashboard.mirror.apply import tombstone, upsert
from dashboard.mirror.category_labels import relabel_expenses
from dashboard.mirror.events import EventResource
from dashboard.mirror.list_reads import JOB_TRIES, read_list, read_resource
from dashboard.mirror.mappers import MAPPERS, Payload
from dashboard.mirror.mappers.mapper import FullList
from dashboard.mirror.models import FundAccount, Origin, SpendPolicy, Wallet, Workflow
from dashboard.mirror.request_sync import refresh_approvals, refresh_open_payouts, refresh_requests
from dashboard.mirror.schedule import today
from dashboard.mirror.wallet_rights import refresh_wallet_rights
from dashboard.mirror.webhook_inbox import follow_employment

log = logging.getLogger(__name__)

DECLINE_WINDOW = timedelta(days=40)
# A long list is written as it is read, so that memory stays flat.
BATCH_SIZE = 1000
TRANSACTION_DAYS = 3
BILL_DAYS = 3
MAX_MONTHS = 240


def refresh_lookups(business: Business) -> None:
    """People, teams, categories and wallets: small lists, read whole."""
    reader = Actor.reader_for(business)
    people = list(read_list(reader, operations.LIST_EMPLOYEES))
    upsert("employee", business, people, Origin.POLL, read_at=timezone.now())
    for person in people:
        follow_employment(business, cast(EventResource, person))
    upsert("team", business, read_list(reader, operations.LIST_TEAMS), Origin.POLL, read_at=timezone.now())
    upsert("wallet", business, read_list(reader, operations.LIST_ACCOUNTS), Origin.POLL, read_at=timezone.now())
    subcategories = [
        {**child, "category": {"_id": parent.get("_id"), "name": parent.get("name")}}
        for parent in read_list(reader, operations.LIST_CATEGORIES)
        for child in parent.get("subcategories") or []
    ]
    upsert("category", business, subcategories, Origin.POLL, read_at=timezone.now())
    relabel_expenses(business)


def refresh_policies(business: Business) -> None:
    """Wallet policies, wallet by wallet. An account that is not entitled to them has none: nothing is granted then."""
    reader = Actor.reader_for(business)
    policies: list[Payload] = []
    try:
        for wallet_id in Wallet.objects.filter(business=business, tombstoned_at=None).values_list(
            "remote_id", flat=True
        ):
            policies += read_list(reader, operations.LIST_WALLET_POLICIES, path={"walletId": wallet_id})
    except (Forbidden, NotFound) as refused:
        log.info("no wallet policies of business %s: %s", business.pk, refused.code)
        return
    upsert("wallet_policy", business, policies, Origin.POLL, read_at=timezone.now())
    for employee_id in {str(policy.get("employee_id") or "") for policy in policies}:
        forget_standing(business.pk, employee_id)


def refresh_spend_policies(business: Business) -> None:
    """Spend policies by their summary, which leaves the deleted ones out: those are read one by one."""
    reader, read_at = Actor.reader_for(business), timezone.now()
    account = ServiceAccount.objects.get(business=business)
    path = {"businessId": account.remote_business_id}
    try:
        groups = read_live(reader, operations.READ_POLICY_SUMMARY, path=path, tries=JOB_TRIES).data.get("groups") or []
    except (Forbidden, NotFound) as refused:
        log.info("no spend policies of business %s: %s", business.pk, refused.code)
        return
    rows = [row for group in groups for row in group.get("policies") or []]
    stored = SpendPolicy.objects.filter(business=business, tombstoned_at=None, first_seen__lt=read_at)
    missing = stored.exclude(status="DELETED").exclude(remote_id__in=[str(row.get("_id")) for row in rows])
    for policy_id in missing.values_list("remote_id", flat=True):
        try:
            rows.append(read_resource(reader, operations.READ_POLICY, {"businessPolicyId": policy_id}))
        except NotFound:
            tombstone("policy", business, [policy_id], read_at)
    upsert("policy", business, rows, Origin.POLL, read_at=read_at)


def refresh_workflows(business: Business) -> None:
    """The approval workflows of bills and of policies, read whole; what is in neither list is gone."""
    reader, read_at = Actor.reader_for(business), timezone.now()
    rows: list[Payload] = []
    for operation in (operations.READ_BILL_WORKFLOW, operations.LIST_POLICY_WORKFLOWS):
        try:
            rows += read_list(reader, operation)
        except (Forbidden, NotFound) as refused:
            # Those of policies need an entitlement that those of bills do not.
            log.info("no workflows by %s of business %s: %s", operation, business.pk, refused.code)
    upsert("workflow", business, rows, Origin.POLL, read_at=read_at)
    stored = Workflow.objects.filter(business=business, tombstoned_at=None, first_seen__lt=read_at)
    missing = stored.exclude(remote_id__in=[str(row.get("_id")) for row in rows])
    tombstone("workflow", business, list(missing.values_list("remote_id", flat=True)), read_at)


def refresh_list(kind: str, operation: Operation, business: Business, **query: str | int) -> int:
    """A list of its own kind, whole; how many rows. An account that may not read it has none of it: no failure."""
    count = 0
    try:
        rows = iter(read_list(Actor.reader_for(business), operation, path=None, **query))
        while batch := list(islice(rows, BATCH_SIZE)):
            upsert(kind, business, batch, Origin.POLL, read_at=timezone.now())
            count += len(batch)
    except (Forbidden, NotFound) as refused:
        log.info("no list of %s of business %s: %s", kind, business.pk, refused.code)
    return count


def refresh_cards(business: Business) -> None:
    """All cards with what was spent with each; of the uses that were declined, those of the last weeks."""
    refresh_list("card", operations.LIST_BUSINESS_CARDS, business)
    since = (timezone.now() - DECLINE_WINDOW).isoformat()
    declines = operations_extra.LIST_CARD_USES
    refresh_list("card_authorization", declines, business, status="DECLINED", updated_since=since)


def refresh_funds(business: Business) -> None:
    """Fund accounts with what moves in them, and their operators, whose standing follows; none without entitlement."""
    reader = Actor.reader_for(business)
    try:
        accounts = [dict(row) for row in read_list(reader, operations_extra.LIST_FUND_ACCOUNTS)]
        for account in accounts:
            path = {"fundAccountId": str(account.get("_id"))}
            answer = read_live(reader, operations.READ_TREASURY_OPERATORS, path=path, tries=JOB_TRIES).data
            account["operators"] = answer.get("operators") or []
            account["movements"] = _open_movements(
                read_live(reader, operations_extra.READ_FUND_ACCOUNT, path=path, tries=JOB_TRIES).data
            )
    except (Forbidden, NotFound) as refused:
        log.info("no fund accounts of business %s: %s", business.pk, refused.code)
        return
    before = FundAccount.objects.filter(business=business).values_list("operators", flat=True)
    seats = [seat for operators in (*before, *(account["operators"] for account in accounts)) for seat in operators]
    upsert("fund_account", business, accounts, Origin.POLL, read_at=timezone.now())
    for employee_id in {str(seat.get("employee_id") or "") for seat in seats}:
        forget_standing(business.pk, employee_id)


def _open_movements(account: dict[str, Any]) -> list[dict[str, Any]]:
    # What has come to its end is read live with its account; the forecast needs what has not.
    ended = {"SETTLED", "FAILED", "CANCELLED"}
    return [movement for movement in account.get("movements") or [] if movement.get("status") not in ended]


def refresh_transactions(business: Business) -> None:
    """The transactions of the last days; events tell of them at once, where the service sends any."""
    since = today(business) - timedelta(days=TRANSACTION_DAYS)
    refresh_list("transaction", operations.LIST_TRANSACTIONS, business, **{"from": since.isoformat()})


def refresh_all_transactions(business: Business) -> None:
    """Every transaction, a month at a time: once at first, then each night, for what was changed later."""
    _refresh_by_months("transaction", operations.LIST_TRANSACTIONS, business, today(business))


def _refresh_by_months(kind: str, operation: Operation, business: Business, last: date) -> None:
    """A list whole, 31 days at a time, back from its last day until as many rows were read as there are."""
    newest = read_live(Actor.reader_for(business), operation, query={"limit": 1}, tries=JOB_TRIES)
    total, read = read_page(newest.data).total or 0, 0
    for _ in range(MAX_MONTHS):
        if read >= total:
            return
        first = last - timedelta(days=30)
        days = {"from": first.isoformat(), "to": last.isoformat()}
        read += refresh_list(kind, operation, business, **days)
        last = first - timedelta(days=1)


def refresh_bills(business: Business) -> None:
    """The bills that were changed in the last days; events tell of them at once, where the service sends any."""
    since = timezone.now() - timedelta(days=BILL_DAYS)
    refresh_list("bill", operations_payables.LIST_BILLS, business, updated_since=since.isoformat())


def refresh_all_bills(business: Business) -> None:
    """Every bill, a month of issue at a time: once at first, then each night. A service without a list of them has none."""
    try:
        # A bill may be dated ahead of its day.
        _refresh_by_months("bill", operations_payables.LIST_BILLS, business, today(business) + timedelta(days=31))
    except (Forbidden, NotFound) as refused:
        log.info("no list of bills of business %s: %s", business.pk, refused.code)


def _refresh_full_list(kind: str, full_list: FullList, business: Business) -> None:
    refresh_list(kind, full_list.operation, business, **full_list.query)


# By band (dashboard/mirror/schedule.py says how often each runs).
FULL_SYNCS: dict[str, Callable[[Business], None]] = {
    "lookups": refresh_lookups,
    "policies": refresh_policies,
    "spend_policies": refresh_spend_policies,
    "workflows": refresh_workflows,
    "wallet_rights": refresh_wallet_rights,
    **{
        mapper.full_list.band: partial(_refresh_full_list, mapper.kind, mapper.full_list)
        for mapper in MAPPERS.values()
        if mapper.full_list
    },
    "cards": refresh_cards,
    "funds": refresh_funds,
    "payouts": refresh_open_payouts,
    "transactions": refresh_transactions,
    "transactions_whole": refresh_all_transactions,
    "bills": refresh_bills,
    "bills_whole": refresh_all_bills,
    "approvals": refresh_approvals,
    "requests": refresh_requests,
}
