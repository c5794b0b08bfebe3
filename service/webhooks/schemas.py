"""Webhook endpoints on the wire."""

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field

from service import inputs
from service.events.kinds import SELECTABLE
from service.pagination import Envelope


def _known(value: str) -> str:
    if value not in SELECTABLE:
        raise ValueError("There is no event of this kind.")
    return value


Kind = Annotated[
    inputs.Line, AfterValidator(_known), Field(examples=["expense.*"], json_schema_extra={"enum": sorted(SELECTABLE)})
]


class EndpointOut(Schema):
    """An endpoint; its secret is told when it is made or rotated, and never again."""

    id: str = Field(alias="_id")
    url: str
    kinds: list[str]
    status: str
    disabled_reason: str
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class EndpointWithSecret(EndpointOut):
    """An endpoint with the secret that signs its deliveries: shown this once."""

    secret: str = Field(examples=["whsec_…"])


class EndpointPage(Envelope):
    """A page of the endpoints of webhooks."""

    docs: list[EndpointOut]


class NewEndpoint(Schema):
    """An endpoint to make. No kinds means every kind; "expense.*" means all of expenses."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"url": "https://example.com/hooks", "kinds": ["expense.*"]}]},
    )

    url: str = Field(min_length=8, max_length=500, pattern="^https?://[!-~]+$")
    kinds: list[Kind] = Field(default_factory=list, max_length=100)


class ReplayBody(Schema):
    """Which events to send again: those after a sequence."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"after": 120}]})

    after: inputs.Whole = Field(default=0, ge=0, le=inputs.LARGEST)


class ReplayOut(Schema):
    """How many events were queued to be delivered again."""

    queued: int
