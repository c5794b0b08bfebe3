"""What a move of subcategories would change, what it is called, and the move as it waits for a second admin."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.errors import Conflict
from dashboard.pages.categories.forms import MoveForm
from dashboard.pages.categories.presenters.chart import USER_KINDS, UseRow, UserRow, use_rows, user_rows
from dashboard.pages.categories.selectors import mapped_codes, rules_under
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CATEGORY_MOVE
from dashboard.proposals.services import Draft
from dashboard.proposals.snapshots import move_seen
from dashboard.schemas.categories import CategoryMovePlan, MovedSubcategory


class MoveRow(TypedDict):
    """A subcategory that is to move: what goes with it, and what stands in its way."""

    row: MovedSubcategory
    uses: list[UseRow]
    rules: int
    code: str
    stays: bool


class MoveContext(TypedDict):
    """What categories/move.html reads; the plan once subcategories and a category are chosen."""

    form: MoveForm
    key: str
    problem: str
    names: list[str]
    rows: NotRequired[list[MoveRow]]
    target: NotRequired[str]
    gaining: NotRequired[list[UserRow]]
    losing: NotRequired[list[UserRow]]
    moving: NotRequired[int]
    seen: NotRequired[str]
    second: NotRequired[bool]


def move_context(actor: Actor, form: MoveForm, key: str, problem: str = "") -> MoveContext:
    """The choice of what moves and to where."""
    chosen = set(form["row"].value() or ())
    children = (child for category in form.chart for child in category.subcategories)
    names = [child.name for child in children if child.id in chosen]
    return {"form": form, "key": key, "problem": problem, "names": names}


def move_plan_context(actor: Actor, form: MoveForm, key: str, category_plan: CategoryMovePlan) -> MoveContext:
    """What a move would do, row by row."""
    ids = [row.id for row in category_plan.subcategories]
    codes, rules = mapped_codes(actor, ids), Counter(rule.subcategory_id for rule in rules_under(actor, ids))
    rows: list[MoveRow] = [
        {
            "row": row, "uses": use_rows(actor, row.category.id, row.id, row.uses), "rules": rules[row.id],
            "code": codes.get(row.id, ""), "stays": row.category.id == category_plan.category.id,
        }
        for row in category_plan.subcategories
    ]  # fmt: skip
    gaining, losing = (
        user_rows(actor, [(user.kind, user) for user in category_plan.counting if user.gains is gains])
        for gains in (True, False)
    )
    return {
        **move_context(actor, form, key), "rows": rows, "target": category_plan.category.name, "gaining": gaining, "losing": losing,
        "moving": sum(not row["stays"] for row in rows), "seen": plan_digest(category_plan),
        "second": needs_second(actor, category_plan),
    }  # fmt: skip


def plan_digest(category_plan: CategoryMovePlan) -> str:
    """What is compared of a plan when it is confirmed, in 32 characters: one that says anything else of it has another."""
    return hashlib.sha256(json.dumps(move_seen(category_plan), sort_keys=True).encode()).hexdigest()[:32]


def moving_of(category_plan: CategoryMovePlan) -> list[MovedSubcategory]:
    """Those of a plan that move: the others are in the category already."""
    return [row for row in category_plan.subcategories if row.category.id != category_plan.category.id]


def names_of(rows: Sequence[MovedSubcategory]) -> str:
    """Subcategories by name, the first five of many: "Fuel, Taxi"."""
    names = [row.name for row in rows]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def move_message(rows: Sequence[MovedSubcategory], target: str) -> str:
    """That they were moved, in a sentence."""
    return f"{names_of(rows)} {'was' if len(rows) == 1 else 'were'} moved to {target}."


def resent_text(category_plan: CategoryMovePlan) -> str:
    """Where they are after a form was sent again: what an earlier sending did may have been undone since."""
    elsewhere = moving_of(category_plan)
    there = [row for row in category_plan.subcategories if row not in elsewhere]
    sentences = [f"In {category_plan.category.name} now: {names_of(there)}."] if there else []
    sentences += [f"Not in {category_plan.category.name}: {names_of(elsewhere)}."] if elsewhere else []
    return f"This was sent before. {' '.join(sentences)}"


def move_title(category_plan: CategoryMovePlan) -> str:
    """What a move is called: "Fuel, Taxi into Fleet"."""
    return f"{names_of(moving_of(category_plan) or category_plan.subcategories)} into {category_plan.category.name}"


def needs_second(actor: Actor, category_plan: CategoryMovePlan) -> bool:
    """Whether a move waits for a second admin, as a change of a policy does: it takes something out of what a policy counts,
    or into it."""
    return any(row.kind == "spend_policy" for row in category_plan.counting) and requires_second_admin(actor.business)


def move_draft(category_plan: CategoryMovePlan, subcategory_ids: Sequence[str], key: str) -> Draft:
    """The move as it waits for a second admin, with what it changes for budgets and policies. Conflict where one cannot move."""
    if obstacle := next((row.obstacle for row in category_plan.subcategories if row.obstacle), ""):
        raise Conflict(obstacle, code="invalid_state")
    by_source: dict[str, list[MovedSubcategory]] = {}
    for row in moving_of(category_plan):
        by_source.setdefault(row.category.name, []).append(row)
    counts = ((True, "Counts it from now on"), (False, "No longer counts it"))
    return Draft(
        operation=operations_extra.MOVE_SUBCATEGORIES, title=move_title(category_plan), key=key, path={"categoryId": category_plan.category.id},
        body={"subcategory_ids": list(subcategory_ids)}, target_type=CATEGORY_MOVE, target_id=category_plan.category.id,
        seen=move_seen(category_plan),
        sentences=[
            f"Out of {source}: {', '.join(row.name for row in rows)}." for source, rows in by_source.items()
        ],
        consequences=[
            f"{words}: {user.title} ({USER_KINDS.get(user.kind, (user.kind, ''))[0]})."
            for gains, words in counts
            for user in category_plan.counting
            if user.gains is gains
        ],
    )  # fmt: skip
