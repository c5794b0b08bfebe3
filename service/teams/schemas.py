"""Teams on the wire (decisions A.2, B.20)."""

from datetime import datetime
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.pagination import Envelope
from service.text import Code, ObjectId, Words


class ReviewerOut(Schema):
    """Who reviews a team; a read-only reviewer sees but does not decide."""

    id: str = Field(alias="_id")
    employee_id: str
    name: str
    read_only: bool
    added_on: datetime


class MemberOut(Schema):
    """An employee who belongs to a team."""

    employee_id: str
    name: str
    role: str
    organization_email: str
    phone: str
    team_code: str


class TeamOut(Schema):
    """A team with its reviewers and members."""

    id: str = Field(alias="_id")
    name: str
    code: str
    description: str
    status: str
    reviewers: list[ReviewerOut]
    manager_ids: list[str]
    employee_count: int
    employees: list[MemberOut]
    updated_by: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class TeamPage(Envelope):
    """A page of the teams that the caller sees."""

    docs: list[TeamOut]


class NewTeam(Schema):
    """A team to make. The code is made from the name where it is missing."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"name": "Field sales", "code": "FIELD", "status": "ACTIVE", "description": "Upcountry"}]
        },
    )

    name: Words
    code: Code | None = None
    status: Literal["ACTIVE", "INACTIVE"] = "ACTIVE"
    description: inputs.Lines = Field("", max_length=500)


class TeamReviewerIn(Schema):
    """A reviewer whom the team shall have."""

    model_config = ConfigDict(extra="forbid")

    employee_id: ObjectId
    read_only: bool = False


class TeamChange(Schema):
    """What is to change; what is left out stays. `reviewers` replaces the whole set."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"name": "Field sales", "code": "FIELD", "description": "Upcountry", "reviewers": []}]
        },
    )

    name: Words | None = None
    code: Code | None = None
    status: Literal["ACTIVE", "INACTIVE"] | None = None
    description: inputs.Lines | None = Field(None, max_length=500)
    reviewers: list[TeamReviewerIn] | None = Field(None, max_length=100)
