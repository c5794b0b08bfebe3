"""The forms of the wallet policies: the terms of one, and the filters of the audit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.impact.wallet_policy_terms import LIMITS, Terms
from dashboard.inputs import InputError, typed_minor
from dashboard.mirror.models import WalletPolicy
from dashboard.money import Money
from dashboard.schemas.wallet_policies import WalletTermsBody
from dashboard.times import local
from dashboard.web.fields import AmountField, DayField, TextBlock, set_choices
from dashboard.web.forms import PeriodForm

ACTIONS = (
    ("GRANT", "Granted"), ("MODIFY", "Changed"), ("SUSPEND", "Suspended"), ("REACTIVATE", "Reactivated"),
    ("REVOKE", "Revoked"), ("EXPIRE", "Expired"),
)  # fmt: skip
# The service names a field as the interface does.
TERM_FIELDS = {"expires_at": "until", "valid_from": "start"} | {f"limits.{name}": name for name in LIMITS}


def _amount(label: str) -> AmountField:
    return AmountField(label=label, required=False, min_value=0, max_digits=18, decimal_places=4)


class PolicyTermsForm(forms.Form):
    """The terms of a policy on a wallet; days are whole days of the business's calendar, the last one included."""

    permissions = forms.MultipleChoiceField(
        label="Permissions",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one. To remove all permissions, revoke the policy."},
    )
    per_transaction = _amount("Per-transaction limit")
    daily = _amount("Daily limit")
    monthly = _amount("Monthly limit")
    start = DayField(label="Start date", required=False)
    until = DayField(label="End date", required=False, help_text="Empty: no end date.")
    reason = TextBlock(label="Reason", max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(
        self, *args: Any, choices: Sequence[tuple[str, str]], currency: str, business: Business,
        policy: WalletPolicy | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.currency, self.business, self.policy, self.locale = currency, business, policy, business.locale
        if policy is not None:
            kwargs["initial"] = self._initial(policy) | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        # One that the policy has and the service offers no more is shown all the same, so that it can be taken away.
        offered = {name: name for name in (policy.permissions if policy else ())} | dict(choices)
        places = [name for name, _ in choices]
        known = sorted(offered.items(), key=lambda pair: places.index(pair[0]) if pair[0] in places else len(places))
        set_choices(self, "permissions", known)
        if policy is None:
            self.fields["permissions"].error_messages["required"] = "Choose at least one."
        for name in LIMITS:
            self.fields[name].help_text = f"{currency}. Empty: no limit."

    def _initial(self, policy: WalletPolicy) -> dict[str, Any]:
        limits = {name: policy.limit(name) for name in LIMITS}
        amounts = {name: None if m is None else Money(m, self.currency).amount for name, m in limits.items()}
        return amounts | {
            "permissions": policy.permissions,
            "start": local(policy.valid_from, self.business).date() if policy.valid_from else None,
            "until": self._last(policy.expires_at),
            "reason": policy.reason,
        }

    def _last(self, moment: datetime | None) -> date | None:
        return None if moment is None else local(moment - timedelta(seconds=1), self.business).date()

    def clean(self) -> dict[str, Any]:
        """Amounts that the currency has; an end that is to come, after the beginning."""
        cleaned = self.cleaned_data
        for name in LIMITS:
            try:
                typed_minor(cleaned.get(name) or Decimal(), self.currency)
            except InputError as wrong:
                self.add_error(name, str(wrong))
        today = local(timezone.now(), self.business).date()
        if cleaned.get("until") and "until" in self.changed_data and cleaned["until"] < today:
            self.add_error("until", "This date has passed.")
        elif cleaned.get("until") and cleaned.get("start") and cleaned["until"] < cleaned["start"]:
            self.add_error("until", "The end date is before the start date.")
        return cleaned

    def terms(self) -> Terms:
        """The terms that were typed. A day that was left as it is keeps its time of day."""
        cleaned, zone = self.cleaned_data, ZoneInfo(self.business.time_zone)
        start, until = cleaned["start"], cleaned["until"]
        begins = datetime.combine(start, time(), zone) if start else None
        ends = datetime.combine(until + timedelta(days=1), time(), zone) if until else None
        if self.policy is not None:
            begins = begins if "start" in self.changed_data and begins else self.policy.valid_from
            ends = ends if "until" in self.changed_data else self.policy.expires_at
        limits = {name: None if cleaned[name] is None else typed_minor(cleaned[name], self.currency) for name in LIMITS}
        return Terms(frozenset(cleaned["permissions"]), limits, begins, ends, cleaned["reason"])

    def body(self, before: Terms | None = None) -> WalletTermsBody:
        """The terms by the interface's names: of a change only those that differ from before, of a grant only those given."""
        after = self.terms()
        was = before or Terms()
        body: WalletTermsBody = {}
        if after.permissions != was.permissions:
            body["permissions"] = sorted(after.permissions)
        limits = {name: self.cleaned_data[name] for name in LIMITS if after.limit(name) != was.limit(name)}
        if limits:
            body["limits"] = limits
        if after.valid_from != was.valid_from and after.valid_from:
            body["valid_from"] = after.valid_from.isoformat()
        if after.expires_at != was.expires_at:
            body["expires_at"] = after.expires_at.isoformat() if after.expires_at else None
        if after.reason != was.reason:
            body["reason"] = after.reason
        return body


class AuditForm(PeriodForm):
    """The filters of the audit of all policies."""

    action = forms.ChoiceField(required=False, label="Action", choices=[("", "Any action"), *ACTIONS])
    wallet = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, wallets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wallet"] = forms.ChoiceField(required=False, choices=[("", "Any wallet"), *wallets])

    def query(self) -> dict[str, str | date]:
        """The filters of QUERY_WALLET_AUDIT: wallet_id, action, from, to; without those that are empty."""
        cleaned = self.cleaned_data
        query = {
            "wallet_id": cleaned["wallet"],
            "action": cleaned["action"],
            "from": cleaned["first"],
            "to": cleaned["last"],
        }
        return {name: value for name, value in query.items() if value}
