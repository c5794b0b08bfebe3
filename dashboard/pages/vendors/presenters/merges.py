"""How two vendors that may be one are shown: the pairs, and what a merge would move."""

from dataclasses import dataclass
from typing import NotRequired, TypedDict

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.commands.discounts import discount_text
from dashboard.errors import FinanceError
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.forms.vendors import MergeForm
from dashboard.pages.vendors.selectors.vendors import duplicate_pairs, merge_plan, open_merge_of
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import VENDOR_MERGE, Proposal
from dashboard.proposals.services import Draft
from dashboard.proposals.snapshots import versions_of
from dashboard.proposals.targets import read_vendor
from dashboard.schemas.vendors import DuplicateVendors, MergePlan

FIELDS = {"email": "email", "phone": "phone", "taxPin": "tax PIN"}


# So many pairs the service names at most.
MOST_PAIRS = 100


@dataclass(frozen=True, slots=True)
class MoveRow:
    """What moves, in words: "3 bills"."""

    text: str


class DuplicatesContext(TypedDict):
    """What vendors/duplicates.html reads: the pairs, or the problem; `cut` is how many pairs the service names
    at most, where it names so many; `may_merge` says whether the actor may merge one."""

    may_merge: Verdict
    pairs: NotRequired[list[DuplicateVendors]]
    cut: NotRequired[int]
    problem: NotRequired[str]


class MergeContext(TypedDict):
    """What vendors/merge.html reads; there is a `problem` in the place of the plan where the service does not answer."""

    vendor: Vendor
    duplicate: Vendor
    form: MergeForm
    key: str
    moves: list[MoveRow]
    contact_fields: str
    accounts: int
    discount: str
    obstacles: list[str]
    problem: str
    second_admin: bool
    waiting: Proposal | None


def duplicates_context(actor: Actor) -> DuplicatesContext:
    """The pairs that the service suggests."""
    context: DuplicatesContext = {"may_merge": can_open(actor, operations_payables.MERGE_VENDOR)}
    try:
        context["pairs"] = duplicate_pairs(actor)
        context["cut"] = MOST_PAIRS if len(context["pairs"]) >= MOST_PAIRS else 0
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
    return context


def merge_context(actor: Actor, vendor: Vendor, duplicate: Vendor, form: MergeForm, key: str) -> MergeContext:
    """The vendor that stays, the one that goes, and what moves."""
    context = MergeContext(
        vendor=vendor, duplicate=duplicate, form=form, key=key, moves=[], contact_fields="", accounts=0, discount="",
        obstacles=[], problem="", second_admin=requires_second_admin(actor.business),
        waiting=open_merge_of(actor, vendor, duplicate),
    )  # fmt: skip
    try:
        plan = merge_plan(actor, vendor, duplicate)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
        return context
    context["moves"] = [MoveRow(_counted(row.noun, row.count)) for row in plan.moves if row.count]
    context["contact_fields"] = ", ".join(FIELDS.get(name, name) for name in plan.contact_fields)
    context["accounts"], context["obstacles"] = plan.accounts_to_confirm, list(plan.obstacles)
    context["discount"] = _discount_text(plan)
    return context


def merge_draft(actor: Actor, vendor: Vendor, duplicate: Vendor, reason: str, key: str) -> Draft:
    """The merge as it waits for a second admin: what moves as it stands now, and both vendors as they were seen. Raises the
    FinanceError tree."""
    plan = merge_plan(actor, vendor, duplicate)
    moves = [_counted(row.noun, row.count) for row in plan.moves if row.count]
    consequences = [
        f"Moves: {', '.join(moves)}." if moves else "Nothing else moves.",
        f"{duplicate.name} is deleted and cannot be restored.",
    ]
    if plan.accounts_to_confirm:
        accounts = _counted("account", plan.accounts_to_confirm)
        consequences.append(f"{accounts} of the duplicate: not paid to until a second person has confirmed each.")
    return Draft(
        operation=operations_payables.MERGE_VENDOR, title=vendor.name, key=key, path={"id": vendor.remote_id},
        body={"duplicate_id": duplicate.remote_id, "reason": reason}, target_type=VENDOR_MERGE,
        target_id=vendor.remote_id,
        seen=versions_of(read_vendor(actor, vendor.remote_id), read_vendor(actor, duplicate.remote_id)),
        sentences=[f"{duplicate.name} is merged into it."], consequences=consequences, reason=reason,
    )  # fmt: skip


def _discount_text(merge_plan: MergePlan) -> str:
    own, other = (
        terms and discount_text(terms.percent, terms.days)
        for terms in (merge_plan.vendor_discount, merge_plan.duplicate_discount)
    )
    if merge_plan.discount_moves and other:
        return f"{other} moves from the duplicate. Bills that are entered already keep the terms that they have"
    if own and other and own != other:
        return f"{own} stays. {other} of the duplicate is dropped: bills that have it already keep it"
    if own:
        return f"{own} stays" + (": both have the same terms" if other else "")
    return "Neither has terms of its own"


def _counted(noun: str, count: int) -> str:
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{count} {plural}"
