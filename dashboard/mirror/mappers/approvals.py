"""A payment request as a row of the copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from dashboard.access.subject import Subject, SubjectSeat, people, person
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, json_default, moment, nested
from dashboard.mirror.models import Approval
from dashboard.mirror.scopes import visible_approvals
from dashboard.money import text


def approval(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a payment request, from its list or from the digest, which adds payee, due and risk (B.13)."""
    minor, currency = amount_in(payload)
    requester = payload.get("requested_by")
    requester_id = nested(payload, "requested_by", "employee_id", "_id", "id") or (
        str(requester) if isinstance(requester, str) else ""
    )
    risk_payload = payload.get("risk")
    risk: Payload = risk_payload if isinstance(risk_payload, Mapping) else {}
    votes = payload.get("votes") or []
    return (
        str(payload.get("kind") or ""),
        payload.get("action_type"),
        str(payload.get("ref") or ""),
        str(payload.get("title") or payload.get("headline") or payload.get("ref") or ""),
        str(payload.get("payee") or ""),
        minor,
        currency,
        text(minor, currency, locale) if minor is not None and currency else "",
        str(payload.get("org_wallet_ref") or ""),
        requester_id,
        nested(payload, "requested_by", "name") or str(payload.get("requested_by_name") or ""),
        moment(payload.get("requested_at")) or datetime.now(UTC),
        moment(payload.get("due")) or moment(payload.get("due_at")),
        moment(payload.get("expires_at")),
        str(payload.get("status") or ""),
        int(payload.get("approvals_required") or 1),
        int(payload.get("approvals_given") or 0),
        json.dumps([str(vote.get("employee_id") or "") for vote in votes if isinstance(vote, Mapping)]),
        json.dumps(payload.get("eligible") or [], default=json_default),
        int(risk.get("score") or 0),
        str(risk.get("level") or ""),
        json.dumps(risk.get("signals") or [], default=json_default),
    )


def approval_subject(row: Approval) -> Subject:
    """What a rule and the audit must know of a payment request."""
    # A request that the business's account made for nobody has no maker: its list is there, and empty.
    listed = row.payload.get("makers")
    edited = (row.payload.get(name) for name in ("created_by", "initiated_by", "edited_by", "last_edited_by"))
    makers = people(row.requested_by_id, *edited, *(listed or []))
    return Subject(
        business_id=row.business_id,
        kind="approval",
        id=row.remote_id,
        title=row.title or row.ref or row.remote_id,
        holder_id=row.requested_by_id,
        makers=makers if makers or isinstance(listed, list) else None,
        requester_id=row.requested_by_id or None,
        seats=tuple(SubjectSeat(person(seat), seat.get("max_amount_minor")) for seat in row.eligible),
        voters=people(*row.voters),
        at_turn=people(*turn) if isinstance(turn := row.payload.get("at_turn"), list) else None,
        amount_minor=row.amount_minor,
    )


APPROVAL = Mapper(
    "approval",
    Approval,
    (
        "kind", "action_type", "ref", "title", "payee", "amount_minor", "currency", "amount_text", "org_wallet_ref",
        "requested_by_id", "requested_by_name", "requested_at", "due_at", "expires_at", "status", "approvals_required",
        "approvals_given", "voters", "eligible", "risk", "risk_level", "signals",
    ),
    approval,
    subject=approval_subject,
    item_kind=ItemKind("Payment request", visible_approvals, "approvals_payment"),
    marker_columns=("risk_level", ("risk", "risk_level", "signals", "payee", "due_at")),
)  # fmt: skip
