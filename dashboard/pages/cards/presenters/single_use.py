"""The policy of single-use cards as sentences, and two of them as what differs between them."""

from typing import TypedDict

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.access.models import Business
from dashboard.commands import cards
from dashboard.conversation.timeline import TimelineMoment, timeline_of
from dashboard.mirror.cached_responses import CachedResponse
from dashboard.money import text
from dashboard.pages.cards.presenters.controls import ControlChange
from dashboard.schemas.cards import OnceLimit, OncePolicy
from dashboard.times import as_of


class SingleUseContext(TypedDict):
    """What cards/once_policy.html reads: what the policy says, whether single-use cards can be requested, and what was changed
    about it."""

    here: str
    sentences: list[str]
    enabled: bool
    may_change: Verdict
    moments: list[TimelineMoment]
    trouble: str
    seen: str


def single_use_context(actor: Actor, once_policy: OncePolicy, cached: CachedResponse) -> SingleUseContext:
    """The policy as it was read, with its history."""
    return {
        "here": "policy",
        "sentences": policy_sentences(once_policy, actor.business),
        "enabled": once_policy.enabled,
        "may_change": can_open(actor, operations_extra.SET_SINGLE_USE_POLICY),
        "moments": timeline_of(actor, cards.POLICY, "cards"),
        "trouble": cached.trouble,
        "seen": as_of(cached.as_of, actor.business),
    }


def policy_sentences(once_policy: OncePolicy, business: Business) -> list[str]:
    """The policy, a sentence for each of its terms."""
    if not once_policy.enabled:
        return ["Nobody can request a single-use card."]
    sentences = ["Everybody can request a single-use card."]
    for limit in once_policy.limits:
        alone = f"up to {_money(limit.auto_approve_up_to, limit.currency, business)} no approval is needed"
        nobody = alone if limit.auto_approve_up_to else "every request needs approval"
        sentences.append(
            f"In {limit.currency} the maximum is {_money(limit.max_amount, limit.currency, business)}; {nobody}."
        )
    others = "any other currency" if once_policy.limits else "every currency"
    return [
        *sentences,
        f"In {others} there is no limit, and every request needs approval.",
        f"An unused card is locked after {_days(once_policy.valid_days)}.",
        f"At most {once_policy.max_open} open request{'' if once_policy.max_open == 1 else 's'} per person.",
    ]


def policy_changes(before: OncePolicy, after: OncePolicy, business: Business) -> list[ControlChange]:
    """The terms that differ between two policies, each as it was and as it would be."""
    changes = [
        ControlChange("Can be requested", _yes(before.enabled), _yes(after.enabled)),
        ControlChange("Locked if unused after", _days(before.valid_days), _days(after.valid_days)),
        ControlChange("Open requests per person", str(before.max_open), str(after.max_open)),
    ]
    was, now = ({limit.currency: limit for limit in policy.limits} for policy in (before, after))
    for currency in sorted(was.keys() | now.keys()):
        old, new = was.get(currency), now.get(currency)
        changes.append(ControlChange(f"Maximum in {currency}", _most(old, business), _most(new, business)))
        changes.append(ControlChange(f"Without approval in {currency}", _alone(old, business), _alone(new, business)))
    return [change for change in changes if change.before != change.after]


def _money(minor: int, currency: str, business: Business) -> str:
    return text(minor, currency, business.locale)


def _yes(enabled: bool) -> str:
    return "by everybody" if enabled else "by nobody"


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"


def _most(once_limit: OnceLimit | None, business: Business) -> str:
    return "no limit" if once_limit is None else _money(once_limit.max_amount, once_limit.currency, business)


def _alone(once_limit: OnceLimit | None, business: Business) -> str:
    if once_limit is None or not once_limit.auto_approve_up_to:
        return "nothing"
    return f"up to {_money(once_limit.auto_approve_up_to, once_limit.currency, business)}"
