"""The rules of a business: written, put into order, switched on once they were tried, and off. All of it is audited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can_open, check_open
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.naming import AuditFields
from dashboard.audit.record import record
from dashboard.categorisation.conditions import problems_of, sentence_of
from dashboard.categorisation.models import CategoryRule, FilingState, RuleFiling
from dashboard.categorisation.trials import valid_trial
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import Rejected
from dashboard.mirror.category_labels import label_of
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Category
from dashboard.mirror.scopes import visible_cards, visible_vendors

AREA = "category_rules"
# More rules than that are no list that anybody looks through.
MOST_RULES = 200


@dataclass(frozen=True, slots=True)
class RuleFields:
    """A rule as somebody wrote it, checked: amounts in minor units of the currency, None for no bound."""

    subcategory_id: str
    category_label: str
    merchant: str = ""
    vendor_id: str = ""
    vendor_name: str = ""
    card_id: str = ""
    card_token: str = ""
    card_name: str = ""
    text: str = ""
    currency: str = ""
    least_minor: int | None = None
    most_minor: int | None = None


def visible_rules(actor: Actor) -> QuerySet[CategoryRule]:
    """All of the business in their order, for those whose role opens them."""
    rows = CategoryRule.objects.filter(business=actor.business).order_by("position", "pk")
    return rows if can_open(actor, operations_pages.CATEGORY_RULES) else rows.none()


def earlier_rules(rule: CategoryRule) -> list[CategoryRule]:
    """The rules before it that are on: they take first what they fit."""
    rows = CategoryRule.objects.filter(business_id=rule.business_id, is_on=True, position__lt=rule.position)
    return list(rows.exclude(pk=rule.pk).order_by("position", "pk"))


def create_rule(actor: Actor, fields: RuleFields) -> CategoryRule:
    """Writes a rule down as the last one, switched off; Rejected where there are too many."""
    check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        Business.objects.select_for_update(no_key=True).get(pk=actor.business.pk)
        rows = CategoryRule.objects.filter(business=actor.business)
        if rows.count() >= MOST_RULES:
            raise Rejected(f"There are {MOST_RULES} rules already: delete one first.", code="too_many")
        last = rows.aggregate(last=Max("position"))["last"] or 0
        rule = CategoryRule.objects.create(business=actor.business, position=last + 1, **_columns(fields))
        _record(actor, rule, "wrote the rule")
    return rule


def change_rule(actor: Actor, rule: CategoryRule, fields: RuleFields) -> None:
    """Changes it, and switches it off where it asks or files anything else than before: it has to be tried again."""
    check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        row = CategoryRule.objects.select_for_update(no_key=True).get(pk=rule.pk)
        before, digest = sentence_of(row, actor.business.locale), row.digest
        for name, value in _columns(fields).items():
            setattr(row, name, value)
        if row.digest == digest:
            return
        row.is_on, row.trouble = False, ""
        row.save()
        _forget_unsent(row)
        _record(actor, row, "changed the rule", before=before)


def _columns(fields: RuleFields) -> dict[str, str | int | None]:
    return {name: getattr(fields, name) for name in RuleFields.__slots__}


def relabel_rules(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Calls the category of each rule what it is called now; registered with the copy's writes. It is the same category:
    what a rule files under it stays as it was tried."""
    if kind != "category" or not (rules := CategoryRule.objects.filter(business=business, subcategory_id__in=ids)):
        return
    labels = {row.remote_id: label_of(row) for row in Category.objects.filter(business=business, remote_id__in=ids)}
    for rule in rules:
        rule.category_label = labels[rule.subcategory_id]
    CategoryRule.objects.bulk_update(rules, ["category_label"])


def delete_category_rule(actor: Actor, rule: CategoryRule) -> None:
    """Deletes it; what it has filed stays where it is, and still says by which rule."""
    check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        _record(actor, rule, "deleted the rule")
        _forget_unsent(rule)
        RuleFiling.objects.filter(rule=rule, state=FilingState.WAITING).update(state=FilingState.UNKNOWN)
        CategoryRule.objects.filter(pk=rule.pk).delete()
        CategoryRule.objects.filter(business=actor.business, position__gt=rule.position).update(
            position=F("position") - 1
        )


def move_up(actor: Actor, rule: CategoryRule) -> bool:
    """Lets it go before the rule that stands above it; False where it is the first."""
    check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        rows = list(
            CategoryRule.objects.select_for_update(no_key=True)
            .filter(business=actor.business)
            .order_by("position", "pk")
        )
        place = next((place for place, row in enumerate(rows) if row.pk == rule.pk), 0)
        if place == 0:
            return False
        rows[place - 1], rows[place] = rows[place], rows[place - 1]
        for position, row in enumerate(rows, 1):
            row.position = position
        CategoryRule.objects.bulk_update(rows, ["position"])
        _record(actor, rows[place - 1], f"moved to place {place} the rule")
    return True


