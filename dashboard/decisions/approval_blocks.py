"""What a policy says against approving an item: a required receipt that is missing, each flag of a policy, and each
other red flag nobody has dismissed.

It is asked wherever something is approved: before the click, when it is submitted, in a plan, and again before it is sent.
Rejecting and requesting details are never blocked. Whoever holds one of the business's override roles may approve all the
same, with a reason that stands in the decision and in the audit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import line
from dashboard.decisions.desk_items import ItemFlag
from dashboard.decisions.registry import kind_of
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.models import Expense

# What the audit calls an approval against what a policy says.
OVERRIDE = "override_policy"
RECEIPT_MISSING = "A receipt is required and none is attached."

# By remote id, the red flags of rows of one class; said by whoever shows such rows, in the words that are dismissed.
RedFlags = Callable[[Business, Sequence[Any]], Mapping[str, Sequence[ItemFlag]]]
# By remote id, the keys of the flags that somebody has dismissed, of rows of a kind.
Dismissed = Callable[[Business, str, Iterable[str]], Mapping[str, frozenset[str]]]
RED_FLAGS: dict[type, RedFlags] = {}
DISMISSED: list[Dismissed] = []


class ApprovalBlocked(Conflict):
    """A policy stands against approving it, and it was not overridden."""

    happened = "A policy blocks this approval."
    advice = "Request what is missing, dismiss the risk flag, or override with a reason where your role may."


def register_red_flags(model: type, reader: RedFlags) -> None:
    """Makes known which red flags rows of a class have; a class has one reader."""
    if RED_FLAGS.setdefault(model, reader) is not reader:
        raise TypeError(f"there are two readers of the red flags of {model.__name__}")


def register_dismissals(reader: Dismissed) -> None:
    """Makes known who knows what was dismissed; there is one of them."""
    if DISMISSED and DISMISSED[0] is not reader:
        raise TypeError("there are two readers of dismissals")
    DISMISSED[:] = [reader]


def can_be_blocked(operation: Operation) -> bool:
    """Whether a policy can block it: an approval."""
    return operation.name.startswith("approve_")


def blocks_of(business: Business, rows: Sequence[Any]) -> dict[str, list[str]]:
    """What a policy says against approving each of these rows of one class, in sentences by remote id; rows without a block
    are left out. A fixed number of queries, however many rows there are."""
    if not rows:
        return {}
    reader = RED_FLAGS.get(type(rows[0]))
    red = reader(business, rows) if reader is not None else {}
    flagged = [remote_id for remote_id, flags in red.items() if flags]
    dismissed = DISMISSED[0](business, kind_of(rows[0]), flagged) if flagged and DISMISSED else {}
    blocks = {}
    for row in rows:
        standing = [RECEIPT_MISSING] if _misses_receipt(row) else []
        ended = dismissed.get(row.remote_id, frozenset())
        standing += [flag.text for flag in red.get(row.remote_id, ()) if flag.of_policy or flag.key not in ended]
        if standing:
            blocks[row.remote_id] = standing
    return blocks


def dismissed_flags(business: Business, rows: Sequence[Any]) -> dict[str, list[ItemFlag]]:
    """The red flags of these rows of one class that somebody has dismissed, by remote id; the others are left out."""
    if not rows or not DISMISSED or (reader := RED_FLAGS.get(type(rows[0]))) is None:
        return {}
    dismissed = DISMISSED[0](business, kind_of(rows[0]), [row.remote_id for row in rows])
    touched = [row for row in rows if row.remote_id in dismissed]
    red = reader(business, touched) if touched else {}
    return {
        remote_id: [flag for flag in flags if flag.is_dismissible and flag.key in dismissed[remote_id]]
        for remote_id, flags in red.items()
    }


def _misses_receipt(row: Any) -> bool:
    return isinstance(row, Expense) and bool(row.payload.get("receipt_required")) and not row.has_receipt


def may_override(actor: Actor) -> Verdict:
    """Whether the actor's role may approve what a policy blocks: at the service and here."""
    named = {Role(role) for role in actor.business.override_roles if role in Role.values}
    if actor.roles_held <= named:
        return Verdict(True)
    labels = " or ".join(sorted(role.label for role in named))
    allowed = f"The role {labels} can override it." if labels else "No role can override it."
    return Verdict(False, f"A policy blocks this approval. {allowed}", rule="override")


def check_policy(actor: Actor, operation: Operation, subject: Any, *, override: bool, reason: str) -> list[str]:
    """The blocks that this approval overrides, [] where there are none.

    PolicyBlocked where there are blocks and no override, or the actor may not override; Rejected without a reason.
    """
    blocks = blocks_of(actor.business, [subject]).get(subject.remote_id, []) if can_be_blocked(operation) else []
    if not blocks:
        return []
    if not override:
        raise ApprovalBlocked(" ".join(blocks), code="policy_blocked")
    if not (verdict := may_override(actor)):
        raise ApprovalBlocked(verdict.reason, code="override")
    if not reason.strip():
        raise Rejected("Enter a reason: overriding a policy needs one.", code="reason_missing")
    return blocks


def check_not_blocked_since(business: Business, operation: Operation, subject: Any, overridden: Sequence[str]) -> None:
    """PolicyBlocked where a block stands now that was not there, and not overridden, when it was submitted."""
    if not can_be_blocked(operation):
        return
    new = [block for block in blocks_of(business, [subject]).get(subject.remote_id, []) if block not in overridden]
    if new:
        raise ApprovalBlocked(" ".join(new), code="policy_blocked")


def override_line(actor: Actor, subject: Any, blocks: Sequence[str], reason: str, title: str) -> AuditEntry:
    """What the audit says of an approval that overrides a policy, not written yet."""
    return line(
        actor, OVERRIDE, subject, Outcome.NOTED, sentence=f"overrode policy to approve {title}"[:500], reason=reason,
        after={"blocks": " ".join(blocks)},
    )  # fmt: skip
