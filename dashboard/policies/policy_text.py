"""Spend policies in words: the sentence that a policy is, and what a change makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dashboard.money import text
from dashboard.policies.names import Names
from dashboard.policies.rules import SELF
from dashboard.schemas.policies import EVERY_DAY, SpendingHours, SpendPolicy

POLICY_TYPES = {
    "CHANNEL": "Channel", "CATEGORY": "Category", "SUBCATEGORY": "Subcategory", "VENDOR": "Vendor",
    "DAY_TIME": "Days and hours",
}  # fmt: skip
ACTIONS = {"BLOCK": "Block", "REQUIRE_APPROVAL": "Require approval", "FLAG": "Flag"}
PERIODS = {"DAY": "a day", "WEEK": "a week", "MONTH": "a month", "YEAR": "a year"}
PERIODS_PER_PERSON = {
    "DAY": "per person and day", "WEEK": "per person and week", "MONTH": "per person and month",
    "YEAR": "per person and year",
}  # fmt: skip
POLICY_STATES = {"ACTIVE": ("Active", "ok"), "INACTIVE": ("Inactive", ""), "DELETED": ("Deleted", "bad")}
# Every channel that a policy can be about, the family of several before its members.
CHANNELS = {
    "CARD": "any card purchase", "CARD_PRESENT": "card in a shop", "CONTACTLESS": "contactless card",
    "ECOMMERCE": "card online", "RECURRING": "card subscription", "ATM": "card at an ATM",
    "MPESA": "any M-Pesa payment", "MPESA_SEND_MONEY": "M-Pesa to a phone", "MPESA_PAYBILL": "M-Pesa paybill",
    "MPESA_TILL": "M-Pesa till", "MPESA_POCHI": "M-Pesa Pochi la Biashara", "AIRTIME": "airtime",
    "BANK": "any bank transfer", "BANK_PESALINK": "PesaLink", "BANK_EFT": "EFT", "BANK_RTGS": "RTGS",
    "BANK_SWIFT": "SWIFT", "WALLET": "transfer to another wallet",
}  # fmt: skip
# A family in the sentence of a policy, where it needs no "any".
FAMILIES = {"CARD": "card", "MPESA": "M-Pesa", "BANK": "bank transfer"}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def policy_sentence(spend_policy: SpendPolicy, names: Names) -> str:
    """The policy as one sentence: what it is about, from when it is broken, what follows, and who is exempt."""
    return f"{about_text(spend_policy, names)}{limit_text(spend_policy, names)} {action_text(spend_policy, names)}{exempt_text(spend_policy, names)}."


def policy_title(spend_policy: SpendPolicy) -> str:
    """What a page calls the policy: its name, or its type where it has none."""
    return spend_policy.name or POLICY_TYPES.get(spend_policy.type, spend_policy.type)


def about_text(spend_policy: SpendPolicy, names: Names) -> str:
    """What the policy is about, as the beginning of a sentence: "Spending on Client lunch"."""
    match spend_policy.type:
        case "CHANNEL":
            channel = FAMILIES.get(spend_policy.target) or CHANNELS.get(spend_policy.target, spend_policy.target)
            return f"Spending by {channel}"
        case "SUBCATEGORY":
            return f"Spending on {names.subcategory(spend_policy.target)}"
        case "CATEGORY":
            return f"Spending on anything in {names.category(spend_policy.target)}"
        case "VENDOR" if spend_policy.target == SELF:
            return "Payment to one's own phone"
        case "VENDOR":
            return f"Spending with {names.vendor(spend_policy.target)}"
        case "DAY_TIME":
            return f"Spending outside {_opening_text(spend_policy.window)}"
        case _:
            return f"Spending of the type {spend_policy.type}"


def limit_text(spend_policy: SpendPolicy, names: Names) -> str:
    """From when the policy is broken, as the middle of a sentence: " above KES 5,000.00 each", " above KES 5,000.00 per person
    and day", "" for any amount."""
    if spend_policy.limit_minor is None:
        return ""
    limit = text(spend_policy.limit_minor, spend_policy.currency, names.locale)
    if not spend_policy.period:
        return f" above {limit} each"
    period = limit_period_text(spend_policy.period, per_person=spend_policy.per_person)
    return f" above {limit} {period}" if spend_policy.per_person else f" above {limit} {period} in total"


def limit_period_text(period: str, *, per_person: bool) -> str:
    """What a limit is for, after its amount: "a day", "per person and day"; a period of a later service as it is called."""
    return (PERIODS_PER_PERSON if per_person else PERIODS).get(period, period)


def action_text(spend_policy: SpendPolicy, names: Names) -> str:
    """What follows from a breach, as the end of a sentence."""
    match spend_policy.action:
        case "BLOCK":
            return "is blocked"
        case "FLAG":
            return "is flagged"
        case "REQUIRE_APPROVAL" if spend_policy.workflow_id:
            return f"needs approval by the workflow {names.workflow(spend_policy.workflow_id)}"
        case "REQUIRE_APPROVAL":
            return "needs approval by the policy workflow that matches"
        case _:
            return f"is {spend_policy.action}"


def exempt_text(spend_policy: SpendPolicy, names: Names) -> str:
    """Who is exempt, as the end of a sentence: ", except Field sales and Carla Otieno"; "" for nobody."""
    exempt = [names.team(team_id) for team_id in spend_policy.exempt.team_ids]
    exempt += [names.person(employee_id) for employee_id in spend_policy.exempt.employee_ids]
    return f", except {listed_with(exempt)}" if exempt else ""


def hours_text(window: SpendingHours | None) -> str:
    """Weekdays and hours: "Mon–Fri, 08:00 to 18:00"."""
    if window is None:
        return "no hours"
    opens, closes = window.opens, window.closes
    hours = "" if (opens, closes) == ("00:00", "24:00") else f"{opens} to {closes}"
    if opens >= closes:
        hours += " the next day"
    return ", ".join(filter(None, [days_text(window.weekdays), hours]))


def _opening_text(window: SpendingHours | None) -> str:
    """As `hours_text`, where every day is open for some hours those alone: "06:00 to 22:00"."""
    hours = hours_text(window)
    return hours.removeprefix("every day, ")


def days_text(weekdays: Iterable[int]) -> str:
    """Weekdays in words: "every day", "Mon–Fri", "Mon, Wed and Sat"."""
    days = sorted(set(weekdays) & set(EVERY_DAY))
    if len(days) == len(EVERY_DAY):
        return "every day"
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return f"{DAYS[days[0] - 1]}–{DAYS[days[-1] - 1]}"
    return listed_with([DAYS[day - 1] for day in days]) or "no day"


def listed_with(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: "a, b and c"."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def differences(before: SpendPolicy, after: SpendPolicy, names: Names) -> list[str]:
    """What a change makes of a policy, sentence by sentence; [] where nothing changes."""
    pairs = (
        ("Name", policy_title(before), policy_title(after)),
        ("About", about_text(before, names), about_text(after, names)),
        ("Limit", limit_text(before, names).strip() or "any amount", limit_text(after, names).strip() or "any amount"),
        ("Action", action_text(before, names), action_text(after, names)),
        ("Exempt", _exempt_words(before, names), _exempt_words(after, names)),
        ("Status", _state(before.status), _state(after.status)),
    )
    return [f"{what}: {was} becomes {becomes}." for what, was, becomes in pairs if was != becomes]


def _exempt_words(spend_policy: SpendPolicy, names: Names) -> str:
    return exempt_text(spend_policy, names).removeprefix(", except ") or "nobody"


def _state(status: str) -> str:
    return POLICY_STATES.get(status, (status, ""))[0].lower()
