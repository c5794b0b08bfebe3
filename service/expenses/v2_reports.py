"""Expenses in v2, what the published interface leaves open: reports and tags, at paths of ours."""

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.documentation import EXTENSION
from service.expenses import reports, serializers, services, tags
from service.expenses.reports import CategoryReport, ReportQuery, TeamCategoryReport
from service.expenses.schemas import Body, ExpenseOut
from service.idempotency import idempotent
from service.pagination import Envelope, PageQuery, page_of
from service.respond import answer

router = Router(tags=["Expenses"])

TagName = Annotated[inputs.Name, Field(max_length=40)]


class NewTag(Body):
    """A word to tag expenses with."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Client visit"}]})

    name: TagName


class TagOut(Schema):
    """A tag that expenses of the business can have."""

    id: str = Field(alias="_id")
    name: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class TagPage(Envelope):
    """A page of the tags for expenses."""

    docs: list[TagOut]


class TagsBody(Body):
    """All tags of an expense, by their names."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"tags": ["Client visit"]}]})

    tags: list[TagName] = Field(max_length=20)


@router.get("/reports/categories", response=CategoryReport, summary="Expenses by category", openapi_extra=EXTENSION)
@requires(scope="expenses:read", business_header=True)
def report_categories(request: ApiRequest, query: Query[ReportQuery]) -> HttpResponse:
    """Of the expenses that GET /expenses lists for the caller."""
    docs = reports.by_category(request.caller, query)
    return answer({"docs": docs, "total": len(docs)})


@router.get(
    "/reports/team-categories",
    response=TeamCategoryReport,
    summary="Expenses by team and category",
    openapi_extra=EXTENSION,
)
@requires(scope="expenses:read", business_header=True)
def report_team_categories(request: ApiRequest, query: Query[ReportQuery]) -> HttpResponse:
    """Of the expenses that GET /expenses lists for the caller, by the team at the time of spending."""
    docs = reports.by_team_and_category(request.caller, query)
    return answer({"docs": docs, "total": len(docs)})


@router.get("/tags", response=TagPage, summary="List expense tags", openapi_extra=EXTENSION)
@requires(scope="expenses:read", business_header=True)
def list_tags(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """A page of the tags that the business has for expenses."""
    return page_of(tags.tags(request.caller), request, query, tags.serialize_tag)


@router.post("/tags", response={201: TagOut}, summary="Create an expense tag", openapi_extra=EXTENSION)
@requires(scope="expenses:review", roles=TEAM_AND_OFFICE, business_header=True)
@idempotent()
def create_tag(request: ApiRequest, body: NewTag) -> HttpResponse:
    """A new tag; 409 duplicate where it is there, in whatever case."""
    return answer(tags.serialize_tag(tags.create(request.caller, body.name)), 201)


@router.put("/{id}/tags", response=ExpenseOut, summary="Tag an expense", openapi_extra=EXTENSION)
@requires(scope="expenses:review", business_header=True)
@idempotent()
def tag_expense(request: ApiRequest, id: str, body: TagsBody) -> HttpResponse:  # noqa: A002  the published name
    """The expense has these tags afterwards and no others; 422 for a tag that the business does not have."""
    return answer(serializers.by_id(services.tag(request.caller, id, body.tags).id))
