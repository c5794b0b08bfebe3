"""What a proposal was made on, in the few fields by which a change since is seen."""

from __future__ import annotations

from typing import TypedDict

from dashboard.access.models import Business, Membership
from dashboard.errors import NotFound
from dashboard.schemas.categories import CategoryMovePlan
from dashboard.schemas.journal_exports import JournalExport
from dashboard.schemas.permissions import EmployeeRights, RoleRights
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.reconciliation import BankStatement, Proof
from dashboard.schemas.vendors import Vendor
from dashboard.schemas.wallet_policies import Mandate
from dashboard.schemas.workflows import Workflow


class SeenVersion(TypedDict):
    """The version of a mandate or of a role's permissions that somebody saw."""

    version: int | None


class SeenDifference(TypedDict):
    """What bank and books differed by before the first statement, and what of it was accepted, in minor units."""

    carried_minor: int
    accepted_minor: int


class SeenLines(TypedDict):
    """How many lines a bank statement brought, and how many of them were matched, as somebody saw it."""

    lines: int
    matched: int


class SeenVendors(TypedDict):
    """The versions of the vendor that stays and of its duplicate, as they were seen."""

    vendor: int | None
    duplicate: int | None


class SeenMove(TypedDict):
    """Into which category, the versions of the subcategories with where each stands, and what counts them then or no more."""

    category: str
    rows: dict[str, list[str | int]]
    counting: list[list[str | bool]]


class SeenRights(TypedDict):
    """The role and permissions of somebody, as they were seen."""

    role: str
    permissions: list[str]


class SeenRole(TypedDict):
    """The role of a membership, as it was seen."""

    role: str


class SeenInvitation(TypedDict):
    """Whether somebody belonged to the business already."""

    member: bool


def snapshot_of(
    target: Mandate | RoleRights | EmployeeRights | SpendPolicy | Workflow | JournalExport,
) -> SeenRights | SeenVersion:
    """What somebody saw who looked at it: compared before a change is made that was thought of then."""
    if isinstance(target, EmployeeRights):
        return {"role": target.role, "permissions": sorted(target.permissions)}
    return {"version": target.version}


def difference_of(proof: Proof) -> SeenDifference:
    """What somebody saw of a difference before the first statement."""
    return {
        "carried_minor": proof.carried_minor, "accepted_minor": proof.accepted.amount_minor if proof.accepted else 0,
    }  # fmt: skip


def statement_lines_of(statement: BankStatement) -> SeenLines:
    """What somebody saw of a bank statement."""
    return {"lines": statement.line_count, "matched": statement.matched}


def versions_of(vendor: Vendor, duplicate: Vendor) -> SeenVendors:
    """What somebody saw of two vendors that are one."""
    return {"vendor": vendor.version, "duplicate": duplicate.version}


def move_seen(category_plan: CategoryMovePlan) -> SeenMove:
    """What somebody saw of a move: not how much is filed under each, which changes all the time."""
    return {
        "category": category_plan.category.name, "rows": {row.id: [row.category.id, row.version] for row in category_plan.subcategories},
        "counting": sorted([row.kind, row.id, row.gains] for row in category_plan.counting),
    }  # fmt: skip


class SeenCategoryPolicy(TypedDict):
    """The id of the policy that a category had, "" for none."""

    policy: str


# What a proposer saw who sets the policy of a category that has none: the operation would change one that came since.
NO_POLICY: SeenCategoryPolicy = {"policy": ""}


def snapshot_of_member(business: Business, member_id: str) -> SeenRole:
    """The role that a membership has now; NotFound where it has ended."""
    membership = Membership.objects.filter(business=business, pk=int(member_id), ended_at=None).first()
    if membership is None:
        raise NotFound(code="not_found")
    return {"role": membership.role}


def snapshot_of_invitation(business: Business, email: str) -> SeenInvitation:
    """Whether somebody of this address belongs to the business by now."""
    members = Membership.objects.filter(business=business, user__email=email.lower(), ended_at=None)
    return {"member": members.exists()}
