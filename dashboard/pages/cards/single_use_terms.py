"""What a business lets people ask for by a card for one purchase: as sentences, as a form, and what a change says."""

from typing import Any

from django import forms

from dashboard.access.models import Business
from dashboard.money import text
from dashboard.pages.cards.fields import AmountField, whole_units
from dashboard.pages.cards.presenters import Change
from dashboard.schemas.cards import OnceLimit, OncePolicy
from dashboard.web.fields import LocaleForm, WholeField

MOST, ALONE = "most", "alone"


def sentences(policy: OncePolicy, business: Business) -> list[str]:
    """The policy as it is read."""
    if not policy.enabled:
        return ["Nobody can ask for a card for one purchase."]
    said = ["Everybody can ask for a card for one purchase."]
    for one in policy.limits:
        alone = f"up to {_money(one.auto_approve_up_to, one.currency, business)} nobody needs to approve it"
        nobody = alone if one.auto_approve_up_to else "somebody else approves each"
        said.append(
            f"In {one.currency} it may take at most {_money(one.max_amount, one.currency, business)}; {nobody}."
        )
    others = "any other currency" if policy.limits else "every currency"
    return [
        *said,
        f"In {others} there is no limit, and somebody else approves each.",
        f"One that is not used is locked after {_days(policy.valid_days)}.",
        f"At most {policy.max_open} request{'' if policy.max_open == 1 else 's'} of a person wait at a time.",
    ]


def changes(before: OncePolicy, after: OncePolicy, business: Business) -> list[Change]:
    """What would differ, before and after."""
    found = [
        Change("May be asked for", _yes(before.enabled), _yes(after.enabled)),
        Change("Locked, if not used, after", _days(before.valid_days), _days(after.valid_days)),
        Change("Requests of a person that may wait", str(before.max_open), str(after.max_open)),
    ]
    was, now = ({one.currency: one for one in policy.limits} for policy in (before, after))
    for currency in sorted(was.keys() | now.keys()):
        old, new = was.get(currency), now.get(currency)
        found.append(Change(f"At most in {currency}", _most(old, business), _most(new, business)))
        found.append(Change(f"Without approval in {currency}", _alone(old, business), _alone(new, business)))
    return [change for change in found if change.before != change.after]


def _money(minor: int, currency: str, business: Business) -> str:
    return text(minor, currency, business.locale)


def _yes(enabled: bool) -> str:
    return "by everybody" if enabled else "by nobody"


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"


def _most(limit: OnceLimit | None, business: Business) -> str:
    return "no limit" if limit is None else _money(limit.max_amount, limit.currency, business)


def _alone(limit: OnceLimit | None, business: Business) -> str:
    if limit is None or not limit.auto_approve_up_to:
        return "nothing"
    return f"up to {_money(limit.auto_approve_up_to, limit.currency, business)}"


class OnceTermsForm(LocaleForm):
    """The whole policy; of each currency that the business has or the policy names, two amounts in whole units."""

    enabled = forms.BooleanField(label="People may ask for a card for one purchase", required=False)
    valid_days = WholeField(
        label="Locked, if not used, after", min_value=1, max_value=365, help_text="Days, from 1 to 365."
    )
    max_open = WholeField(
        label="Requests of a person that may wait", min_value=1, max_value=100, help_text="From 1 to 100."
    )

    def __init__(self, given: Any, *, policy: OncePolicy, currencies: list[str], locale: str) -> None:
        self.currencies = sorted({*currencies, *(one.currency for one in policy.limits)})
        super().__init__(given, initial=self._of(policy), locale=locale)
        for currency in self.currencies:
            self.fields[f"{MOST}_{currency}"] = AmountField(
                label=f"At most in {currency}", help_text="Empty: no limit."
            )
            self.fields[f"{ALONE}_{currency}"] = AmountField(
                label=f"Without approval in {currency}, up to", help_text="Empty: somebody else approves each."
            )

    def _of(self, policy: OncePolicy) -> dict[str, Any]:
        found: dict[str, Any] = {
            "enabled": policy.enabled,
            "valid_days": policy.valid_days,
            "max_open": policy.max_open,
        }
        for one in policy.limits:
            found[f"{MOST}_{one.currency}"] = whole_units(one.max_amount, one.currency)
            found[f"{ALONE}_{one.currency}"] = whole_units(one.auto_approve_up_to or None, one.currency)
        return found

    def clean(self) -> dict[str, Any]:
        """Amounts that the currency has; nothing let through alone that may not be asked for."""
        found = super().clean() or {}
        for currency in self.currencies:
            most, alone = (self._minor(found, f"{part}_{currency}", currency) for part in (MOST, ALONE))
            if alone and most is None and not self.errors.keys() & {f"{MOST}_{currency}"}:
                self.add_error(f"{MOST}_{currency}", "Say how much may be asked for at most, too.")
            elif alone and most and alone > most:
                self.add_error(f"{ALONE}_{currency}", "This is more than may be asked for.")
        return found

    def _minor(self, found: dict[str, Any], name: str, currency: str) -> int | None:
        field = self.fields[name]
        try:
            found[name] = field.in_minor(found.get(name), currency) if isinstance(field, AmountField) else None
        except forms.ValidationError as wrong:
            self.add_error(name, wrong)
        return found.get(name)

    def policy(self, version: int) -> OncePolicy:
        """What the policy would then be, of the version that it takes the place of."""
        found = self.cleaned_data
        limits = [
            OnceLimit(currency=one, max_amount=most, auto_approve_up_to=found[f"{ALONE}_{one}"] or 0)
            for one in self.currencies
            if (most := found[f"{MOST}_{one}"]) is not None
        ]
        terms = {name: found[name] for name in ("enabled", "valid_days", "max_open")}
        return OncePolicy(**terms, limits=limits, version=version)
