"""The stored rules that bank lines are matched by."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import reconciliation as commands
from dashboard.errors import NotFound
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.forms import RuleForm
from dashboard.pages.reconciliation.presenters import rules as presenters
from dashboard.pages.reconciliation.presenters.statements import may_change, wallet_title
from dashboard.pages.reconciliation.selectors.wallets import bank_rule_of, bank_wallet, rules_of
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

RULES = "reconciliation/rules.html"


@require_http_methods(["GET", "POST"])
@needs(operations_accounting.LIST_BANK_RULES)
def bank_rules(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """The rules, and a form for another."""
    row = bank_wallet(request.actor, wallet_id)
    posted = request.POST if request.method == "POST" else None
    form = RuleForm(posted, currency=row.currency, locale=request.actor.business.locale)
    if request.method == "GET":
        return _rules(request, row, form)
    check_or_record_denial(request.actor, operations_accounting.CREATE_BANK_RULE, None)
    if not form.is_valid():
        return _rules(request, row, form, 422)
    try:
        commands.add_rule(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _rules(request, row, form, refused.status)
    messages.success(request, "The rule was added.")
    return redirect("reconciliation_rules", business, wallet_id)


def _rules(request: ActorRequest, row: Wallet, form: RuleForm, status: int = 200) -> HttpResponse:
    context: presenters.RulesContext = {
        "wallet": row,
        "title": wallet_title(row),
        "rows": presenters.rule_rows(request.actor, rules_of(request.actor)),
        "may_change": may_change(request.actor),
        "form": form,
        "key": posted_key(request),
    }
    return page(request, RULES, context, status=status)


@require_POST
@needs(operations_accounting.DELETE_BANK_RULE)
def delete_rule(request: ActorRequest, business: str, wallet_id: str, rule_id: str) -> HttpResponse:
    """Forgets a rule; what it has matched stays."""
    try:
        rule = bank_rule_of(request.actor, rule_id)
        commands.delete_bank_rule(request.actor, rule.id, rule.name, key=form_key_of(request))
        messages.success(request, "The rule was deleted.")
    except NotFound:
        messages.info(request, "This rule is no longer there.")
    return redirect("reconciliation_rules", business, wallet_id)
