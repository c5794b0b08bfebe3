"""Risk signals and policy flags in words: what each code means, and the number it used."""

from collections.abc import Mapping
from typing import Any

WORDS = {
    "duplicate_invoice": "Looks like one that was paid already",
    "payee_details_changed": "The payee's details changed not long ago",
    "shared_payee_account": "The account also belongs to somebody else here",
    "new_vendor_first_payment": "First payment to this payee",
    "amount_outlier": "Far above what is usual for this payee",
    "just_below_threshold": "Just below an approval band",
    "split_payments": "Several payments in a day that together cross a band",
    "round_amount": "A round amount without lines",
    "odd_time": "Asked for outside business hours",
    "urgency_bank_change": "Due today, to an account that has just changed",
    "policy_exception": "An exception to a policy",
    "missing_document": "A document is missing",
    "budget_overrun": "Over the budget",
    "requester_new_or_elevated": "The requester's role changed this week",
    "tax_pin_missing": "The payee has no tax PIN",
}


def in_words(signal: Any) -> str:
    """A signal ({code, weight, evidence}) or a flag (a code, or {code, message}) as a sentence with its evidence."""
    if not isinstance(signal, Mapping):
        return WORDS.get(str(signal), str(signal).replace("_", " ").capitalize())
    code = str(signal.get("code") or "")
    told = str(signal.get("message") or "") or WORDS.get(code, code.replace("_", " ").capitalize())
    evidence = _evidence(signal.get("evidence"))
    return f"{told}: {evidence}" if evidence else told


def _evidence(evidence: Any) -> str:
    if isinstance(evidence, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_evidence(value)}" for name, value in evidence.items())
    if isinstance(evidence, list):
        return ", ".join(_evidence(each) for each in evidence)
    return "" if evidence is None else str(evidence)
