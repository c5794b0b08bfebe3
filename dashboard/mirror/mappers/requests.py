"""What is asked for as rows of the copy: each noun has a function of its own, and all fill the same columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.access.subject import Seat, Subject, people
from dashboard.mirror.mappers.mapper import Item, Mapper, Payload, Row, amount, moment, nested
from dashboard.mirror.models import Employee, Request
from dashboard.mirror.scopes import visible_requests
from dashboard.money import text

COLUMNS = (
    "kind", "ref", "title", "payee", "holder_id", "holder_name", "team_id", "voted", "due_at", "amount_minor",
    "currency", "amount_text", "org_wallet_ref", "requested_by_id", "requested_at", "status",
)  # fmt: skip
TYPES = {"EXPENSE": "Expense", "TOPUP": "Top-up", "IFT": "Transfer between wallets", "REFUND": "Refund"}


def _rest(payload: Payload, locale: str, *, asker: str, wallet: object = None) -> tuple[Any, ...]:
    # What stands in the same place whatever it is: the last columns.
    minor, currency = amount(payload)
    return (
        minor,
        currency,
        text(minor, currency, locale) if minor is not None and currency else "",
        str(wallet or payload.get("org_wallet_ref") or ""),
        asker,
        moment(payload.get("createdAt")) or datetime.now(UTC),
        str(payload.get("status") or ""),
    )


def _said(value: object, otherwise: str = "") -> str:
    return str(value or otherwise)


def card_order(payload: Payload, locale: str) -> tuple[Any, ...]:
    """An order of a physical card; the card stands in it and exists from the beginning."""
    found = payload.get("card")
    card: Payload = found if isinstance(found, Mapping) else {}
    return (
        "card_order", _said(payload.get("_id")), _said(card.get("name"), "Physical card")[:300], "",
        _said(card.get("employee_id")), _said(card.get("person")), nested(card, "team", "_id", "id"), False, None,
        *_rest(payload, locale, asker=_said(payload.get("requested_by")), wallet=card.get("org_wallet_ref")),
    )  # fmt: skip


def card_request(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A request for a single-use card; a mandate may ask for votes on it."""
    holder = _said(payload.get("employee_id"))
    return (
        "card_request", _said(payload.get("_id")), _said(payload.get("purpose"), "Single-use card")[:300],
        _said(payload.get("merchant")), holder, _said(payload.get("person")), _said(payload.get("team_id")),
        bool(payload.get("approval_id")), None, *_rest(payload, locale, asker=holder),
    )  # fmt: skip


def fund_opt_in(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A wish to hold a fund; without votes where no mandate asks for them."""
    return (
        "fund_opt_in", _said(payload.get("ref")), f"Opt in to {_said(payload.get('fund_name'), 'a fund')}"[:300], "",
        "", "", "", bool(payload.get("approval_id")), moment(payload.get("expires_at")),
        *_rest(payload, locale, asker=_said(payload.get("requested_by"))),
    )  # fmt: skip


def bill_payment(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A payment of a bill: never decided without votes, but what is voted on is described here."""
    return (
        "bill_payment", _said(payload.get("payment_ref")), f"Bill {_said(payload.get('bill_no'))}"[:300],
        _said(payload.get("receiver_name")), "", "", "", True, moment(payload.get("due_at")),
        *_rest(payload, locale, asker=_said(payload.get("requested_by"), _said(payload.get("created_by")))),
    )  # fmt: skip


def payout(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A payout: never decided without votes, but how it ended is told here, with how many of it failed."""
    many, failed = payload.get("item_count") or 0, payload.get("failed_count") or 0
    told = {**payload, "amount_minor": payload.get("total_amount_minor"), "amount": payload.get("total_amount")}
    return (
        "payout", _said(payload.get("batch_no")), _said(payload.get("name"), "Payout")[:300],
        f"{failed} of {many} failed" if failed else f"{many} payments", "", "", "", True,
        moment(payload.get("scheduled_for")), *_rest(told, locale, asker=_said(payload.get("created_by"))),
    )  # fmt: skip


def hand_transaction(payload: Payload, locale: str) -> tuple[Any, ...]:
    """A transaction that was written by hand and waits to be approved."""
    what = TYPES.get(_said(payload.get("type")), "Transaction")
    return (
        "hand_transaction", _said(payload.get("ref")),
        f"{what}: {_said(payload.get('description'), _said(payload.get('counterparty'), 'no description'))}"[:300],
        _said(payload.get("counterparty")), _said(payload.get("employee_id")), "", _said(payload.get("team_id")), False,
        moment(payload.get("value_date")), *_rest(payload, locale, asker=_said(payload.get("created_by"))),
    )  # fmt: skip


def request_subject(row: Request) -> Subject:
    """What a rule and the audit must know of what is asked for."""
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
        seats=tuple(Seat(each) for each in approvers.values_list("remote_id", flat=True)) if alone else None,
        amount_minor=row.amount_minor,
    )


def _visible(kind: str, actor: Actor) -> QuerySet[Request]:
    return visible_requests(actor).filter(kind=kind)


def _mapper(noun: str, row: Row, called: str, page: str) -> Mapper:
    item = Item(called, partial(_visible, noun), page)
    return Mapper(noun, Request, COLUMNS, row, subject=request_subject, item=item)


CARD_ORDER = _mapper("card_order", card_order, "Card order", "approvals_card_order")
CARD_REQUEST = _mapper("card_request", card_request, "Single-use card", "approvals_card_request")
FUND_OPT_IN = _mapper("fund_opt_in", fund_opt_in, "Fund", "approvals_fund_opt_in")
HAND_TRANSACTION = _mapper("hand_transaction", hand_transaction, "Transaction", "approvals_hand_transaction")
# No page of its own: what is voted on is its payment request.
BILL_PAYMENT = _mapper("bill_payment", bill_payment, "Bill payment", "")
PAYOUT = Mapper("payout", Request, COLUMNS, payout, subject=request_subject)
