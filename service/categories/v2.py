"""Categories in v2: translates between the wire and service/categories/services.py."""

from functools import partial

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, ApiRequest, requires
from service.categories import bulk, moves, selectors, serializers, services, uses
from service.categories.schemas import (
    CategoriesOut,
    CategoryChange,
    CategoryOut,
    CategoryPage,
    Move,
    MovePlanOut,
    MoveQuery,
    NewCategories,
    NewCategory,
    NewSubcategory,
    SubcategoryChange,
    SubcategoryOut,
    SubcategoryPage,
    UserPage,
    UsersQuery,
    UsesOut,
    UsesQuery,
)
from service.documentation import EXTENSION, refusals
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Categories"])


@router.get("", response=CategoryPage, summary="List categories")
@requires(scope="categories:read")
def list_categories(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """The categories of the business, each with its subcategories."""
    return page_of(selectors.categories(request.caller), request, query, serializers.category)


@router.post("", response={201: CategoryOut}, summary="Create a category")
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def create_category(request: ApiRequest, body: NewCategory) -> HttpResponse:
    """A new category; 409 duplicate when the code is taken."""
    return answer(serializers.category(services.create(request.caller, body)), 201)


@router.post(
    "/bulk",
    response={200: CategoriesOut, 201: CategoriesOut},
    summary="Create many categories and subcategories; a second time nothing happens",
)
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def create_categories(request: ApiRequest, body: NewCategories) -> HttpResponse:
    """Subcategories are grouped under their parents by name."""
    created = bulk.create_many(request.caller, body)
    summary = {
        "docs": [serializers.category(row) for row in created.rows],
        "total": len(created.rows),
        "created": {"categories": created.categories, "subcategories": created.subcategories},
    }
    return answer(summary, 201 if created.categories or created.subcategories else 200)


@router.get("/{id}", response=CategoryOut, summary="Read a category")
@requires(scope="categories:read")
def read_category(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One category; 404 when the business has none such."""
    return answer(serializers.category(selectors.get_category(request.caller, id)))


@router.put("/{id}", response=CategoryOut, summary="Update or archive a category")
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def update_category(request: ApiRequest, id: str, body: CategoryChange) -> HttpResponse:  # noqa: A002
    """Changes name, code, group, type or status; archiving a category archives its subcategories too. 404, 409
    duplicate when the code is taken."""
    return answer(serializers.category(services.update(request.caller, id, body)))


@router.delete("/{id}", response=CategoryOut, summary="Delete a category that nothing is filed under")
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def delete_category(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Deletes a category with its subcategories; 404, 409 in_use where anything was filed under one: archive it then."""
    return answer(serializers.category(services.delete(request.caller, id)))


@router.get("/{categoryId}/subcategories", response=SubcategoryPage, summary="List subcategories")
@requires(scope="categories:read")
def list_subcategories(request: ApiRequest, categoryId: str, query: Query[PageQuery]) -> HttpResponse:  # noqa: N803
    """Those of one category; 404 when the business has no such category."""
    return page_of(selectors.subcategories(request.caller, categoryId), request, query, serializers.subcategory)


@router.post("/{categoryId}/subcategories", response={201: SubcategoryOut}, summary="Create a subcategory")
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def create_subcategory(request: ApiRequest, categoryId: str, body: NewSubcategory) -> HttpResponse:  # noqa: N803
    """A new subcategory; 404 without its category, 409 when that is archived, or duplicate when the code is taken."""
    return answer(serializers.subcategory(services.create_subcategory(request.caller, categoryId, body)), 201)


@router.get("/{categoryId}/subcategories/{subcategoryId}", response=SubcategoryOut, summary="Read a subcategory")
@requires(scope="categories:read")
def read_subcategory(request: ApiRequest, categoryId: str, subcategoryId: str) -> HttpResponse:  # noqa: N803
    """One subcategory of that category; 404 otherwise."""
    return answer(serializers.subcategory(selectors.get_subcategory(request.caller, categoryId, subcategoryId)))


@router.put("/{categoryId}/subcategories/{subcategoryId}", response=SubcategoryOut, summary="Update a subcategory")
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def update_subcategory(
    request: ApiRequest,
    categoryId: str,  # noqa: N803
    subcategoryId: str,  # noqa: N803
    body: SubcategoryChange,
) -> HttpResponse:
    """Changes name, code or status; 404, 409 duplicate when the code is taken, 409 to activate it in an archived
    category."""
    changed = services.update_subcategory(request.caller, categoryId, subcategoryId, body)
    return answer(serializers.subcategory(changed))


@router.delete(
    "/{categoryId}/subcategories/{subcategoryId}",
    response=SubcategoryOut,
    summary="Delete a subcategory that nothing is filed under",
)
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def delete_subcategory(request: ApiRequest, categoryId: str, subcategoryId: str) -> HttpResponse:  # noqa: N803
    """Deletes a subcategory; 404, 409 in_use where anything was filed under it: archive it then."""
    return answer(serializers.subcategory(services.delete_subcategory(request.caller, categoryId, subcategoryId)))


@router.get(
    "/{categoryId}/uses", response=UsesOut, summary="What names a category or subcategory", openapi_extra=EXTENSION
)
@requires(scope="categories:read", roles=ADMINS)
def list_category_uses(request: ApiRequest, categoryId: str, query: Query[UsesQuery]) -> HttpResponse:  # noqa: N803
    """How many records of each kind name a subcategory, or a category or one of its subcategories; kinds without any
    are left out."""
    return answer({"docs": uses.uses(uses.used(request.caller, categoryId, query.subcategory_id))})


@router.get(
    "/{categoryId}/uses/{kind}",
    response=UserPage,
    summary="The records of a kind that name a category or subcategory",
    openapi_extra=EXTENSION,
)
@requires(scope="categories:read", roles=ADMINS)
def list_category_users(
    request: ApiRequest,
    categoryId: str,  # noqa: N803
    kind: str,
    query: Query[UsersQuery],
) -> HttpResponse:
    """The records of one kind that name the category or subcategory; 404 for a kind that there is not, and without the
    category."""
    rows, users = uses.using(uses.used(request.caller, categoryId, query.subcategory_id), kind)
    return page_of(rows, request, query, partial(uses.user, users))


@router.get(
    "/{categoryId}/move",
    response=MovePlanOut,
    summary="What moving subcategories into a category would do",
    openapi_extra=EXTENSION | {"responses": refusals("422")},
)
@requires(scope="categories:read", roles=ADMINS)
def read_category_move(request: ApiRequest, categoryId: str, query: Query[MoveQuery]) -> HttpResponse:  # noqa: N803
    """What moving subcategories into a category would do; 404 without the category, 422 for a subcategory of nobody's."""
    return answer(moves.move_plan(request.caller, categoryId, query.ids))


@router.post(
    "/{categoryId}/move",
    response=CategoryOut,
    summary="Move subcategories into a category, all or none",
    openapi_extra=EXTENSION,
)
@requires(scope="categories:write", roles=ADMINS)
@idempotent()
def move_subcategories(request: ApiRequest, categoryId: str, body: Move) -> HttpResponse:  # noqa: N803
    """What is filed under them stays filed under them."""
    return answer(serializers.category(moves.move(request.caller, categoryId, body.subcategory_ids)))
