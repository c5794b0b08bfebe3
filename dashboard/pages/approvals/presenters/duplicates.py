"""Payments that a risk signal sets beside others: the one that it looks like, or the parts of a split payment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.decisions.bills import bill_of
from dashboard.decisions.described_requests import described_request
from dashboard.decisions.desk_items import APPROVAL_STATES, PAYMENT_KINDS, Paper
from dashboard.documents.limits import THUMBNAIL
from dashboard.documents.viewers import Viewer
from dashboard.mirror.models import Approval, ApprovalRequest
from dashboard.mirror.scopes import visible_approvals
from dashboard.money import text
from dashboard.pages.approvals.presenters.documents import bill_file_papers
from dashboard.times import day_and_time

TITLES = {"duplicate_invoice": "Possible duplicate", "split_payments": "Possible split payment"}
# So many parts of a split payment stand beside it; the signal's sentence counts all of them, and names at most so many.
MOST, MOST_NAMED = 3, 5


@dataclass(frozen=True)
class Column:
    """A payment of a comparison: its heading, where it is opened ("" for the open item itself), and the address of the
    first page of its document as a thumbnail ("" where it has none, None where nobody could look)."""

    heading: str
    href: str
    thumbnail: str | None


@dataclass(frozen=True)
class ComparedLine:
    """A field of a comparison: its label, its text for each column ("" where nothing is known), whether they differ."""

    label: str
    values: list[str]
    differs: bool


@dataclass(frozen=True)
class Comparison:
    """The open item beside what a signal names: `missing` are references of which the actor sees no payment request,
    `more` says how many payments of it are not shown, "" where all are, `has_documents` whether documents are compared,
    too."""

    title: str
    columns: list[Column]
    lines: list[ComparedLine]
    missing: list[str]
    more: str
    has_documents: bool


def comparisons_of(actor: Actor, subject: Any, papers: Sequence[Paper] | None = None) -> list[Comparison]:
    """One comparison for each signal of a payment request that names others; none for any other item.

    `papers` are the documents of the item itself, None where it can have none.
    """
    if not isinstance(subject, Approval):
        return []
    return [
        _comparison(actor, subject, signal, refs, papers)
        for signal in subject.signals
        if isinstance(signal, Mapping) and (refs := _refs(subject, signal))
    ]


def _refs(approval: Approval, signal: Mapping[str, Any]) -> list[str]:
    # The references of the payments that a signal names, or the number of the other bill.
    evidence = signal.get("evidence")
    if signal.get("code") not in TITLES or not isinstance(evidence, Mapping):
        return []
    if signal["code"] == "split_payments":
        return [str(ref) for ref in evidence.get("others") or []]
    earlier = str(evidence.get("earlier") or "")
    if not earlier:
        return []
    if not evidence.get("bill"):
        return [earlier]
    return _payments_of_bill(approval, str(evidence.get("earlier_id") or "")) or [f"Bill {earlier}"]


def _payments_of_bill(approval: Approval, bill_id: str) -> list[str]:
    # The latest, by the id of the bill: numbers are each vendor's own, and a file may have come from two vendors.
    payments = ApprovalRequest.objects.filter(
        business_id=approval.business_id, kind="bill_payment", tombstoned_at=None, payload__bill_id=bill_id
    )
    latest = payments.exclude(ref=approval.ref).order_by("-requested_at", "-pk")
    return list(latest.values_list("ref", flat=True)[:1]) if bill_id else []


def _comparison(
    actor: Actor, approval: Approval, signal: Mapping[str, Any], refs: list[str], papers: Sequence[Paper] | None
) -> Comparison:
    visible = visible_approvals(actor).filter(ref__in=refs).exclude(pk=approval.pk)
    others = list(visible.order_by("-requested_at", "-pk")[:MOST])
    is_duplicate = signal["code"] == "duplicate_invoice"
    columns = [Column("This item", "", _thumbnail(papers) if is_duplicate else None)]
    for other in others:
        address = reverse("approvals_payment", args=[actor.business.slug, other.remote_id])
        thumbnail = _thumbnail(_papers(actor, other)) if is_duplicate else None
        columns.append(Column(f"{PAYMENT_KINDS.get(other.kind, 'Payment request')} {other.ref}", address, thumbnail))
    missing = [] if len(others) == MOST else [ref for ref in refs if ref not in {other.ref for other in others}]
    return Comparison(
        title=TITLES[signal["code"]],
        columns=columns,
        lines=_lines(actor, [approval, *others], signal["evidence"]) if others else [],
        missing=missing,
        more=_more(len(refs) - len(others) - len(missing), is_capped=len(refs) >= MOST_NAMED),
        has_documents=any(column.thumbnail is not None for column in columns),
    )


def _more(count: int, *, is_capped: bool) -> str:
    """How many payments of a split one are not shown; the signal names no more than MOST_NAMED, however many there are."""
    if count <= 0:
        return ""
    least = " or more" if is_capped else ""
    return f"{count}{least} further payment{'' if count == 1 and not least else 's'} of it not shown."


def _papers(actor: Actor, approval: Approval) -> Sequence[Paper] | None:
    # Only a bill has documents; it is read live, and where that takes longer than a second nothing is said of them.
    paid = described_request(approval)
    bill = bill_of(actor, paid) if paid is not None and paid.kind == "bill_payment" else None
    return bill_file_papers(actor, approval, bill) if bill is not None else None


def _thumbnail(papers: Sequence[Paper] | None) -> str | None:
    if papers is None:
        return None
    return next((f"{paper.first}?width={THUMBNAIL}" for paper in papers if isinstance(paper, Viewer)), "")


def _lines(actor: Actor, approvals: list[Approval], evidence: Mapping[str, Any]) -> list[ComparedLine]:
    described = [described_request(approval) for approval in approvals]
    paid = [request.payload if request is not None else {} for request in described]
    # A batch pays others besides; both of a duplicate pay this receiver this much.
    is_batch = any(approval.kind == "BULK_PAYOUT" for approval in approvals)
    receiver, minor = str(evidence.get("receiver") or ""), evidence.get("amount_minor")
    same = text(minor, approvals[0].currency, actor.business.locale) if is_batch and isinstance(minor, int) else ""
    fields = {
        "Payee": [approval.payee for approval in approvals],
        "Description": [approval.title for approval in approvals],
        "Total" if is_batch else "Amount": [approval.amount_text for approval in approvals],
        f"To {receiver}": [same for _ in approvals],
        "Bill": [str(payload.get("bill_no") or "") for payload in paid],
        "Account": [str(payload.get("account") or "") for payload in paid],
        "Requested": [day_and_time(approval.requested_at, actor.business) for approval in approvals],
        "Requested by": [approval.requested_by_name for approval in approvals],
        "Status": [
            APPROVAL_STATES.get(approval.status, (approval.status.capitalize(), ""))[0] for approval in approvals
        ],
    }
    return [ComparedLine(label, values, len(set(values)) > 1) for label, values in fields.items() if any(values)]
