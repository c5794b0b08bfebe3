"""Teams, who is in them and who reviews them (decisions A.2)."""

from pydantic import Field

from dashboard.client.models.base import Answered, Id, Sent, Text


class Reviewer(Answered):
    """Someone who reviews a team; a read-only one sees but does not act."""

    employee_id: str
    name: Text = ""
    read_only: bool = False


class Team(Answered):
    """A team."""

    id: Id
    name: Text = ""
    code: Text = ""
    status: Text = ""
    reviewers: list[Reviewer] = []
    employee_count: int = 0


class TeamBody(Sent):
    """A new team, or its new fields."""

    name: str = Field(min_length=1)
    code: str | None = None
    status: str | None = None
