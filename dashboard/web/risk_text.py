"""Risk signals and policy flags in words: a sentence per code, with the numbers it used."""

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from dashboard.access.models import Business
from dashboard.inputs import LARGEST_MINOR, whole_number
from dashboard.mirror.mappers import moment
from dashboard.money import text as amount_text
from dashboard.times import day_and_time

WORDS = {
    "duplicate_invoice": "Looks like one already paid",
    "payee_details_changed": "The payee's details changed recently",
    "shared_payee_account": "The account also belongs to another payee",
    "new_vendor_first_payment": "First payment to this payee",
    "amount_outlier": "Far above the usual amount",
    "just_below_threshold": "Just below an approval threshold",
    "split_payments": "Several payments in a day that add up to more than a threshold",
    "round_amount": "A round amount without lines",
    "odd_time": "Requested outside business hours",
    "urgency_bank_change": "Due today, to an account that changed recently",
    "policy_exception": "An exception to a policy",
    "missing_document": "A document is missing",
    "budget_overrun": "Over the budget",
    "requester_new_or_elevated": "The requester's role is new",
    "tax_pin_missing": "The payee has no tax PIN",
}


# What a signal rests on, by its name: counts and minor units, texts and ISO times; the interface, "Risk".
SignalEvidence = Mapping[str, str | int | Decimal | None]


class Evidence:
    """The numbers of a signal, written as this business writes them; a missing one is an empty text."""

    def __init__(self, values: SignalEvidence, currency: str, business: Business) -> None:
        self.values, self.currency, self.business = values, currency, business

    def text(self, name: str) -> str:
        """A value as it came; "" where there is none."""
        return str(self.values.get(name) or "")

    def number(self, name: str) -> int:
        """A whole number; 0 where there is none."""
        return whole_number(str(self.values.get(name)), LARGEST_MINOR) or 0

    def money(self, name: str) -> str:
        """An amount of minor units, with its currency."""
        return amount_text(self.number(name), self.currency, self.business.locale)

    def time(self, name: str) -> str:
        """A moment on the business's clock."""
        when: datetime | None = moment(self.values.get(name))
        return day_and_time(when, self.business) if when else self.text(name)

    def others(self, name: str) -> str:
        """ " and 5 more", where a count is of more than one."""
        more = self.number(name) - 1
        return f" and {more} more" if more > 0 else ""


def _outlier(evidence: Evidence) -> str:
    usual, now = evidence.number("usual_minor"), evidence.number("amount_minor")
    if not usual:
        return WORDS["amount_outlier"]
    tenths = now * 10 // usual
    times = f"{tenths // 10}.{tenths % 10}"
    return (
        f"{times} × the usual for {evidence.text('receiver') or 'this payee'} "
        f"(usually {evidence.money('usual_minor')}, {evidence.number('payments')} payments)"
    )


def _below(evidence: Evidence) -> str:
    others = evidence.number("others_in_7_days")
    more = f"; {others} others in 7 days" if others else ""
    return f"{evidence.money('amount_minor')} is just below {evidence.money('threshold_minor')}, where another mandate begins{more}"


POLICIES = {
    "DAY_TIME": "hours of spending", "VENDOR": "vendors", "CATEGORY": "categories", "SUBCATEGORY": "categories",
    "CHANNEL": "ways to pay", "EMPLOYEE": "people", "TEAM": "teams",
}  # fmt: skip


def _policy(evidence: Evidence) -> str:
    about = POLICIES.get(evidence.text("type"))
    policy = f"the policy on {about}" if about else "a policy"
    detail = f": {evidence.text('says')}" if evidence.text("says") else ""
    return f"Exempt from {policy}{detail}" if evidence.text("outcome") == "EXEMPT" else f"Outside {policy}{detail}"


SENTENCES: dict[str, Callable[[Evidence], str]] = {
    "amount_outlier": _outlier,
    "just_below_threshold": _below,
    "duplicate_invoice": lambda evidence: (
        f"Bill {evidence.text('bill')} looks like {evidence.text('earlier')}: {evidence.text('reason').replace('_', ' ').lower()}"
        if evidence.text("bill")
        else f"{evidence.text('receiver')} already has a payment of {evidence.money('amount_minor')}: {evidence.text('earlier')}"
    ),
    "policy_exception": _policy,
    "tax_pin_missing": lambda evidence: f"{evidence.text('vendor')} has no tax PIN, though tax is withheld",
    "payee_details_changed": lambda evidence: (
        f"Account of {evidence.text('receiver')} changed, ···{evidence.text('before_ends')} → ···{evidence.text('account_ends')}"
    ),
    "shared_payee_account": lambda evidence: (
        f"Account ···{evidence.text('account_ends')} of {evidence.text('receiver')} also belongs to {evidence.text('also')}"
    ),
    "new_vendor_first_payment": lambda evidence: (
        f"First payment to {evidence.text('receiver')}{evidence.others('count')}"
    ),
    "split_payments": lambda evidence: (
        f"{evidence.number('payments')} payments to {evidence.text('receiver')} in a day, total "
        f"{evidence.money('sum_minor')}, over {evidence.money('threshold_minor')}"
    ),
    "requester_new_or_elevated": lambda evidence: f"The requester has this role only since {evidence.time('since')}",
    "odd_time": lambda evidence: f"Requested outside business hours: {evidence.time('requested_at')}",
    "round_amount": lambda evidence: (
        f"A round amount in {evidence.number('items')} row{'s' if evidence.number('items') > 1 else ''}"
    ),
    "missing_document": lambda evidence: (
        f"No document is attached to bill {evidence.text('bill')}, over {evidence.money('amount_minor')}"
    ),
    "budget_overrun": lambda evidence: (
        f"Over budget {evidence.text('budget')} of {evidence.money('amount_minor')} by {evidence.money('over_minor')}"
    ),
    "urgency_bank_change": lambda evidence: f"Due {evidence.text('due')}, to an account that changed recently",
}


def in_words(signal: Any, currency: str, business: Business) -> str:
    """A signal ({code, weight, evidence}) or a flag (a code, or {code, message}) as a sentence with its numbers."""
    if not isinstance(signal, Mapping):
        kind, of_policy, _ = str(signal).partition(":")
        return _policy_flag(kind) if of_policy else WORDS.get(kind, _plain(kind))
    code, evidence = str(signal.get("code") or ""), signal.get("evidence")
    if code in SENTENCES and isinstance(evidence, Mapping) and evidence:
        return SENTENCES[code](Evidence(evidence, currency, business))
    sentence = str(signal.get("message") or "") or WORDS.get(code, _plain(code))
    values = _listed(evidence)
    return f"{sentence}: {values}" if values else sentence


def _policy_flag(kind: str) -> str:
    # `CATEGORY:65f…`: which kind of policy flags an expense, and the policy's id, which says nothing to a person.
    if kind == "APPROVAL":
        return "A policy requires approval"
    return f"Outside the policy on {POLICIES[kind]}" if kind in POLICIES else "Outside a policy"


def _plain(code: Any) -> str:
    return str(code).replace("_", " ").capitalize()


def _listed(evidence: Any) -> str:
    if isinstance(evidence, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_listed(value)}" for name, value in evidence.items())
    if isinstance(evidence, list):
        return ", ".join(_listed(value) for value in evidence)
    return "" if evidence is None else str(evidence)
