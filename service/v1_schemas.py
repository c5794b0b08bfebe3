"""What the areas' routers of the old interface share on the wire: the page and days of a list, a role as it is spelled there."""

from ninja import Schema
from pydantic import Field

from service import inputs


class ListQuery(Schema):
    """The dates are spelled fromDate in the guide and fromdate in the OpenAPI page: both are taken."""

    page: inputs.Whole = Field(default=1, ge=1, le=1_000_000_000)
    limit: inputs.Whole = Field(default=50, ge=1, le=1000)
    fromDate: inputs.Day | None = None  # noqa: N815
    fromdate: inputs.Day | None = None
    toDate: inputs.Day | None = None  # noqa: N815
    todate: inputs.Day | None = None


def role_name(role: str) -> str:
    """A role as the old interface writes it: CARD USER."""
    return role.replace("_", " ")
