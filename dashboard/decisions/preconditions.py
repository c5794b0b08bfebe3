"""What must hold of an item for a decision on it: it is as it was seen, and no policy stands against approving it.

Both are asked before the click, when it is submitted, in a plan, and again before it is sent.

A fingerprint is what a person saw when they decided, small enough to travel in a form and readable enough to say what
differs. It is no proof and no secret: it is the viewer's own statement of what was on their screen. It holds what a person
weighs (decisions F.2). Of the risk, which moves by itself, only a higher level or a new red flag is a difference.

A policy stands against an approval where a required receipt is missing, with each flag of a policy, and with each other red
flag that nobody has dismissed. Rejecting and requesting details are never blocked. Whoever holds one of the business's override roles may approve all the
same, with a reason that stands in the decision and in the audit.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.access.subject import Subject
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import line
from dashboard.client.json import read_untrusted_json
from dashboard.decisions.described_requests import described_request
from dashboard.decisions.desk_items import ItemFlag
from dashboard.decisions.registry import kind_of
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.models import Approval, ApprovalRequest, Expense
from dashboard.money import text

LEVELS = ("LOW", "MEDIUM", "HIGH", "CRITICAL")
# A signal of such a weight is a red flag (decisions B.13).
RED_FROM = 30


@dataclass(frozen=True)
class Difference:
    """A field that changed: what was seen, and what is there now."""

    field: str
    seen: str
    now: str

    def __str__(self) -> str:
        return f"{self.field}: {self.seen or 'nothing'} → {self.now or 'nothing'}"


@singledispatch
def weighed_fields(subject: object) -> dict[str, str]:
    """What a decision on this item depends on, by name; TypeError for a kind nobody has described."""
    raise TypeError(f"no function says what a decision on {type(subject).__name__} depends on")


@weighed_fields.register
def _(expense: Expense) -> dict[str, str]:
    return {
        "status": expense.status,
        "amount": text(expense.amount_minor, expense.currency),
        "payee": expense.merchant,
        "holder": expense.employee_name,
        "category": expense.category_name,
        "documents": _documents(expense.payload.get("receipts")),
        "notes": expense.notes,
        "flags": _codes(expense.payload.get("policy_flags")),
    }


@weighed_fields.register
def _(approval: Approval) -> dict[str, str]:
    amount = "" if approval.amount_minor is None else text(approval.amount_minor, approval.currency)
    return {
        "status": approval.status,
        "amount": amount,
        "payee": approval.payee,
        "account": _account(approval),
        "title": approval.title,
        "wallet": approval.org_wallet_ref,
        "documents": _documents(approval.payload.get("documents") or approval.payload.get("attachments")),
        "risk": approval.risk_level,
        "flags": _codes(signal for signal in approval.signals if int(signal.get("weight") or 0) >= RED_FROM),
    }


@weighed_fields.register
def _(row: ApprovalRequest) -> dict[str, str]:
    return {
        "status": row.status,
        "amount": "" if row.amount_minor is None else text(row.amount_minor, row.currency),
        "title": row.title,
        "payee": row.payee,
        "holder": row.holder_name,
        "wallet": row.org_wallet_ref,
        "shipping": ", ".join(str(part) for part in (row.payload.get("shipping") or {}).values()),
        "documents": _documents(row.payload.get("documents")),
    }


@weighed_fields.register
def _(subject: Subject) -> dict[str, str]:
    return {"title": subject.title, "amount": str(subject.amount_minor or "")}


def _documents(files: object) -> str:
    if not isinstance(files, list):
        return ""
    return ", ".join(sorted(str(file.get("file_name") or file.get("_id")) for file in files if isinstance(file, dict)))


def _codes(flags: Iterable[Mapping[str, Any] | str] | None) -> str:
    # The flags of an expense come as codes alone (interface, "Expenses"), signals of risk as objects that have one.
    codes = {str(flag.get("code") or "") if isinstance(flag, Mapping) else str(flag) for flag in flags or []} - {""}
    return ", ".join(sorted(code.replace("_", " ") for code in codes))


def _account(approval: Approval) -> str:
    """Which account a bill payment goes to: its end for the eye, a digest for the rest."""
    paid = described_request(approval) if approval.kind == "BILL_PAYMENT" else None
    parts = (
        [str(paid.payload.get(name) or "") for name in ("bank_code", "account", "account_reference")] if paid else []
    )
    whole = " ".join(filter(None, parts))
    return f"…{whole[-4:]} ({hashlib.blake2s(whole.encode(), digest_size=4).hexdigest()})" if whole else ""


def fingerprint_of(subject: object) -> str:
    """The fingerprint of an item as it is now, for the hidden field of a form."""
    values = json.dumps(weighed_fields(subject), separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(values.encode()).decode().rstrip("=")


def differences(fingerprint: str, subject: object) -> list[Difference]:
    """What differs, of what a person weighs, between what was seen and what is there now.

    One line saying so where the field was garbled.
    """
    now = weighed_fields(subject)
    seen = _seen(fingerprint)
    if seen is None:
        return [Difference("page", "an older form", "this one")]
    compared = [WEIGHED.get(name, _changed)(name, seen.get(name, ""), value) for name, value in now.items()]
    return [difference for difference in compared if difference is not None]


def _seen(fingerprint: str) -> dict[str, str] | None:
    """The values of a fingerprint, by name; None where it is none: it comes from whoever sends a form."""
    try:
        seen = read_untrusted_json(base64.urlsafe_b64decode(fingerprint + "=" * (-len(fingerprint) % 4)))
    except (binascii.Error, ValueError):
        return None
    return seen if isinstance(seen, dict) and all(isinstance(value, str) for value in seen.values()) else None


def _changed(name: str, seen: str, now: str) -> Difference | None:
    return Difference(name, seen, now) if seen != now else None


def _higher(name: str, seen: str, now: str) -> Difference | None:
    def rank(level: str) -> int:
        return LEVELS.index(level) if level in LEVELS else 0

    return Difference(name, seen.lower(), now.lower()) if rank(now) > rank(seen) else None


def _new_flags(name: str, seen: str, now: str) -> Difference | None:
    new = sorted(set(now.split(", ")) - set(seen.split(", ")) - {""})
    return Difference("new red flag", "none", ", ".join(_flag_name(flag) for flag in new)) if new else None


def _flag_name(flag: str) -> str:
    """`CATEGORY:65f…`, the flag of one policy, as "category policy": its id says nothing to a person."""
    kind, of_policy, _ = flag.partition(":")
    return f"{kind.lower()} policy" if of_policy else flag


WEIGHED: Mapping[str, Callable[[str, str, str], Difference | None]] = {"risk": _higher, "flags": _new_flags}


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