def switch_on(actor: Actor, rule: CategoryRule) -> None:
    """Has the rule file by itself from now on, in the actor's name. Rejected where it was not tried as it is, or can never
    file anything."""
    check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        row = CategoryRule.objects.select_for_update(no_key=True).get(pk=rule.pk)
        if row.is_on:
            return
        trial = valid_trial(row)
        if trial is None:
            raise Rejected("Try the rule on the last 90 days first.", code="not_tried")
        if problems := problems_for(actor, [row])[row.pk]:
            raise Rejected(" ".join(problems), code="never_files")
        row.is_on, row.trouble = True, ""
        row.switched_on_by_id, row.switched_on_at = actor.member_id, timezone.now()
        row.save()
        _record(actor, row, "switched on the rule", matched=trial.matched, otherwise=trial.otherwise)
        enqueue_on_commit("dashboard.categorisation.file_due", expires_s=60)


def rules_of_member(business: Business, employee_id: str) -> QuerySet[CategoryRule]:
    """The rules that act in an employee's name, those too that stopped by themselves since the employee may not act any more."""
    theirs = CategoryRule.objects.filter(business=business, switched_on_by__employee_id=employee_id)
    return theirs.filter(Q(is_on=True) | ~Q(trouble="")).order_by("position", "pk")


def take_over(actor: Actor, rule: CategoryRule) -> bool:
    """Has a rule go on in the actor's name, as it was tried; False where somebody has switched it off: then it stays off."""
    check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        row = CategoryRule.objects.select_for_update(no_key=True).get(pk=rule.pk)
        if not row.is_on and not row.trouble:
            return False
        row.is_on, row.trouble, row.switched_on_by_id = True, "", actor.member_id
        row.save(update_fields=["is_on", "trouble", "switched_on_by"])
        _record(actor, row, "took over the rule")
    return True


def switch_off(actor: Actor, rule: CategoryRule, trouble: str = "") -> None:
    """Stops the rule; with a `trouble` it stops by itself, and its page says why."""
    if not trouble:
        check_open(actor, operations_pages.CHANGE_CATEGORY_RULES)
    with transaction.atomic():
        # What had stopped by itself before is off for good now: nobody takes it over.
        CategoryRule.objects.filter(pk=rule.pk, is_on=False).exclude(trouble="").update(trouble=trouble[:300])
        if CategoryRule.objects.filter(pk=rule.pk, is_on=True).update(is_on=False, trouble=trouble[:300]):
            _forget_unsent(rule)
            _record(actor, rule, "switched off the rule", reason=trouble)


def _forget_unsent(rule: CategoryRule) -> None:
    """What it was about to file and has not tried yet stays as it is, and so does what waits for a closed period; what was sent
    is settled under its key."""
    of_rule = RuleFiling.objects.filter(rule=rule)
    of_rule.filter(Q(state=FilingState.WAITING, attempts=0) | Q(state=FilingState.CLOSED)).delete()


def problems_for(actor: Actor, rules: list[CategoryRule]) -> dict[int, list[str]]:
    """Why each of the rules can never file anything, by the rule's id; [] for those that can. In four queries."""
    labels = dict(categories_of(actor))
    active = visible_vendors(actor).filter(remote_id__in=[rule.vendor_id for rule in rules if rule.vendor_id])
    vendors: Mapping[str, str] = dict(active.filter(status="ACTIVE").values_list("remote_id", "name"))
    cards = visible_cards(actor).filter(remote_id__in=[rule.card_id for rule in rules if rule.card_id])
    usable = set(cards.exclude(status="RETIRED").values_list("remote_id", flat=True))
    switched_on = list(CategoryRule.objects.filter(business=actor.business, is_on=True).order_by("position", "pk"))
    return {
        rule.pk: problems_of(
            rule, [other for other in switched_on if other.pk != rule.pk and other.position < rule.position],
            labels=labels, closed_cards={rule.card_id} - usable, active_vendors=vendors,
        )
        for rule in rules
    }  # fmt: skip


def _record(actor: Actor, rule: CategoryRule, done: str, *, before: str = "", reason: str = "", **counts: int) -> None:
    sentence = sentence_of(rule, actor.business.locale)
    after: AuditFields = {"rule": sentence, **counts}
    record(
        actor, AREA, None, Outcome.NOTED, sentence=f"{done}: {sentence}"[:500], reason=reason,
        before={"rule": before} if before else None, after=after,
    )  # fmt: skip
