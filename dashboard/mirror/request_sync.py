"""What waits for a decision, and the payouts, read again: with what was decided since they were copied."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from itertools import islice

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.errors import Forbidden, NotFound
from dashboard.mirror.apply import upsert
from dashboard.mirror.list_reads import read_list, read_resource
from dashboard.mirror.mappers import MAPPERS, Payload
from dashboard.mirror.mappers.mapper import ApprovalReads
from dashboard.mirror.models import Approval, ApprovalRequest, Origin
from dashboard.mirror.schedule import has_run

log = logging.getLogger(__name__)

MAX_FAILED_PAYOUTS = 100
OPEN_PAYOUTS = ("DRAFT", "PENDING_APPROVAL", "AWAITING_CODE", "APPROVED", "ON_HOLD")


def refresh_approvals(business: Business) -> None:
    """Payment requests with their risk, and those that have been decided since they were copied as waiting."""
    reader = Actor.reader_for(business)
    risk = {str(row.get("_id")): row for row in read_list(reader, operations.LIST_APPROVALS_DIGEST, status="PENDING")}
    waiting = {str(row.get("_id")): row for row in read_list(reader, operations.LIST_APPROVALS, status="PENDING")}
    ours = Approval.objects.filter(business=business, status="PENDING", tombstoned_at=None)
    decided_since = set(ours.values_list("remote_id", flat=True)) - waiting.keys()
    rows: list[Payload] = [{**row, **risk.get(identifier, {})} for identifier, row in waiting.items()]
    if decided_since or not has_run(business, "approvals"):
        rows += [row for row in read_list(reader, operations.LIST_APPROVALS) if str(row.get("_id")) not in waiting]
    upsert("approval", business, rows, Origin.POLL, read_at=timezone.now())


def refresh_requests(business: Business) -> None:
    """Card orders and requests, transactions by hand, fund opt-ins and bill payments; after the payment requests, which
    they describe."""
    for mapper in MAPPERS.values():
        if mapper.approval_reads is not None and mapper.approval_reads.waiting:
            refresh_waiting(mapper.kind, mapper.approval_reads, business)
    opted = ApprovalRequest.objects.filter(business=business, kind="fund_opt_in", status="PENDING", tombstoned_at=None)
    refresh_individually(
        "fund_opt_in", business, {*opted.values_list("ref", flat=True), *refs_without_request(business, "INVESTMENT")}
    )
    refresh_individually("bill_payment", business, refs_without_request(business, "BILL_PAYMENT"))
    refresh_failed_payouts(business)


def refresh_failed_payouts(business: Business) -> None:
    """The newest payouts that failed, whole or in part; events tell of the others as they change."""
    reader = Actor.reader_for(business)
    try:
        for status in ("FAILED", "PARTIALLY_COMPLETED"):
            rows = list(islice(read_list(reader, operations.LIST_PAYOUTS, status=status), MAX_FAILED_PAYOUTS))
            upsert("payout", business, rows, Origin.POLL, read_at=timezone.now())
    except (Forbidden, NotFound) as refused:
        log.info("no list of payouts of business %s: %s", business.pk, refused.code)


def refresh_open_payouts(business: Business) -> None:
    """Payouts that are still to be paid, and what became of those that were when they were read before."""
    reader = Actor.reader_for(business)
    stored = ApprovalRequest.objects.filter(
        business=business, kind="payout", status__in=OPEN_PAYOUTS, tombstoned_at=None
    )
    before = set(stored.values_list("ref", flat=True))
    try:
        rows = [row for status in OPEN_PAYOUTS for row in read_list(reader, operations.LIST_PAYOUTS, status=status)]
        for ref in sorted(before - {str(row.get("batch_no")) for row in rows}):
            rows += read_list(reader, operations.LIST_PAYOUTS, batch_no=ref)
    except (Forbidden, NotFound) as refused:
        log.info("no list of payouts of business %s: %s", business.pk, refused.code)
        return
    upsert("payout", business, rows, Origin.POLL, read_at=timezone.now())


def refresh_waiting(kind: str, reads: ApprovalReads, business: Business) -> None:
    """What waits of a list, and the whole list (of a long one the rows themselves) where something of it waits no more;
    the whole one, too, where it was never read."""
    stored = ApprovalRequest.objects.filter(business=business, kind=kind, tombstoned_at=None)
    reader = Actor.reader_for(business)
    try:
        rows = list(read_list(reader, reads.listed_by, status=reads.waiting))
        decided_since = set(stored.filter(status=reads.waiting).values_list("remote_id", flat=True)) - {
            str(row.get("_id")) for row in rows
        }
        if reads.is_long and reads.single is not None:
            operation, name = reads.single
            rows += [read_resource(reader, operation, {name: resource_id}) for resource_id in decided_since]
        elif decided_since or not stored.exists():
            rows = list(read_list(reader, reads.listed_by))
    except (Forbidden, NotFound) as refused:
        log.info("no list of %s of business %s: %s", kind, business.pk, refused.code)
        return
    upsert(kind, business, rows, Origin.POLL, read_at=timezone.now())


def refs_without_request(business: Business, kind: str) -> set[str]:
    """The references of waiting payment requests of a kind that no request in the copy describes."""
    described = ApprovalRequest.objects.filter(business=business, tombstoned_at=None).values("ref")
    waiting = Approval.objects.filter(business=business, kind=kind, status="PENDING", tombstoned_at=None)
    return set(waiting.exclude(ref__in=described).values_list("ref", flat=True))


def refresh_individually(kind: str, business: Business, refs: Iterable[str]) -> None:
    """Requests of a kind that has no list, each by its reference; a reference to another kind (a fund's movement) is
    passed over. TypeError for a kind of which none is read alone."""
    reads = MAPPERS[kind].approval_reads
    if reads is None or reads.single is None:
        raise TypeError(f"nobody has said how one {kind} is read")
    operation, name = reads.single
    reader, resources = Actor.reader_for(business), []
    for ref in sorted(refs):
        try:
            resources.append({"_id": ref, **read_resource(reader, operation, {name: ref})})
        except (Forbidden, NotFound):
            continue
    upsert(kind, business, resources, Origin.POLL, read_at=timezone.now())
