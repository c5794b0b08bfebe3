"""What can be done with budgets: make and change them."""

from decimal import Decimal

from django.db import IntegrityError, transaction

from service import errors, money
from service.auth import Caller
from service.budgets.alerts import forget_unreached
from service.budgets.models import Budget
from service.budgets.schemas import ChangedBudget, NewBudget
from service.budgets.selectors import budget_details
from service.businesses.models import Team
from service.categories.models import Category
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject


def create(caller: Caller, new: NewBudget) -> Budget:
    """A budget; 409 duplicate when the name is taken, 422 for a team, category or currency that is none."""
    if new.team_id and not Team.objects.filter(business_id=caller.business.id, id=new.team_id).exists():
        raise errors.validation_failed("team_id", "There is no such team.", "unknown")
    category = Category.objects.filter(business_id=caller.business.id, id=new.category_id or "").first()
    if new.category_id and category is None:
        raise errors.validation_failed("category_id", "There is no such category.", "unknown")
    row = Budget(
        business=caller.business,
        team_id=new.team_id,
        category=category,
        name=new.name,
        currency=new.currency,
        period=new.period,
        amount_minor=_minor(new.amount, new.currency),
    )
    if new.alert_percents is not None:
        row.alert_percents = sorted(set(new.alert_percents))
    with transaction.atomic():
        _save(row, force_insert=True)
        _record_change(caller, row, "budget.created", "budget.create", None)
    return row


def change(caller: Caller, budget_id: str, changes: ChangedBudget) -> Budget:
    """Changes what is given; 404, and 409 duplicate when the new name is taken."""
    with transaction.atomic():
        rows = Budget.objects.select_for_update(no_key=True, of=("self",)).select_related("category")
        row = rows.filter(business_id=caller.business.id, id=budget_id).first()
        if row is None:
            raise errors.not_found("budget")
        before = budget_details(caller, [row])[0]
        for name, value in changes.model_dump(exclude_none=True, exclude={"amount", "alert_percents"}).items():
            setattr(row, name, value)
        if changes.alert_percents is not None:
            row.alert_percents = sorted(set(changes.alert_percents))
        if changes.amount is not None:
            row.amount_minor = _minor(changes.amount, row.currency)
        row.version += 1
        _save(row)
        if changes.amount is not None:
            forget_unreached(caller, row)
        _record_change(caller, row, "budget.updated", "budget.change", before)
    return row


def _save(row: Budget, *, force_insert: bool = False) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=force_insert)
    except IntegrityError:
        raise errors.duplicate(f"There is a budget called {row.name}.") from None


def _minor(amount: Decimal, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as error:
        field = "amount" if currency in money.CURRENCIES else "currency"
        raise errors.validation_failed(field, str(error)) from None


def _record_change(caller: Caller, row: Budget, event: str, action: str, before: JsonObject | None) -> None:
    payload: JsonObject = budget_details(caller, [row])[0]
    changed = {name: value for name, value in (before or {}).items() if payload[name] != value}
    record_event(caller.business, event, payload, previous=changed, actor=caller)
    record_audit(
        caller, action, "budget", row.id, changed or None, {name: payload[name] for name in changed} or payload
    )
