"""Payouts, intents and pushes as the interface shows them: dictionaries in the shapes of the schemas."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from service import money
from service.business_policies.serializers import evaluation
from service.payments.models import Batch, Intent, Item, MobileMoneyPush
from service.rails.catalogue import Channel
from service.respond import JsonObject


class ItemShape(TypedDict):
    """One payment of a payout batch; amount and fee in units and minor units of the batch's currency."""

    _id: str
    vendor_id: str | None
    receiver_name: str
    channel: str
    account: str
    bank_code: str
    account_reference: str
    amount: Decimal
    amount_minor: int
    fee: Decimal
    fee_minor: int
    subcategory_id: str | None
    note: str
    status: str
    provider_ref: str
    failure_code: str


class PayoutShape(TypedDict):
    """A payout, with its items where they are given."""

    _id: str
    batch_no: str
    kind: str
    name: str
    template: str
    org_wallet_ref: str
    currency: str
    total_amount: Decimal
    total_amount_minor: int
    total_fees: Decimal
    total_fees_minor: int
    item_count: int
    succeeded_count: int
    failed_count: int
    status: str
    hold_reason: str
    team: str | None
    note: str
    scheduled_for: datetime | None
    created_by: str
    initiated_by: str | None
    policy: JsonObject | None
    approvals: list[str]
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime
    items: NotRequired[list[ItemShape]]


class IntentShape(TypedDict):
    """An intent; never its code."""

    intent_id: str
    batch_no: str
    status: str
    otp_channel: str
    expires_at: datetime
    attempts_left: int
    payout_status: str


class PushShape(TypedDict):
    """A push as it was accepted."""

    checkout_request_id: str
    merchant_request_id: str
    status: str


class PushDetailShape(TypedDict):
    """A request to a phone for money, and what became of it; the amount in units and minor units."""

    _id: str
    checkout_request_id: str
    phone: str
    amount: Decimal
    amount_minor: int
    currency: str
    org_wallet_ref: str
    account_reference: str
    status: str
    result_text: str
    receipt: str
    requested_by: str
    asked_until: datetime
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class ChannelShape(TypedDict):
    """A way to pay in a country: the currencies that it carries, the fields that it needs, its fee in whole units."""

    code: str
    name: str
    country: str
    currencies: list[str]
    needs: list[str]
    fee: Decimal


def item(row: Item, currency: str) -> ItemShape:
    """One payment of a batch as answers and events have it."""
    return {
        "_id": row.id,
        "vendor_id": row.vendor_id or None,
        "receiver_name": row.receiver_name,
        "channel": row.channel,
        "account": row.account,
        "bank_code": row.bank_code,
        "account_reference": row.account_reference,
        "amount": money.to_number(row.amount_minor, currency),
        "amount_minor": row.amount_minor,
        "fee": money.to_number(row.fee_minor, currency),
        "fee_minor": row.fee_minor,
        "subcategory_id": row.subcategory_id or None,
        "note": row.note,
        "status": row.status,
        "provider_ref": row.provider_ref,
        "failure_code": row.failure_code,
    }


def payout(row: Batch, items: Iterable[Item] | None = None, approvals: Iterable[str] = ()) -> PayoutShape:
    """A payout, with its items where they are given; the wallet should be joined."""
    shape: PayoutShape = {
        "_id": row.id,
        "batch_no": row.batch_no,
        "kind": row.kind,
        "name": row.name,
        "template": row.template,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "currency": row.currency,
        "total_amount": money.to_number(row.total_minor, row.currency),
        "total_amount_minor": row.total_minor,
        "total_fees": money.to_number(row.fees_minor, row.currency),
        "total_fees_minor": row.fees_minor,
        "item_count": row.item_count,
        "succeeded_count": row.succeeded_count,
        "failed_count": row.failed_count,
        "status": row.status,
        "hold_reason": row.hold_reason,
        "team": row.team_id or None,
        "note": row.note,
        "scheduled_for": row.scheduled_for,
        "created_by": row.created_by,
        "initiated_by": row.initiated_by or None,
        "policy": evaluation(row.policies),
        "approvals": list(approvals),
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
    if items is not None:
        shape["items"] = [item(batch_item, row.currency) for batch_item in items]
    return shape


def intent(row: Intent, tries: int) -> IntentShape:
    """An intent; never its code."""
    return {
        "intent_id": row.id,
        "batch_no": row.batch.batch_no,
        "status": row.status,
        "otp_channel": row.channel,
        "expires_at": row.expires_at,
        "attempts_left": max(0, tries - row.wrong),
        "payout_status": row.batch.status,
    }


def push(row: MobileMoneyPush) -> PushShape:
    """A push as it was accepted."""
    return {
        "checkout_request_id": row.checkout_request_id,
        "merchant_request_id": row.merchant_request_id,
        "status": row.status,
    }


def push_detail(row: MobileMoneyPush) -> PushDetailShape:
    """What became of a push; the wallet should be joined."""
    return {
        "_id": row.id,
        "checkout_request_id": row.checkout_request_id,
        "phone": row.phone,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "currency": row.currency,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "account_reference": row.account_reference,
        "status": row.status,
        "result_text": row.result_text,
        "receipt": row.receipt,
        "requested_by": row.requested_by,
        "asked_until": row.asked_until,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def channel(row: Channel, country: str) -> ChannelShape:
    """A way to pay as answers have it: its currencies, what it needs, and its fee."""
    return {
        "code": row.code,
        "name": row.name,
        "country": country,
        "currencies": sorted(row.currencies),
        "needs": list(row.needs),
        "fee": Decimal(row.fee_minor) / 100,
    }
