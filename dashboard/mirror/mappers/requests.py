"""What is asked for as rows of the copy: each kind has a function of its own, and all fill the same columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.access.subject import Subject, SubjectSeat, people
from dashboard.mirror.mappers.mapper import (
    HOUR_S,
    ApprovalReads,
    FullList,
    ItemKind,
    Mapper,
    Payload,
    RowMapper,
    amount_in,
    moment,
    nested,
)
from dashboard.mirror.models import ApprovalRequest, Employee
from dashboard.mirror.scopes import visible_payouts, visible_requests
from dashboard.money import text

COLUMNS = (
    "kind", "ref", "title", "payee", "holder_id", "holder_name", "team_id", "voted", "due_at", "amount_minor",
    "currency", "amount_text", "org_wallet_ref", "requested_by_id", "requested_at", "status",
)  # fmt: skip
TYPES = {"EXPENSE": "Expense", "TOPUP": "Top-up", "IFT": "Transfer between wallets", "REFUND": "Refund"}


def _rest(payload: Payload, locale: str, *, requester: str, wallet: object = None) -> tuple[Any, ...]:
    # The last columns, which are the same for every kind.
    minor, currency = amount_in(payload)
    return (
        minor,
        currency,
        text(minor, currency, locale) if minor is not None and currency else "",
        str(wallet or payload.get("org_wallet_ref") or ""),
        requester,
        moment(payload.get("createdAt")) or datetime.now(UTC),
        str(payload.get("status") or ""),
    )


def _text(value: object, otherwise: str = "") -> str:
    return str(value or otherwise)


def card_order(payload: Payload, locale: str) -> tuple[Any, ...]:
    """An order of a physical card; the card stands in it and exists from the beginning."""
    card_payload = payload.get("card")
    card: Payload = card_payload if isinstance(card_payload, Mapping) else {}
    return (
        "card_order", _text(payload.get("_id")), _text(card.get("name"), "Physical card")[:300], "",
        _text(card.get("employee_id")), _text(card.get("person")), nested(card, "team", "_id", "id"), False, None,
        *_rest(payload, locale, requester=_text(payload.get("requested_by")), wallet=card.get("org_wallet_ref")),
    )  # fmt: skip


def card_request(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A request for a single-use card; a mandate may ask for votes on it."""
    holder = _text(payload.get("employee_id"))
    return (
        "card_request", _text(payload.get("_id")), _text(payload.get("purpose"), "Single-use card")[:300],
        _text(payload.get("merchant")), holder, _text(payload.get("person")), _text(payload.get("team_id")),
        bool(payload.get("approval_id")), None, *_rest(payload, locale, requester=holder),
    )  # fmt: skip


