"""Rules that categorise: their order, one of them with its trial and what it has filed, writing one, and switching it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.categorisation import rules as rule_services
from dashboard.categorisation import trials
from dashboard.categorisation.models import CategoryRule
from dashboard.errors import Rejected
from dashboard.pages.category_rules.forms import CategoryRuleForm, rule_initial
from dashboard.pages.category_rules.presenters import rule_context, rules_context
from dashboard.pages.category_rules.selectors import category_rule_of, offered_to
from dashboard.web.respond import page
from dashboard.web.submission import posted_key

LIST, ITEM, FORM = "category_rules/rules.html", "category_rules/rule.html", "category_rules/form.html"


@require_GET
@needs(operations_pages.CATEGORY_RULES)
def category_rules(request: ActorRequest, business: str) -> HttpResponse:
    """All rules, in the order in which they are asked."""
    return page(request, LIST, rules_context(request.actor))


@require_http_methods(["GET", "POST"])
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def new_rule(request: ActorRequest, business: str) -> HttpResponse:
    """Writes a rule, which does nothing yet."""
    initial = {name: request.GET.get(name, "")[:300] for name in ("merchant", "category")}
    form = _form(request, initial)
    if request.method == "GET" or not form.is_valid():
        return _render_form(request, form)
    try:
        rule = rule_services.create_rule(request.actor, form.rule())
    except Rejected as refused:
        form.add_error(None, refused.on_form)
        return _render_form(request, form)
    messages.success(request, "Rule saved. Try it on the last 90 days before you switch it on.")
    return redirect("category_rules_item", business, rule.pk)


def _form(request: ActorRequest, initial: Any, rule: CategoryRule | None = None) -> CategoryRuleForm:
    given = request.POST if request.method == "POST" else None
    locale = request.actor.business.locale
    return CategoryRuleForm(
        given, initial=initial, offered_fields=offered_to(request.actor), exists=rule, locale=locale
    )


def _render_form(request: ActorRequest, form: CategoryRuleForm, rule: CategoryRule | None = None) -> HttpResponse:
    context = {"form": form, "key": posted_key(request), "rule": rule}
    return page(request, FORM, context, status=422 if form.errors else 200)


@require_GET
@needs(operations_pages.CATEGORY_RULES)
def category_rule(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """One rule with its trial and what it has categorised."""
    return page(request, ITEM, rule_context(request.actor, category_rule_of(request.actor, rule_id)))


@require_http_methods(["GET", "POST"])
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def edit_rule(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """Changes a rule, which is off until it was tried again."""
    rule = category_rule_of(request.actor, rule_id)
    form = _form(request, rule_initial(rule), rule)
    if request.method == "GET" or not form.is_valid():
        return _render_form(request, form, rule)
    rule_services.change_rule(request.actor, rule, form.rule())
    messages.success(request, "Changes saved.")
    return redirect("category_rules_item", business, rule.pk)


@require_POST
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def try_rule(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """Tries a rule on the last 90 days; nothing is categorised."""
    rule = category_rule_of(request.actor, rule_id)
    trials.try_rule(request.actor, rule, rule_services.earlier_rules(rule))
    messages.success(request, "Tried on the last 90 days. Nothing was categorised.")
    return redirect("category_rules_item", business, rule.pk)


@require_POST
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def switch_on(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """Has a rule categorise by itself from now on."""
    rule = category_rule_of(request.actor, rule_id)
    try:
        rule_services.switch_on(request.actor, rule)
    except Rejected as refused:
        context = {**rule_context(request.actor, rule), "problem": refused.detail}
        return page(request, ITEM, context, status=refused.status)
    messages.success(request, "Rule switched on. It categorises each minute.")
    return redirect("category_rules_item", business, rule.pk)


@require_POST
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def switch_off(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """Stops a rule; what it has categorised stays."""
    rule = category_rule_of(request.actor, rule_id)
    rule_services.switch_off(request.actor, rule)
    messages.success(request, "Rule switched off. What it has categorised stays.")
    return redirect("category_rules_item", business, rule.pk)


@require_POST
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def move_up(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """Lets a rule go before the one above it."""
    rule_services.move_up(request.actor, category_rule_of(request.actor, rule_id))
    return redirect("category_rules", business)


@require_POST
@needs(operations_pages.CHANGE_CATEGORY_RULES)
def delete_rule(request: ActorRequest, business: str, rule_id: str) -> HttpResponse:
    """Deletes a rule; what it has categorised stays."""
    rule_services.delete_category_rule(request.actor, category_rule_of(request.actor, rule_id))
    messages.success(request, "Rule deleted. What it has categorised stays.")
    return redirect("category_rules", business)
