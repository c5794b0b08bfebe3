"""What a person saw when they decided, small enough to travel in a form and readable enough to say what differs.

A fingerprint is no proof and no secret: it is the viewer's own statement of what was on their screen. It holds what a
person weighs (decisions F.2). Of the risk, which moves by itself, only a higher level or a new red flag is a difference.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from dashboard.access.subject import Subject
from dashboard.client.json import read_untrusted_json
from dashboard.decisions.registry import described_request
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
def _(subject: Expense) -> dict[str, str]:
    return {
        "status": subject.status,
        "amount": text(subject.amount_minor, subject.currency),
        "payee": subject.merchant,
        "holder": subject.employee_name,
        "category": subject.category_name,
        "documents": _documents(subject.payload.get("receipts")),
        "notes": subject.notes,
        "flags": _codes(subject.payload.get("policy_flags")),
    }


@weighed_fields.register
def _(subject: Approval) -> dict[str, str]:
    amount = "" if subject.amount_minor is None else text(subject.amount_minor, subject.currency)
    return {
        "status": subject.status,
        "amount": amount,
        "payee": subject.payee,
        "account": _account(subject),
        "title": subject.title,
        "wallet": subject.org_wallet_ref,
        "documents": _documents(subject.payload.get("documents") or subject.payload.get("attachments")),
        "risk": subject.risk_level,
        "flags": _codes(signal for signal in subject.signals if int(signal.get("weight") or 0) >= RED_FROM),
    }


@weighed_fields.register
def _(subject: ApprovalRequest) -> dict[str, str]:
    return {
        "status": subject.status,
        "amount": "" if subject.amount_minor is None else text(subject.amount_minor, subject.currency),
        "title": subject.title,
        "payee": subject.payee,
        "holder": subject.holder_name,
        "wallet": subject.org_wallet_ref,
        "shipping": ", ".join(str(part) for part in (subject.payload.get("shipping") or {}).values()),
        "documents": _documents(subject.payload.get("documents")),
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
