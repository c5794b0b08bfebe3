"""Risk signals and policy flags in words: a sentence per code, with the numbers it used."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from dashboard.access.models import Business
from dashboard.mirror.mappers import moment
from dashboard.money import text
from dashboard.times import day_and_time

WORDS = {
    "duplicate_invoice": "Looks like one that was paid already",
    "payee_details_changed": "The payee's details changed not long ago",
    "shared_payee_account": "The account also belongs to somebody else here",
    "new_vendor_first_payment": "First payment to this payee",
    "amount_outlier": "Far above what is usual",
    "just_below_threshold": "Just below an approval band",
    "split_payments": "Several payments in a day that together cross a band",
    "round_amount": "A round amount without lines",
    "odd_time": "Asked for outside business hours",
    "urgency_bank_change": "Due today, to an account that has just changed",
    "policy_exception": "An exception to a policy",
    "missing_document": "A document is missing",
    "budget_overrun": "Over the budget",
    "requester_new_or_elevated": "The requester's role is new",
    "tax_pin_missing": "The payee has no tax PIN",
}


class Evidence:
    """The numbers of a signal, written as this business writes them; a missing one is an empty text."""

    def __init__(self, found: Mapping[str, Any], currency: str, business: Business) -> None:
        self.found, self.currency, self.business = found, currency, business

    def said(self, name: str) -> str:
        """A value as it came."""
        return str(self.found.get(name) or "")

    def number(self, name: str) -> int:
        """A whole number; 0 where there is none."""
        value = str(self.found.get(name))
        return int(value) if value.isdecimal() else 0

    def money(self, name: str) -> str:
        """An amount of minor units, with its currency."""
        return text(self.number(name), self.currency, self.business.locale)

    def time(self, name: str) -> str:
        """A moment on the business's clock."""
        when: datetime | None = moment(self.found.get(name))
        return day_and_time(when, self.business) if when else self.said(name)

    def others(self, name: str) -> str:
        """ " and 5 more", where a count is of more than one."""
        more = self.number(name) - 1
        return f" and {more} more" if more > 0 else ""


def _outlier(seen: Evidence) -> str:
    usual, now = seen.number("usual_minor"), seen.number("amount_minor")
    if not usual:
        return WORDS["amount_outlier"]
    tenths = now * 10 // usual
    times = f"{tenths // 10}.{tenths % 10}"
    return (
        f"{times} × the usual for {seen.said('receiver') or 'this payee'} "
        f"(usually {seen.money('usual_minor')}, {seen.number('payments')} payments)"
    )


def _below(seen: Evidence) -> str:
    others = seen.number("others_in_7_days")
    more = f"; {others} others in 7 days" if others else ""
    return f"{seen.money('amount_minor')} is just below {seen.money('threshold_minor')}, where another mandate begins{more}"


POLICIES = {
    "DAY_TIME": "hours of spending", "VENDOR": "vendors", "CATEGORY": "categories", "SUBCATEGORY": "categories",
    "CHANNEL": "ways to pay", "EMPLOYEE": "people", "TEAM": "teams",
}  # fmt: skip


def _policy(seen: Evidence) -> str:
    about = POLICIES.get(seen.said("type"))
    policy = f"the policy on {about}" if about else "a policy"
    says = f": {seen.said('says')}" if seen.said("says") else ""
    return f"Exempt from {policy}{says}" if seen.said("outcome") == "EXEMPT" else f"Outside {policy}{says}"


SENTENCES: dict[str, Callable[[Evidence], str]] = {
    "amount_outlier": _outlier,
    "just_below_threshold": _below,
    "duplicate_invoice": lambda seen: (
        f"Bill {seen.said('bill')} looks like {seen.said('earlier')}: {seen.said('reason').replace('_', ' ')}"
        if seen.said("bill")
        else f"{seen.said('receiver')} was to get {seen.money('amount_minor')} before: {seen.said('earlier')}"
    ),
    "policy_exception": _policy,
    "tax_pin_missing": lambda seen: f"{seen.said('vendor')} has no tax PIN, though tax is withheld",
    "payee_details_changed": lambda seen: (
        f"Account of {seen.said('receiver')} changed, ···{seen.said('before_ends')} → ···{seen.said('account_ends')}"
    ),
    "shared_payee_account": lambda seen: (
        f"Account ···{seen.said('account_ends')} of {seen.said('receiver')} is also that of {seen.said('also')}"
    ),
    "new_vendor_first_payment": lambda seen: f"First payment to {seen.said('receiver')}{seen.others('count')}",
    "split_payments": lambda seen: (
        f"{seen.number('payments')} payments to {seen.said('receiver')} in a day, together "
        f"{seen.money('sum_minor')}, over {seen.money('threshold_minor')}"
    ),
    "requester_new_or_elevated": lambda seen: f"The requester has this role only since {seen.time('since')}",
    "odd_time": lambda seen: f"Asked for outside business hours: {seen.time('requested_at')}",
    "round_amount": lambda seen: (
        f"A round amount in {seen.number('items')} row{'s' if seen.number('items') > 1 else ''}"
    ),
    "missing_document": lambda seen: (
        f"No document is attached to bill {seen.said('bill')}, over {seen.money('amount_minor')}"
    ),
    "budget_overrun": lambda seen: (
        f"Over budget {seen.said('budget')} of {seen.money('amount_minor')} by {seen.money('over_minor')}"
    ),
    "urgency_bank_change": lambda seen: f"Due {seen.said('due')}, to an account that has just changed",
}


def in_words(signal: Any, currency: str, business: Business) -> str:
    """A signal ({code, weight, evidence}) or a flag (a code, or {code, message}) as a sentence with its numbers."""
    if not isinstance(signal, Mapping):
        return WORDS.get(str(signal), _plain(signal))
    code, evidence = str(signal.get("code") or ""), signal.get("evidence")
    if code in SENTENCES and isinstance(evidence, Mapping) and evidence:
        return SENTENCES[code](Evidence(evidence, currency, business))
    told = str(signal.get("message") or "") or WORDS.get(code, _plain(code))
    seen = _listed(evidence)
    return f"{told}: {seen}" if seen else told


def _plain(code: Any) -> str:
    return str(code).replace("_", " ").capitalize()


def _listed(evidence: Any) -> str:
    if isinstance(evidence, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_listed(value)}" for name, value in evidence.items())
    if isinstance(evidence, list):
        return ", ".join(_listed(each) for each in evidence)
    return "" if evidence is None else str(evidence)
