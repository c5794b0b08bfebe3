"""Teams as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from typing import TypedDict

from service.businesses.models import Team


class ReviewerShape(TypedDict):
    """Somebody who reviews a team; `read_only` where they see and do not decide."""

    _id: str
    employee_id: str
    name: str
    read_only: bool
    added_on: datetime


class MemberShape(TypedDict):
    """Somebody who is in a team."""

    employee_id: str
    name: str
    role: str
    organization_email: str
    phone: str
    team_code: str


TeamShape = TypedDict(
    "TeamShape",
    {
        "_id": str,
        "name": str,
        "code": str,
        "description": str,
        "status": str,
        "reviewers": list[ReviewerShape],
        "manager_ids": list[str],
        "employee_count": int,
        "employees": list[MemberShape],
        "updated_by": str,
        "version": int,
        "__v": int,
        "createdAt": datetime,
        "updatedAt": datetime,
    },
)
"""A team as the interface shows it."""


def team(row: Team) -> TeamShape:
    """A team as the interface shows it; reviewers and members should be prefetched."""
    members = list(row.members.all())
    return {
        "_id": row.id,
        "name": row.name,
        "code": row.code,
        "description": row.description,
        "status": row.status,
        "reviewers": [
            {
                "_id": reviewer.id,
                "employee_id": reviewer.employee_id,
                "name": reviewer.employee.name,
                "read_only": reviewer.read_only,
                "added_on": reviewer.added_on,
            }
            for reviewer in row.reviewers.all()
        ],
        "manager_ids": [reviewer.employee_id for reviewer in row.reviewers.all()],
        "employee_count": len(members),
        "employees": [
            {
                "employee_id": member.id,
                "name": member.name,
                "role": member.role,
                "organization_email": member.email,
                "phone": member.phone,
                "team_code": row.code,
            }
            for member in members
        ],
        "updated_by": row.updated_by,
        "version": row.version,
        "__v": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
