"""Wallet policies on the wire (decisions B.11)."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field

from service import inputs
from service.pagination import LARGEST_PAGE, Envelope, PageQuery
from service.text import ObjectId, Words
from service.wallet_policies.models import PolicyStatus

PermissionName = Literal[
    "WALLET_VIEW",
    "WALLET_VIEW_BALANCE",
    "WALLET_VIEW_TRANSACTIONS",
    "WALLET_EXPORT_STATEMENT",
    "WALLET_TOPUP",
    "WALLET_TRANSFER_INTERNAL",
    "WALLET_FX",
    "WALLET_PAY_VENDOR",
    "WALLET_PAYOUT_INITIATE",
    "WALLET_PAYOUT_APPROVE",
    "WALLET_ALLOCATE",
    "WALLET_DEALLOCATE",
    "WALLET_CARD_FUND",
    "WALLET_INVEST",
    "WALLET_MANAGE_POLICY",
]
Permissions = Annotated[list[PermissionName], Field(min_length=1, max_length=15)]
Limit = Annotated[inputs.Number | None, Field(ge=0, max_digits=20)]
FIRST, LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def _plausible(moment: datetime) -> datetime:
    if not FIRST <= moment <= LAST:
        raise ValueError("It lies too far away.")
    return moment


Moment = Annotated[inputs.Moment, AfterValidator(_plausible)]
Reason = Annotated[inputs.Lines, Field(max_length=500)]
LIMITS = ("per_transaction", "daily", "monthly")


class WalletLimits(Schema):
    """The most that may be moved, in the wallet's currency; null: no limit."""

    model_config = ConfigDict(extra="forbid")

    per_transaction: Limit = None
    daily: Limit = None
    monthly: Limit = None


class NewWalletPolicy(Schema):
    """A wallet policy to grant: to whom, for which wallet, what it permits and for how long."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "wallet_id": "0192f0c0ffee000012345678",
                    "employee_id": "0192f0c0ffee000012345679",
                    "permissions": ["WALLET_VIEW", "WALLET_ALLOCATE"],
                    "limits": {"daily": 50000},
                    "expires_at": "2026-12-31T21:00:00Z",
                    "reason": "Covers for the treasurer.",
                }
            ]
        },
    )

    wallet_id: ObjectId
    employee_id: ObjectId
    permissions: Permissions
    limits: WalletLimits = Field(default_factory=WalletLimits)
    valid_from: Moment | None = Field(None, description="Now where it is not given.")
    expires_at: Moment | None = None
    reason: Reason = ""


class WalletPolicyChange(Schema):
    """What is to change of a policy; what is not given stays, a limit or end given as null is taken away."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"limits": {"daily": 20000}, "expires_at": "2026-12-31T21:00:00Z", "reason": "Less is spent."}]
        },
    )

    permissions: Permissions | None = None
    limits: WalletLimits | None = None
    valid_from: Moment | None = None
    expires_at: Moment | None = None
    reason: Reason | None = None


class WalletLimitsOut(Schema):
    """Limits in the wallet's currency, and the same in minor units."""

    per_transaction: Decimal | None
    daily: Decimal | None
    monthly: Decimal | None
    per_transaction_minor: int | None
    daily_minor: int | None
    monthly_minor: int | None


class WalletPolicyOut(Schema):
    """A wallet policy: what somebody may do with a wallet, and its limits."""

    id: str = Field(alias="_id")
    wallet_id: str
    org_wallet_ref: str
    currency: str
    employee_id: str
    employee_name: str
    permissions: list[str]
    limits: WalletLimitsOut
    valid_from: datetime
    expires_at: datetime | None
    status: PolicyStatus
    granted_by: str
    reason: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class WalletPolicyPage(Envelope):
    """A page of the wallet policies."""

    docs: list[WalletPolicyOut]


class WalletPolicyQuery(PageQuery):
    """A page of policies, of one state where it is given."""

    status: PolicyStatus | None = None


class WalletPermissionOut(Schema):
    """A permission that policies can give."""

    name: str
    title: str
    group: str
    moves_money: bool


class WalletPermissionList(Schema):
    """The permissions that a wallet policy can give."""

    docs: list[WalletPermissionOut]
    total: int


class SyncOut(Schema):
    """What a sync did: how many permissions were made, how many changed, how many there are."""

    created: int
    updated: int
    total: int


class PermissionSource(Schema):
    """Where a permission comes from; a policy says its limits."""

    permission: str
    source: Literal["ROLE", "POLICY", "OPERATOR"]
    policy_id: str | None
    limit: WalletLimitsOut | None


class DeniedPermission(Schema):
    """A permission that is taken away, and why."""

    permission: str
    reason: str


class ComputedPermissionsOut(Schema):
    """What an employee may do with a wallet now, by what, and what is denied to them."""

    employee_id: str
    wallet_id: str
    effective: list[str]
    sources: list[PermissionSource]
    denied: list[DeniedPermission]


class PolicyAuditOut(Schema):
    """One change of a policy; `hash` covers the row and `prev_hash`."""

    id: str
    seq: int
    at: datetime
    actor: str
    acting_employee: str | None
    policy_id: str
    wallet_id: str
    employee_id: str
    action: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    request_id: str
    ip: str
    prev_hash: str
    hash: str


class PolicyAuditPage(Envelope):
    """A page of what was done to a wallet policy."""

    docs: list[PolicyAuditOut]


class PolicyAuditSearch(Schema):
    """Filters of the audit; days are inclusive, in the business's time zone."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"action": "SUSPEND"}]})

    wallet_id: ObjectId | None = None
    employee_id: ObjectId | None = None
    policy_id: ObjectId | None = None
    actor: Words | None = None
    action: Literal["GRANT", "MODIFY", "SUSPEND", "REACTIVATE", "REVOKE", "EXPIRE"] | None = None
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None
    page: inputs.Whole = Field(1, ge=1, le=LARGEST_PAGE)
    limit: inputs.Whole = Field(50, ge=1, le=1000)
