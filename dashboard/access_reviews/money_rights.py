"""What lets somebody move money, and how much: their role, wallet policies, mandates and fund accounts, in sentences.

By the copy, and the mandates as they were last read: the service decides again each time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Model, Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.errors import Unavailable
from dashboard.impact.mandate_reads import Snapshot, mandates_of
from dashboard.impact.mandate_text import cap_of, mandate_title, quorum_text, voting
from dashboard.impact.wallet_rights import Rules, ends_at
from dashboard.mirror.models import Employee, FundAccount, Wallet, WalletPolicy
from dashboard.mirror.schedule import is_filled
from dashboard.mirror.scopes import visible_employees, visible_fund_accounts, visible_policies, visible_wallets
from dashboard.money import text
from dashboard.schemas.wallet_policies import Mandate
from dashboard.times import day

NOTHING = "Nothing that is known: no role, wallet policy, mandate or fund account lets them move money."
ROLES_UNREAD = "What a role gives on wallets has not been read from the finance service."
READ_FIRST: tuple[tuple[str, type[Model]], ...] = (
    ("people", Employee), ("wallets", Wallet), ("wallet policies", WalletPolicy), ("fund accounts", FundAccount)
)  # fmt: skip
LIMITS = (("per_transaction", "a transaction"), ("daily", "a day"), ("monthly", "a month"))


@dataclass(frozen=True)
class MoneyRights:
    """Sentences by the id of an employee, what a role gives by its code, and how old the mandates are."""

    by_employee: Mapping[str, list[str]]
    by_role: Mapping[str, str]
    roles_known: bool
    mandates_as_of: str

    def of(self, member: Membership, employee: Employee | None) -> list[str]:
        """The sentences of a member; their employee is None where the copy has none."""
        return self._sentences(employee.role if employee else member.role, member.employee_id)

    def of_employee(self, employee: Employee) -> list[str]:
        """The sentences of an employee, member or not."""
        return self._sentences(employee.role, employee.remote_id)

    def _sentences(self, role: str, employee_id: str) -> list[str]:
        by_role = self.by_role.get(role, "")
        sentences = [by_role] if by_role else []
        sentences += [] if self.roles_known else [ROLES_UNREAD]
        sentences += self.by_employee.get(employee_id, []) if employee_id else []
        return sentences or [NOTHING]


def money_rights(actor: Actor) -> MoneyRights:
    """What lets anybody of the business move money. Unavailable where the mandates cannot be read, and never were, or the copy
    has not read once what else does: that there is none would say nothing."""
    if unread := [word for word, model in READ_FIRST if not is_filled(actor.business, model)]:
        raise Unavailable(
            f"The {' and '.join(unread)} are still being read from the finance service. Try again in a few minutes."
        )
    read = mandates_of(actor)
    if read.trouble and not read.value:
        raise Unavailable(f"The mandates could not be read. {read.trouble}")
    sentences: dict[str, list[str]] = defaultdict(list)
    rules = Rules.of(actor.business)
    _add_policies(actor, rules, sentences)
    _add_mandates(actor, read, sentences)
    _add_fund_accounts(actor, sentences)
    by_role = {
        role: f"By role, on every wallet and with no limit of its own: may {rules.listed(moving)}."
        for role, names in rules.by_role.items()
        if (moving := names & rules.moving)
    }
    return MoneyRights(sentences, by_role, bool(rules.by_role), read.as_of)


def _add_policies(actor: Actor, rules: Rules, sentences: dict[str, list[str]]) -> None:
    now = timezone.now()
    names = {row.remote_id: row.name or row.org_wallet_ref for row in visible_wallets(actor)}
    rows = visible_policies(actor).filter(Q(expires_at=None) | Q(expires_at__gt=now), status="ACTIVE")
    for row in rows.order_by("wallet_id", "pk"):
        moving = rules.in_order(frozenset(row.permissions) & rules.moving)
        if not moving:
            continue
        wallet = names.get(row.wallet_id, "a wallet")
        sentences[row.employee_id].append(f"On {wallet}: may {rules.listed(moving)}, {_limits(actor, row)}.")


def _limits(actor: Actor, policy: WalletPolicy) -> str:
    amounts = [
        f"up to {text(minor, policy.currency, actor.business.locale)} {per}"
        for name, per in LIMITS
        if (minor := policy.limit(name)) is not None and policy.currency
    ]
    limits = ", ".join(amounts) or "without a limit of its own"
    begins = f", from {day(policy.valid_from, actor.business)}" if policy.state() == "COMING" else ""
    return f"{limits}{begins}{f', until {ends_at(policy.expires_at, actor.business)}' if policy.expires_at else ''}"


def _add_mandates(actor: Actor, read: Snapshot[list[Mandate]], sentences: dict[str, list[str]]) -> None:
    locale = actor.business.locale
    for mandate in read.value:
        if not mandate.active:
            continue
        for seat in voting(mandate):
            cap = cap_of(seat, mandate.currency, locale)
            sentences[seat.approver_id].append(
                f"Approver in {mandate_title(mandate, locale)}: {cap}, {quorum_text(mandate)} must approve."
            )


def _add_fund_accounts(actor: Actor, sentences: dict[str, list[str]]) -> None:
    for account in visible_fund_accounts(actor).order_by("fund_name", "remote_id"):
        for employee_id in _operators(account):
            sentences[employee_id].append(f"Operates the fund account {account.fund_name}, without a limit of its own.")


def _operators(account: FundAccount) -> Iterable[str]:
    return (str(seat.get("employee_id") or "") for seat in account.operators if seat.get("counts"))


def employees_of(actor: Actor, members: Iterable[Membership]) -> dict[str, Employee]:
    """The employees of these members by their id, as the copy has them."""
    ids = [member.employee_id for member in members if member.employee_id]
    return {row.remote_id: row for row in visible_employees(actor).filter(remote_id__in=ids)}
