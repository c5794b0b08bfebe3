"""Who may use which wallet as the service tells it (decisions B.11), the bodies that change it, and the mandates (B.12)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, Required, TypedDict

from pydantic import Field

from dashboard.schemas.base import Amount, Id, RequestSchema, ResponseSchema, Text


class WalletPermission(ResponseSchema):
    """A permission that a policy can give."""

    name: Text
    title: Text = ""
    group: Text = ""
    moves_money: bool = False


class Limits(ResponseSchema):
    """The most that may be moved; None: no limit."""

    per_transaction_minor: int | None = None
    daily_minor: int | None = None
    monthly_minor: int | None = None


class WalletPolicy(ResponseSchema):
    """A policy. `status` is ACTIVE, SUSPENDED, REVOKED, EXPIRED, or a word we do not know."""

    id: Id
    wallet_id: Text
    employee_id: Text
    permissions: list[str] = []
    limits: Limits = Limits()
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    status: Text = ""
    reason: Text = ""
    version: int | None = None


class AnsweredPolicy(TypedDict):
    """A policy as the service answers a change or a read with it: what is read of it before the copy has it."""

    employee_id: str
    status: str
    version: int


class PermissionSource(ResponseSchema):
    """By what somebody has a permission: ROLE, POLICY or OPERATOR."""

    permission: Text
    source: Text = ""
    policy_id: Text = ""


class DeniedPermission(ResponseSchema):
    """A permission that is taken away, and why."""

    permission: Text
    reason: Text = ""


class Computed(ResponseSchema):
    """What somebody may do with a wallet now, by what, and what is denied to them."""

    employee_id: Text
    wallet_id: Text
    effective: list[str] = []
    sources: list[PermissionSource] = []
    denied: list[DeniedPermission] = []


class AuditLine(ResponseSchema):
    """One change of a wallet policy: who, when, what kind, and the policy before and after it."""

    id: Id
    at: datetime
    actor: Text = ""
    acting_employee: Text = ""
    policy_id: Text = ""
    wallet_id: Text = ""
    employee_id: Text = ""
    action: Text = ""
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    request_id: Text = ""


class Seat(ResponseSchema):
    """An approver of a mandate, and up to how much."""

    approver_id: Text
    name: Text = ""
    required: bool = False
    max_amount_minor: int | None = None
    order: int = 0
    active: bool = True


class Mandate(ResponseSchema):
    """How many of whom must approve an action between two amounts."""

    id: Id
    action_type: int
    name: Text = ""
    currency: Text = ""
    min_amount_minor: int = 0
    max_amount_minor: int | None = None
    min_approvers: int = 1
    sequential: bool = False
    code_required: bool = False
    approvers: list[Seat] = []
    active: bool = True
    version: int | None = None


class LimitsBody(RequestSchema):
    """Limits in the wallet's currency; null takes one away."""

    null_empties = True

    per_transaction: Amount | None = None
    daily: Amount | None = None
    monthly: Amount | None = None


class GrantBody(RequestSchema):
    """The body that grants a person a policy on a wallet; limits in units of the wallet's currency."""

    wallet_id: str
    employee_id: str
    permissions: list[str]
    limits: LimitsBody | None = None
    valid_from: str | None = None
    expires_at: str | None = None
    reason: str | None = None


class WalletPolicyChange(RequestSchema):
    """What is to change of a policy: what is not given stays, null takes away."""

    null_empties = True

    permissions: list[str] | None = None
    limits: LimitsBody | None = None
    valid_from: str | None = None
    expires_at: str | None = None
    reason: str | None = None


class AuditQuery(RequestSchema):
    """Filters of the audit; days are inclusive, on the business's calendar."""

    wallet_id: str | None = None
    employee_id: str | None = None
    policy_id: str | None = None
    action: str | None = None
    since: date | None = Field(None, alias="from")
    until: date | None = Field(None, alias="to")
    page: int = 1
    limit: int = 50


class WalletTermsBody(TypedDict, total=False):
    """The terms of a wallet policy in the bodies of GRANT_WALLET_ACCESS and MODIFY_WALLET_POLICY; `limits` by the names
    of LIMITS, None for no limit; moments in ISO 8601."""

    permissions: list[str]
    limits: dict[str, Decimal | None]
    valid_from: str
    expires_at: str | None
    reason: str


class WalletGrantBody(WalletTermsBody, total=False):
    """The body of GRANT_WALLET_ACCESS: whom, to which wallet, and on which terms."""

    wallet_id: Required[str]
    employee_id: Required[str]
