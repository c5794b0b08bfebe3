"""Teams as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service.businesses.models import Team


def team(row: Team) -> dict[str, Any]:
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
                "_id": each.id,
                "employee_id": each.employee_id,
                "name": each.employee.name,
                "read_only": each.read_only,
                "added_on": each.added_on,
            }
            for each in row.reviewers.all()
        ],
        "manager_ids": [each.employee_id for each in row.reviewers.all()],
        "employee_count": len(members),
        "employees": [
            {
                "employee_id": each.id,
                "name": each.name,
                "role": each.role,
                "organization_email": each.email,
                "phone": each.phone,
                "team_code": row.code,
            }
            for each in members
        ],
        "updated_by": row.updated_by,
        "version": row.version,
        "__v": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