def fund_opt_in(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A wish to hold a fund; without votes where no mandate asks for them."""
    return (
        "fund_opt_in", _text(payload.get("ref")), f"Fund account in {_text(payload.get('fund_name'), 'a fund')}"[:300], "",
        "", "", "", bool(payload.get("approval_id")), moment(payload.get("expires_at")),
        *_rest(payload, locale, requester=_text(payload.get("requested_by"))),
    )  # fmt: skip


def bill_payment(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A payment of a bill: never decided without votes, but what is voted on is described here."""
    return (
        "bill_payment", _text(payload.get("payment_ref")), f"Bill {_text(payload.get('bill_no'))}"[:300],
        _text(payload.get("receiver_name")), "", "", "", True, moment(payload.get("due_at")),
        *_rest(payload, locale, requester=_text(payload.get("requested_by"), _text(payload.get("created_by")))),
    )  # fmt: skip


def payout(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A payout: never decided without votes, but how it ended is a row here, with how many of its payments failed."""
    many, failed = payload.get("item_count") or 0, payload.get("failed_count") or 0
    totals = {**payload, "amount_minor": payload.get("total_amount_minor"), "amount": payload.get("total_amount")}
    return (
        "payout", _text(payload.get("batch_no")), _text(payload.get("name"), "Payout")[:300],
        f"{failed} of {many} failed" if failed else f"{many} payment{'s' * (many != 1)}", "", "", "", True,
        moment(payload.get("scheduled_for")), *_rest(totals, locale, requester=_text(payload.get("created_by"))),
    )  # fmt: skip


def hand_transaction(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A transaction that was written by hand and waits to be approved."""
    label = TYPES.get(_text(payload.get("type")), "Transaction")
    return (
        "hand_transaction", _text(payload.get("ref")),
        f"{label}: {_text(payload.get('description'), _text(payload.get('counterparty'), 'no description'))}"[:300],
        _text(payload.get("counterparty")), _text(payload.get("employee_id")), "", _text(payload.get("team_id")), False,
        moment(payload.get("value_date")), *_rest(payload, locale, requester=_text(payload.get("created_by"))),
    )  # fmt: skip


def request_subject(row: ApprovalRequest) -> Subject:
    """What a rule and the audit must know of a request."""
    # No mandate asks for votes: the word of any one approver is enough.
    alone = row.kind == "fund_opt_in" and not row.voted
    approvers = Employee.objects.filter(
        business_id=row.business_id, role=Role.APPROVER, status="ACTIVE", tombstoned_at=None
    )
    return Subject(
        business_id=row.business_id,
        kind=row.kind,
        id=row.remote_id,
        title=row.title or row.ref,
        holder_id=row.holder_id,
        team_id=row.team_id,
        makers=people(row.holder_id, row.requested_by_id),
        requester_id=row.requested_by_id or None,
        seats=tuple(SubjectSeat(employee_id) for employee_id in approvers.values_list("remote_id", flat=True))
        if alone
        else None,
        amount_minor=row.amount_minor,
    )


def _visible(kind: str, actor: Actor) -> QuerySet[ApprovalRequest]:
    return visible_requests(actor).filter(kind=kind)


def request_mapper(kind: str, map_row: RowMapper, title: str, page: str, reads: ApprovalReads) -> Mapper:
    """The Mapper of a kind of request: what a sentence calls one, the name of its page's address ("" for none)."""
    item_kind = ItemKind(title, partial(_visible, kind), page)
    return Mapper(
        kind, ApprovalRequest, COLUMNS, map_row, subject=request_subject, item_kind=item_kind, approval_reads=reads
    )


CARD_ORDER = request_mapper(
    "card_order", card_order, "Card order", "approvals_card_order",
    ApprovalReads(operations.LIST_CARD_ORDERS, "REQUESTED"),
)  # fmt: skip
CARD_REQUEST = request_mapper(
    "card_request", card_request, "Single-use card", "approvals_card_request",
    ApprovalReads(operations_extra.LIST_CARD_REQUESTS, "PENDING", (operations_extra.READ_CARD_REQUEST, "id")),
)  # fmt: skip
FUND_OPT_IN = request_mapper(
    "fund_opt_in", fund_opt_in, "Fund", "approvals_fund_opt_in",
    ApprovalReads(operations.READ_FUND_OPT_IN, single=(operations.READ_FUND_OPT_IN, "ref")),
)  # fmt: skip
HAND_TRANSACTION = request_mapper(
    "hand_transaction", hand_transaction, "Transaction", "approvals_hand_transaction",
    ApprovalReads(operations.LIST_TRANSACTIONS, "PENDING", (operations.READ_TRANSACTION, "id"), is_long=True),
)  # fmt: skip
# No page of its own: what is voted on is its payment request.
BILL_PAYMENT = request_mapper(
    "bill_payment", bill_payment, "Bill payment", "",
    ApprovalReads(operations.READ_BILL_PAYMENT_STATUS, single=(operations.READ_BILL_PAYMENT_STATUS, "paymentRef")),
)  # fmt: skip
PAYOUT = Mapper(
    "payout", ApprovalRequest, COLUMNS, payout, subject=request_subject, approval_reads=ApprovalReads(operations.LIST_PAYOUTS),
    item_kind=ItemKind("Payout", visible_payouts, "payouts_item"),
    full_list=FullList("payouts_whole", HOUR_S, operations.LIST_PAYOUTS),
)  # fmt: skip
