"""A change of a policy in sentences: what somebody may now do, may no longer do, up to how much, until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import ValidationError

from dashboard.access.models import Business
from dashboard.impact.wallet_rights import Rules, ends_at
from dashboard.mirror.models import WalletPolicy
from dashboard.money import text
from dashboard.schemas.base import JsonObject
from dashboard.schemas.wallet_policies import WalletPolicy as PolicySchema
from dashboard.times import day, local

LIMITS = {"per_transaction": "in one payment", "daily": "in a day", "monthly": "in a month"}


@dataclass(frozen=True)
class Terms:
    """What a policy gives: its permissions, limits in minor units, and days."""

    permissions: frozenset[str] = frozenset()
    limits: Mapping[str, int | None] | None = None
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    reason: str = ""

    @classmethod
    def of(cls, policy: WalletPolicy) -> Terms:
        """The terms of a policy of the copy."""
        limits = {name: policy.limit(name) for name in LIMITS}
        return cls(frozenset(policy.permissions), limits, policy.valid_from, policy.expires_at, policy.reason)

    @classmethod
    def of_payload(cls, payload: JsonObject | None) -> Terms | None:
        """The terms of a policy as the service's payload has it; None where that cannot be read."""
        try:
            policy = PolicySchema.model_validate(payload)
        except ValidationError:
            return None
        limits = {name: getattr(policy.limits, f"{name}_minor") for name in LIMITS}
        return cls(frozenset(policy.permissions), limits, policy.valid_from, policy.expires_at, policy.reason)

    def limit(self, name: str) -> int | None:
        """The limit of this name (LIMITS) in minor units; None where there is none."""
        return (self.limits or {}).get(name)


@dataclass(frozen=True)
class Words:
    """Who is spoken of, and how this business writes amounts and days."""

    person: str
    currency: str
    business: Business
    rules: Rules

    def money(self, minor: int) -> str:
        """Minor units of the wallet's currency as an amount."""
        return text(minor, self.currency, self.business.locale)

    def differences(self, before: Terms, after: Terms) -> list[str]:
        """What changes between two terms of a policy, a sentence for each change."""
        sentences = []
        if added := after.permissions - before.permissions:
            sentences.append(f"{self.person} can now {self.rules.listed(added)}.")
        if removed := before.permissions - after.permissions:
            sentences.append(f"{self.person} can no longer {self.rules.listed(removed)}.")
        for name, spell in LIMITS.items():
            sentences += self._limit(before.limit(name), after.limit(name), spell)
        if before.valid_from != after.valid_from and after.valid_from:
            was = f" instead of {day(before.valid_from, self.business)}" if before.valid_from else ""
            sentences.append(f"It starts on {day(after.valid_from, self.business)}{was}.")
        if before.expires_at != after.expires_at:
            sentences.append(self._end(before.expires_at, after.expires_at))
        if before.reason != after.reason:
            was = f" (was “{before.reason}”)" if before.reason else ""
            sentences.append(f"The reason becomes “{after.reason}”{was}." if after.reason else f"No reason given{was}.")
        return sentences

    def terms(self, given: Terms) -> list[str]:
        """A new policy: what is given, within which limits and days."""
        sentences = [f"{self.person} can {self.rules.listed(given.permissions)}."] if given.permissions else []
        bounds = [f"{self.money(m)} {spell}" for name, spell in LIMITS.items() if (m := given.limit(name)) is not None]
        sentences += [f"{self.person} can move at most {', '.join(bounds)}."] if bounds else []
        begins = f"from {day(given.valid_from, self.business)} " if given.valid_from else ""
        ends = f"until {self._named(given.expires_at)}" if given.expires_at else "without an end date"
        sentences.append(f"It applies {begins}{ends}.")
        return [*sentences, f"The reason: “{given.reason}”."] if given.reason else sentences

    def _limit(self, before: int | None, after: int | None, spell: str) -> list[str]:
        if before == after:
            return []
        if after is None:
            return [f"{self.person} can move any amount {spell} (at most {self.money(before or 0)} before)."]
        was = "no limit before" if before is None else f"{self.money(before)} before"
        verb = "can now move up to" if before is not None and after > before else "can no longer move more than"
        return [f"{self.person} {verb} {self.money(after)} {spell} ({was})."]

    def _end(self, before: datetime | None, after: datetime | None) -> str:
        was = f"ended on {ends_at(before, self.business)} before" if before else "no end date before"
        if after is None:
            return f"{self.person} keeps it without an end date ({was})."
        return f"{self.person} loses all access after {self._named(after)} ({was})."

    def _named(self, end: datetime) -> str:
        """The last day with the day of the week: people think of Friday."""
        return f"{local(end - timedelta(seconds=1), self.business):%A} {ends_at(end, self.business)}"
