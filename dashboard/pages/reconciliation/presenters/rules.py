"""How the stored rules are shown."""

from collections.abc import Sequence
from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import RuleForm
from dashboard.schemas.reconciliation import BankRule


class RulesContext(TypedDict):
    """What reconciliation/rules.html reads: each rule with its conditions in words."""

    wallet: Wallet
    title: str
    rows: list[tuple[BankRule, str]]
    may_change: bool
    form: RuleForm
    key: str


def rule_rows(actor: Actor, rules: Sequence[BankRule]) -> list[tuple[BankRule, str]]:
    """Rules with their conditions in words."""
    return [(rule, _conditions(actor, rule)) for rule in rules]


def _conditions(actor: Actor, bank_rule: BankRule) -> str:
    conditions = [f"description contains “{bank_rule.text}”"] if bank_rule.text else []
    conditions += [f"reference is {bank_rule.reference}"] if bank_rule.reference else []
    amount = bank_rule.amount_minor
    conditions += [f"amount is {text(amount, bank_rule.currency, actor.business.locale)}"] if amount is not None else []
    return ", ".join(conditions)
