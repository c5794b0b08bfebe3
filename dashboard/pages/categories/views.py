"""The chart of accounts: the tree, one category with its subcategories, and many at once from a table."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import categories as commands
from dashboard.commands.run import add_refusal
from dashboard.errors import Conflict, FinanceError, Rejected
from dashboard.inputs import page_number
from dashboard.pages.categories import services
from dashboard.pages.categories.forms import CategoryForm, ManyForm, MoveForm, SubcategoryForm, categories_body
from dashboard.pages.categories.presenters.chart import (
    categories_digest,
    category_context,
    chart_context,
    preview_of,
    uses_context,
)
from dashboard.pages.categories.presenters.moves import (
    move_context,
    move_draft,
    move_message,
    move_plan_context,
    move_title,
    moving_of,
    needs_second,
    plan_digest,
    resent_text,
)
from dashboard.pages.categories.selectors import category_of, chart_of, move_plan, subcategories_of, subcategory_of
from dashboard.proposals.services import propose
from dashboard.schemas.categories import Category, CategoryMovePlan, Subcategory
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import done_before, form_key_of, new_key, posted_key, sent_before

CHART, ITEM, NEW = "categories/categories.html", "categories/category.html", "categories/new.html"
USES, MOVE = "categories/uses.html", "categories/move.html"
SUBCATEGORY, MANY = "categories/subcategory.html", "categories/many.html"


@require_GET
@needs(operations.LIST_CATEGORIES)
def categories(request: ActorRequest, business: str) -> HttpResponse:
    """The tree of categories and subcategories."""
    sought = request.GET.get("q", "")[:100]
    try:
        rows, problem = chart_of(request.actor), ""
    except FinanceError as trouble:
        rows, problem = [], trouble.user_message
    return page(request, CHART, chart_context(request.actor, rows, sought, page_number(request.GET), problem))


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CATEGORY)
def new_category(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new category; posted, it is added."""
    form = CategoryForm(request.POST if request.method == "POST" else None)
    if request.method == "GET" or not form.is_valid():
        return _render_form(request, NEW, form, 200 if request.method == "GET" else 422)
    try:
        added = commands.create(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_form(request, NEW, form, refused.status)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("categories_item", business, added.id)


def _render_form(request: ActorRequest, template: str, form: Any, status: int = 200, **more: Any) -> HttpResponse:
    return page(request, template, {"form": form, "key": posted_key(request), **more}, status=status)


@require_GET
@needs(operations.READ_CATEGORY)
def category(request: ActorRequest, business: str, category_id: str) -> HttpResponse:
    """One category with its subcategories."""
    return _render_category(request, category_of(request.actor, category_id))


@require_POST
@needs(operations.UPDATE_CATEGORY)
def edit_category(request: ActorRequest, business: str, category_id: str) -> HttpResponse:
    """Renames a category, gives it another code or group, or archives it."""
    row, form = category_of(request.actor, category_id), CategoryForm(request.POST, exists=True)
    if not form.is_valid():
        return _render_category(request, row, 422, form=form)
    try:
        commands.update(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_category(request, row, refused.status, form=form)
    messages.success(request, "Changes saved.")
    return redirect("categories_item", business, category_id)


def _render_category(request: ActorRequest, row: Category, status: int = 200, **refused: Any) -> HttpResponse:
    rows = subcategories_of(request.actor, row)
    context = {**category_context(request.actor, row, rows), "key": posted_key(request), **refused}
    return page(request, ITEM, context, status=status)


@require_POST
@needs(operations.DELETE_CATEGORY)
def delete_category(request: ActorRequest, business: str, category_id: str) -> HttpResponse:
    """Deletes a category with its subcategories, or says what keeps it."""
    row = category_of(request.actor, category_id)
    try:
        services.delete(request.actor, row, key=form_key_of(request))
    except (Conflict, Rejected) as refused:
        messages.error(request, refused.on_form)
        return redirect("categories_uses", business, category_id)
    messages.success(request, f"{row.name} was deleted.")
    return redirect("categories", business)


@require_POST
@needs(operations.CREATE_SUBCATEGORY)
def new_subcategory(request: ActorRequest, business: str, category_id: str) -> HttpResponse:
    """A new subcategory of the category."""
    row, form = category_of(request.actor, category_id), SubcategoryForm(request.POST, prefix="new")
    if not form.is_valid():
        return _render_category(request, row, 422, new_form=form)
    try:
        commands.create_subcategory(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_category(request, row, refused.status, new_form=form)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("categories_item", business, category_id)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_SUBCATEGORY)
def subcategory(request: ActorRequest, business: str, category_id: str, subcategory_id: str) -> HttpResponse:
    """Renames a subcategory, gives it another code, or archives it."""
    parent = category_of(request.actor, category_id)
    row = subcategory_of(request.actor, parent, subcategory_id)
    initial = {"name": row.name, "code": row.code, "status": row.status}
    form = SubcategoryForm(request.POST if request.method == "POST" else None, initial=initial, exists=True)
    if request.method == "GET" or not form.is_valid():
        status = 200 if request.method == "GET" else 422
        return _render_form(request, SUBCATEGORY, form, status, category=parent, row=row)
    return _save_subcategory(request, parent, row, form)


def _save_subcategory(request: ActorRequest, parent: Category, row: Subcategory, form: SubcategoryForm) -> HttpResponse:
    try:
        commands.update_subcategory(request.actor, parent, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_form(request, SUBCATEGORY, form, refused.status, category=parent, row=row)
    messages.success(request, "Changes saved.")
    return redirect("categories_item", request.actor.business.slug, parent.id)


@require_POST
@needs(operations.DELETE_SUBCATEGORY)
def delete_subcategory(request: ActorRequest, business: str, category_id: str, subcategory_id: str) -> HttpResponse:
    """Deletes a subcategory, or says what keeps it."""
    parent = category_of(request.actor, category_id)
    row = subcategory_of(request.actor, parent, subcategory_id)
    try:
        services.delete_subcategory(request.actor, parent, row, key=form_key_of(request))
    except (Conflict, Rejected) as refused:
        messages.error(request, refused.on_form)
        return redirect("categories_uses_sub", business, category_id, subcategory_id)
    messages.success(request, f"{row.name} was deleted.")
    return redirect("categories_item", business, category_id)


@require_GET
@needs(operations_extra.LIST_CATEGORY_USES, operations_extra.LIST_CATEGORY_USERS)
def category_uses(request: ActorRequest, business: str, category_id: str) -> HttpResponse:
    """What uses a category or one of its subcategories: counted, and row by row."""
    return _render_uses(request, category_of(request.actor, category_id), None)


@require_GET
@needs(operations_extra.LIST_CATEGORY_USES, operations_extra.LIST_CATEGORY_USERS)
def subcategory_uses(request: ActorRequest, business: str, category_id: str, subcategory_id: str) -> HttpResponse:
    """What uses a subcategory: counted, and row by row."""
    parent = category_of(request.actor, category_id)
    return _render_uses(request, parent, subcategory_of(request.actor, parent, subcategory_id))


def _render_uses(request: ActorRequest, category: Category, row: Subcategory | None) -> HttpResponse:
    kind, cursor = request.GET.get("kind", "")[:40], request.GET.get("cursor", "")[:400]
    return page(request, USES, uses_context(request.actor, category, row, kind, cursor, new_key()))


@require_http_methods(["GET", "POST"])
@needs(operations_extra.READ_CATEGORY_MOVE, operations_extra.MOVE_SUBCATEGORIES)
def move(request: ActorRequest, business: str) -> HttpResponse:
    """Moves subcategories to another category: first what that changes, then the move."""
    chart, trouble = _chart_or_trouble(request.actor)
    form = MoveForm(request.POST if request.method == "POST" else request.GET, chart=chart)
    if trouble or not form.is_valid():
        context = move_context(request.actor, form, posted_key(request), trouble.user_message if trouble else "")
        return page(request, MOVE, context, status=422 if request.method == "POST" else 200)
    target = category_of(request.actor, form.cleaned_data["to"])
    plan = move_plan(request.actor, target, form.cleaned_data["row"])
    if request.method == "POST" and (form.cleaned_data["seen"] == plan_digest(plan) or sent_before(request)):
        return _move(request, target, form, plan)
    if request.method == "POST":
        form.add_error(None, "This has changed since you looked. Nothing was moved: look again.")
    context = move_plan_context(request.actor, form, posted_key(request), plan)
    return page(request, MOVE, context, status=409 if request.method == "POST" else 200)


def _move(
    request: ActorRequest, target_category: Category, form: MoveForm, category_plan: CategoryMovePlan
) -> HttpResponse:
    """Moves at once; where a policy counts what moves and changes need a second admin, the move waits for one."""
    actor, again = request.actor, sent_before(request)
    if done_before(request):
        messages.info(request, resent_text(category_plan))
        return redirect("categories_item", actor.business.slug, target_category.id)
    if not again and not moving_of(category_plan):
        messages.info(request, f"Nothing was moved: all of it is in {target_category.name} already.")
        return redirect("categories_item", actor.business.slug, target_category.id)
    try:
        if needs_second(actor, category_plan):
            proposal = propose(actor, move_draft(category_plan, form.cleaned_data["row"], posted_key(request)))
            messages.success(request, "The move waits for a second admin. Nothing has changed yet.")
            return redirect("wallet-policies_proposal", actor.business.slug, proposal.pk)
        return _moved(request, target_category, form, category_plan, again)
    except commands.REFUSALS as refused:
        if not form.errors:
            add_refusal(form, refused)
        context = move_plan_context(actor, form, posted_key(request), category_plan)
        return page(request, MOVE, context, status=refused.status)


def _moved(
    request: ActorRequest, target_category: Category, form: MoveForm, category_plan: CategoryMovePlan, again: bool
) -> HttpResponse:
    """Moves at once, for who has just shown that it is them: what was filed stands in other sums afterwards."""
    if verification := confirm_first(request, request.path):
        return verification
    actor, rows = request.actor, form.cleaned_data["row"]
    commands.move(actor, target_category, rows, move_title(category_plan), key=form_key_of(request), form=form)
    text = (
        resent_text(move_plan(actor, target_category, rows))
        if again
        else move_message(moving_of(category_plan), target_category.name)
    )
    messages.success(request, text)
    return redirect("categories_item", actor.business.slug, target_category.id)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CATEGORIES)
def many(request: ActorRequest, business: str) -> HttpResponse:
    """Many categories from a table: what would be added is shown first, and added once that is confirmed."""
    if request.method == "GET":
        return _render_form(request, MANY, ManyForm())
    chart, trouble = _chart_or_trouble(request.actor)
    form = ManyForm(request.POST, chart=chart)
    if trouble:
        form.add_error(None, trouble.on_form)
        return _render_form(request, MANY, form, trouble.status)
    if not form.is_valid():
        return _render_form(request, MANY, form, 422)
    rows = form.cleaned_data["table"]
    if request.POST.get("confirmed") == categories_digest(rows):
        return _add_many(request, form)
    return _render_form(request, MANY, form, preview=preview_of(chart, rows))


def _chart_or_trouble(actor: Actor) -> tuple[list[Category], FinanceError | None]:
    try:
        return chart_of(actor), None
    except FinanceError as trouble:
        return [], trouble


def _add_many(request: ActorRequest, form: ManyForm) -> HttpResponse:
    rows = categories_body(form.cleaned_data["table"])
    try:
        created = commands.create_many(request.actor, rows, key=form_key_of(request), form=form).created
    except commands.REFUSALS as refused:
        return _render_form(request, MANY, form, refused.status)
    messages.success(request, f"Added: categories {created.categories}, subcategories {created.subcategories}.")
    return redirect("categories", request.actor.business.slug)
