"""What a person saw when they decided, small enough to travel in a form and readable enough to say what differs.

A fingerprint is no proof and no secret: it is the viewer's own statement of what was on their screen.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from functools import singledispatch

from dashboard.access.subject import Subject
from dashboard.client.money import text
from dashboard.mirror.models import Approval, Expense, Request


@dataclass(frozen=True)
class Difference:
    """One thing that changed: what was seen, and what is there now."""

    field: str
    seen: str
    now: str

    def __str__(self) -> str:
        return f"{self.field}: {self.seen or 'nothing'} → {self.now or 'nothing'}"


@singledispatch
def seen_in(subject: object) -> dict[str, str]:
    """What a decision on this thing depends on, by name; TypeError for a kind nobody has described."""
    raise TypeError(f"nobody has said what a decision on a {type(subject).__name__} depends on")


@seen_in.register
def _(subject: Expense) -> dict[str, str]:
    return {
        "status": subject.status,
        "amount": text(subject.amount_minor, subject.currency),
        "payee": subject.merchant,
        "holder": subject.employee_name,
        "category": subject.category_name,
        "documents": _documents(subject.payload.get("receipts")),
        "notes": subject.notes,
    }


@seen_in.register
def _(subject: Approval) -> dict[str, str]:
    amount = "" if subject.amount_minor is None else text(subject.amount_minor, subject.currency)
    return {
        "status": subject.status,
        "amount": amount,
        "payee": subject.payee,
        "title": subject.title,
        "wallet": subject.org_wallet_ref,
        "documents": _documents(subject.payload.get("documents") or subject.payload.get("attachments")),
        "risk": subject.risk_level,
    }


@seen_in.register
def _(subject: Request) -> dict[str, str]:
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


@seen_in.register
def _(subject: Subject) -> dict[str, str]:
    return {"title": subject.title, "amount": str(subject.amount_minor or "")}


def _documents(files: object) -> str:
    if not isinstance(files, list):
        return ""
    return ", ".join(sorted(str(one.get("file_name") or one.get("_id")) for one in files if isinstance(one, dict)))


def fingerprint_of(subject: object) -> str:
    """The fingerprint of a thing as it is now, for the hidden field of a form."""
    values = json.dumps(seen_in(subject), separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(values.encode()).decode().rstrip("=")


def differences(fingerprint: str, subject: object) -> list[Difference]:
    """What differs between what was seen and what is there now; one line saying so where the field was garbled."""
    now = seen_in(subject)
    try:
        seen = json.loads(base64.urlsafe_b64decode(fingerprint + "=" * (-len(fingerprint) % 4)))
    except (binascii.Error, ValueError):
        seen = None
    if not isinstance(seen, dict):
        return [Difference("page", "an older form", "this one")]
    return [
        Difference(name, str(seen.get(name, "")), value) for name, value in now.items() if seen.get(name, "") != value
    ]
