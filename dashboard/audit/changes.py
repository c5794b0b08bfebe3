"""The changes of a line in words: fields by their names, codes and yes or no as people say them."""

import re
from dataclasses import dataclass
from typing import Any

from dashboard.audit.models import AuditEntry

# A code of the interface: PENDING, DAY_TIME. Three capitals alone are a currency, and stay.
CODE = re.compile(r"(?=.{4})[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
IDENTIFIER = re.compile(r"[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
FIELD_NAMES = {
    "taxPin": "tax PIN", "team_id": "team", "wallet_id": "wallet", "employee_id": "person", "rule": "rule",
    "category_id": "category", "subcategory_id": "category", "customer_id": "customer", "vendor_id": "vendor",
    "per_transaction": "for each transaction", "expires_at": "ends", "valid_from": "begins",
}  # fmt: skip
# Rules of dashboard/access/rules.py and of the gate, which a denial names.
RULES = {
    "role": "role", "rows": "no access", "business": "another business", "not_own": "own item",
    "not_self": "about themselves", "not_read_only": "read only", "mandate": "mandate",
}  # fmt: skip


@dataclass(frozen=True)
class FieldChange:
    """A field that was changed: its name, and its value before and after in words ("" for none)."""

    name: str
    before: str
    after: str


def changes_of(entry: AuditEntry) -> list[FieldChange]:
    """The changes of a line, in the order in which they were written."""
    before, after = entry.before or {}, entry.after or {}
    return [
        FieldChange(field_in_words(name), value_in_words(before.get(name), name), value_in_words(after.get(name), name))
        for name in {**before, **after}
    ]


def field_in_words(name: str) -> str:
    """ "dailyLimit" and "daily_limit" are both "daily limit"; what is no identifier was written in words already."""
    if not IDENTIFIER.fullmatch(name):
        return name
    return FIELD_NAMES.get(name) or HUMP.sub(" ", name).replace("_", " ").lower().removesuffix(" id")


def value_in_words(value: Any, name: str = "") -> str:
    """A value as people say it: "yes", "day time", "Approve, View"; "" for nothing, texts and figures as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{field_in_words(key)} {value_in_words(item)}".strip() for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(value_in_words(item) for item in value)
    text = str(value)
    if name == "rule":
        return RULES.get(text, text.replace("_", " "))
    return text.replace("_", " ").capitalize() if CODE.fullmatch(text) else text
