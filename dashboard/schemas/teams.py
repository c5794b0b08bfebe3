"""Teams, who is in them and who reviews them (decisions A.2)."""

from typing import NotRequired, TypedDict

from pydantic import Field

from dashboard.schemas.base import Id, RequestSchema, ResponseSchema, Text


class Reviewer(ResponseSchema):
    """Someone who reviews a team; a read-only one sees but does not act."""

    employee_id: str
    name: Text = ""
    read_only: bool = False


class Team(ResponseSchema):
    """A team with its reviewers and the number of its employees."""

    id: Id
    name: Text = ""
    code: Text = ""
    status: Text = ""
    description: Text = ""
    reviewers: list[Reviewer] = []
    employee_count: int = 0


class TeamBody(RequestSchema):
    """A new team, or its new fields."""

    name: str = Field(min_length=1)
    code: str | None = None
    status: str | None = None
    description: str | None = None


class TeamFields(TypedDict):
    """The body of CREATE_TEAM and UPDATE_TEAM; without a code the service makes one of the name."""

    name: str
    status: str
    code: NotRequired[str]
    description: NotRequired[str]
