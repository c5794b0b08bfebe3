"""How two vendors that may be one are shown: the pairs, and what a merge would move."""

from dataclasses import dataclass
from typing import NotRequired, TypedDict

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.errors import FinanceError
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.forms.vendors import MergeForm
from dashboard.pages.vendors.selectors import duplicate_pairs, merge_plan
from dashboard.schemas.vendors import DuplicateVendors

FIELDS = {"email": "email", "phone": "phone", "taxPin": "tax PIN"}


@dataclass(frozen=True, slots=True)
class MoveRow:
    """What moves, in words: "3 bills"."""

    text: str


class DuplicatesContext(TypedDict):
    """What vendors/duplicates.html reads: the pairs, or the problem; `may_merge` says whether the actor may merge one."""

    may_merge: Verdict
    pairs: NotRequired[list[DuplicateVendors]]
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
    obstacles: list[str]
    problem: str


def duplicates_context(actor: Actor) -> DuplicatesContext:
    """The pairs that the service suggests."""
    context: DuplicatesContext = {"may_merge": can_open(actor, operations_extra.MERGE_VENDOR)}
    try:
        context["pairs"] = duplicate_pairs(actor)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
    return context


def merge_context(actor: Actor, vendor: Vendor, duplicate: Vendor, form: MergeForm, key: str) -> MergeContext:
    """The vendor that stays, the one that goes, and what moves."""
    context = MergeContext(
        vendor=vendor, duplicate=duplicate, form=form, key=key, moves=[], contact_fields="", accounts=0, obstacles=[],
        problem="",
    )  # fmt: skip
    try:
        plan = merge_plan(actor, vendor, duplicate)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
        return context
    context["moves"] = [MoveRow(_counted(row.noun, row.count)) for row in plan.moves if row.count]
    context["contact_fields"] = ", ".join(FIELDS.get(name, name) for name in plan.contact_fields)
    context["accounts"], context["obstacles"] = plan.accounts_to_confirm, list(plan.obstacles)
    return context


def _counted(noun: str, count: int) -> str:
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{count} {plural}"
