"""Webhook endpoints as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from typing import NotRequired, TypedDict

from service.webhooks.models import WebhookEndpoint


class EndpointShape(TypedDict):
    """An endpoint as the interface shows it, with its secret where it was just made."""

    _id: str
    url: str
    kinds: list[str]
    status: str
    disabled_reason: str
    createdAt: datetime
    updatedAt: datetime
    secret: NotRequired[str]


def endpoint(row: WebhookEndpoint, secret: str | None = None) -> EndpointShape:
    """An endpoint as the interface shows it, with its secret where it was just made."""
    shape: EndpointShape = {
        "_id": row.id,
        "url": row.url,
        "kinds": row.kinds,
        "status": row.status,
        "disabled_reason": row.disabled_reason,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
    return {**shape, "secret": secret} if secret else shape
