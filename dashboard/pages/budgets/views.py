"""Budgets: all of them with what is committed, spent and left, a new one, and one to change."""

from datetime import date

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import budgets as commands
from dashboard.errors import FinanceError
from dashboard.pages.budgets.forms import BudgetPeriodForm, ChangeForm, FilterForm, NewBudgetForm
from dashboard.pages.budgets.presenters import budget_context, budgets_context
from dashboard.pages.budgets.selectors import budget_of, budgets_of, category_choices, team_choices
from dashboard.schemas.budgets import Budget
from dashboard.times import local
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

LIST, ITEM, NEW = "budgets/budgets.html", "budgets/budget.html", "budgets/new.html"


def _today(actor: Actor) -> date:
    return local(timezone.now(), actor.business).date()


@require_GET
@needs(operations.LIST_BUDGETS)
def budgets(request: ActorRequest, business: str) -> HttpResponse:
    """The budgets in use, those that are over first; with ?ended=1 those that are not in use any more."""
    actor, teams = request.actor, team_choices(request.actor)
    form = FilterForm(request.GET, teams=teams, categories=category_choices(actor), today=_today(actor))
    try:
        rows, problem = budgets_of(actor, active=request.GET.get("ended") != "1", on=form.day), ""
    except FinanceError as trouble:
        rows, problem = [], trouble.user_message
    context = budgets_context(actor, form, rows, dict(teams), problem)
    return page(request, LIST, context, status=200 if form.is_valid() else 400)


@require_http_methods(["GET", "POST"])
@needs(operations_payables.CREATE_BUDGET)
def new_budget(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new budget; posted, it is added."""
    form = _new_form(request)
    if request.method == "GET" or not form.is_valid():
        return _new_page(request, form, 200 if request.method == "GET" else 422)
    try:
        added = commands.create(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _new_page(request, form, refused.status)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("budgets_item", business, added.id)


def _new_form(request: ActorRequest) -> NewBudgetForm:
    actor = request.actor
    return NewBudgetForm(
        request.POST if request.method == "POST" else None, locale=actor.business.locale, teams=team_choices(actor),
        categories=category_choices(actor), initial={"alerts": "80, 100"},
    )  # fmt: skip


def _new_page(request: ActorRequest, form: NewBudgetForm, status: int) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request)}, status=status)


@require_GET
@needs(operations.READ_BUDGET)
def budget(request: ActorRequest, business: str, budget_id: str) -> HttpResponse:
    """One budget with the figures of its current period; with ?on= of one that has ended."""
    row = budget_of(request.actor, budget_id)
    form = BudgetPeriodForm(request.GET, period=row.period, today=_today(request.actor))
    if form.day:
        row = budget_of(request.actor, budget_id, on=form.day)
    return _item(request, row, 200 if form.is_valid() else 400, period_form=form)


def _item(request: ActorRequest, row: Budget, status: int = 200, **forms: BaseForm) -> HttpResponse:
    actor = request.actor
    period_form = BudgetPeriodForm(period=row.period, today=_today(actor))
    context = {**budget_context(actor, row, dict(team_choices(actor)), period_form), **forms}
    return page(request, ITEM, {**context, "key": posted_key(request)}, status=status)


@require_POST
@needs(operations_payables.UPDATE_BUDGET)
def edit_budget(request: ActorRequest, business: str, budget_id: str) -> HttpResponse:
    """Changes a budget, or ends its use."""
    row = budget_of(request.actor, budget_id)
    form = ChangeForm(request.POST, locale=request.actor.business.locale)
    if not form.is_valid():
        return _item(request, row, 422, form=form)
    try:
        commands.update(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _item(request, row, refused.status, form=form)
    messages.success(request, "Changes saved.")
    return redirect("budgets_item", business, budget_id)
