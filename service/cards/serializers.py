"""Cards, their uses, orders and requests as the interface shows them: dictionaries in the shapes of the schemas."""

from decimal import Decimal

from service.accounts.models import Funding
from service.cards import declines
from service.cards.funding import AllocationBalance
from service.cards.models import Authorization, Card, CardOrder, SingleUsePolicy, SingleUseRequest
from service.cards.schemas_authorizations import STATES
from service.cards.schemas_shapes import (
    AllocationShape,
    AuthorizationShape,
    CardShape,
    CardTransactionShape,
    OrderShape,
    SingleUsePolicyShape,
    SingleUseRequestShape,
)
from service.money import to_number


def card(row: Card, spent: tuple[Decimal, Decimal, Decimal], allocated: AllocationBalance | None) -> CardShape:
    """A card as the interface shows it; employee and team should be joined."""
    team = row.employee.team
    return {
        "_id": row.id,
        "type": row.type,
        "status": row.status,
        "blocked_by": row.blocked_by or None,
        "blocked_by_id": row.blocker or None,
        "reason": row.reason or None,
        "employee_id": row.employee_id,
        "person": row.employee.name,
        "team": {"_id": team.id, "name": team.name, "code": team.code} if team else None,
        "org_wallet_ref": row.org_wallet_ref,
        "currency": row.currency,
        "funding": row.funding,
        "allocation": allocation(allocated, row.currency),
        "name": row.name,
        "last_four": row.last_four,
        "brand": row.brand,
        "expiry_month": row.expiry_month,
        "expiry_year": row.expiry_year,
        "card_vcn": row.token,
        "controls": row.controls,
        "spend": {"day": spent[0], "month": spent[1], "lifetime": spent[2]},
        "replaces": row.replaces_id,
        "replaced_by": row.replaced_by or None,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def authorization(row: Authorization, *, sees_wallets: bool = False) -> AuthorizationShape:
    """The decision as the interface shows it, and what it was about; the card should be joined."""
    failed = next((check["check"] for check in row.checks if not check["passed"]), "")
    remaining_minor = row.remaining_minor if sees_wallets or row.funding == Funding.ALLOCATION else None
    left = None if remaining_minor is None else to_number(remaining_minor, row.currency)
    reason = declines.decline_reason(row.code, failed)
    return {
        "_id": row.id,
        "card_id": row.card_id,
        "last_four": row.card.last_four,
        "employee_id": row.card.employee_id,
        "approved": row.status != Authorization.Status.DECLINED,
        "status": row.status,
        "code": row.code or None,
        "reason": (reason if left is None else f"{reason} {row.currency} {left:,} is left.") or None,
        "checks": row.checks,
        "amount": to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "captured": to_number(row.captured_minor, row.currency),
        "captured_minor": row.captured_minor,
        "currency": row.currency,
        "funding": row.funding,
        "remaining": left,
        "remaining_minor": remaining_minor,
        "merchant": row.merchant,
        "merchant_id": row.merchant_id,
        "mcc": row.mcc,
        "country": row.country,
        "channel": row.channel,
        "expense_id": row.expense_id,
        "expires_at": row.expires_at,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def transaction(row: Authorization) -> CardTransactionShape:
    """A use that was allowed, as a transaction of the card."""
    amount_minor = row.captured_minor if row.status == Authorization.Status.CAPTURED else row.amount_minor
    return {
        "_id": row.id,
        "card_id": row.card_id,
        "status": STATES[row.status],
        "amount": to_number(amount_minor, row.currency),
        "amount_minor": amount_minor,
        "currency": row.currency,
        "merchant": row.merchant,
        "mcc": row.mcc,
        "country": row.country,
        "channel": row.channel,
        "expense_id": row.expense_id,
        "transaction_date": row.created_at,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def single_use_request(row: SingleUseRequest) -> SingleUseRequestShape:
    """A request as the interface shows it; the employee should be joined."""
    return {
        "_id": row.id,
        "status": row.status,
        "employee_id": row.employee_id,
        "person": row.employee.name,
        "team_id": row.employee.team_id,
        "org_wallet_ref": row.org_wallet_ref,
        "currency": row.currency,
        "amount": to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "comparison": row.comparison,
        "merchant": row.merchant or None,
        "purpose": row.purpose,
        "approval_id": row.approval_id or None,
        "card_id": row.card_id,
        "decided_by": row.decided_by or None,
        "decided_at": row.decided_at,
        "reason": row.reason or None,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def single_use_policy(row: SingleUsePolicy) -> SingleUsePolicyShape:
    """The policy as the interface shows it."""
    return {
        "enabled": row.enabled,
        "limits": row.limits,
        "valid_days": row.valid_days,
        "max_open": row.max_open,
        "version": row.version,
    }


def allocation(balance: AllocationBalance | None, currency: str) -> AllocationShape | None:
    """What is allocated, as the interface shows it."""
    if balance is None:
        return None
    return {
        "available": to_number(balance.available_minor, currency),
        "available_minor": balance.available_minor,
        "on_hold": to_number(balance.held_minor, currency),
        "on_hold_minor": balance.held_minor,
    }


def order(row: CardOrder, card_shape: CardShape) -> OrderShape:
    """An order as the interface shows it."""
    return {
        "_id": row.id,
        "status": row.status,
        "card": card_shape,
        "shipping": row.shipping,
        "requested_by": row.requested_by,
        "decided_by": row.decided_by or None,
        "decided_at": row.decided_at,
        "reason": row.reason or None,
        "shipped_at": row.shipped_at,
        "delivered_at": row.delivered_at,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
