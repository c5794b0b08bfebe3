"""The stored rules that lines of banks are matched by."""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from service import effects, errors
from service.accounting.models import BankRule, StatementLine
from service.auth import Caller
from service.events.audit import record_audit

MOST_RULES = 100


def rules(caller: Caller) -> QuerySet[BankRule]:
    """Those of the business, in the order in which they are tried."""
    return BankRule.objects.filter(business_id=caller.business.id).order_by("name")


def create_rule(
    caller: Caller, *, name: str, text: str, reference: str, amount_minor: int | None, currency: str, kind: str
) -> BankRule:
    """409 for a name that is there, 422 without a condition, for an amount without its currency, or beyond the most."""
    earlier_row = effects.earlier(caller, rules(caller))
    if earlier_row is not None:
        return earlier_row
    if not (text or reference or amount_minor is not None):
        raise errors.validation_failed("text", "Say at least one condition: a text, a reference or an amount.")
    if amount_minor is not None and not currency:
        raise errors.validation_failed("currency", "An amount is of a currency.")
    if rules(caller).count() >= MOST_RULES:
        raise errors.limit_exceeded(f"There are at most {MOST_RULES} rules.")
    try:
        with transaction.atomic():
            row = BankRule.objects.create(
                id=effects.new_id(caller), business_id=caller.business.id, name=name, text=text, reference=reference,
                amount_minor=amount_minor, currency="" if amount_minor is None else currency, kind=kind, created_by=caller.label,
            )  # fmt: skip
            record_audit(caller, "bank_rule.create", "bank_rule", row.id, after={"name": name, "kind": kind})
    except IntegrityError:
        raise errors.duplicate("A rule of this name exists.") from None
    return row


def delete_rule(caller: Caller, rule_id: str) -> BankRule:
    """The rule that is gone; what it has matched stays. 404."""
    with transaction.atomic():
        row = rules(caller).filter(id=rule_id).first()
        if row is None:
            raise errors.not_found("bank rule")
        BankRule.objects.filter(pk=row.pk).delete()
        record_audit(caller, "bank_rule.delete", "bank_rule", rule_id, before={"name": row.name, "kind": row.kind})
    return row


def rules_of(caller: Caller, currency: str) -> list[BankRule]:
    """Those that lines of a wallet of this currency are tried by: an amount of another one is no amount of theirs."""
    return list(rules(caller).filter(currency__in=["", currency]))


def is_of(bank_rule: BankRule, line: StatementLine) -> bool:
    """Whether every condition of a rule holds for a line."""
    return (
        bank_rule.text.casefold() in line.description.casefold()
        and (not bank_rule.reference or has_pattern(bank_rule.reference.casefold(), line.reference.casefold()))
        and bank_rule.amount_minor in {None, line.amount_minor}
    )


def has_pattern(pattern: str, text: str) -> bool:
    """Whether a text is as a pattern, in which * stands for anything, also for nothing."""
    first, *rest = pattern.split("*")
    if not rest:
        return text == pattern
    *middle, last = rest
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    place, end = len(first), len(text) - len(last)
    for part in middle:
        place = text.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True
