"""Webhook endpoints as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service.webhooks.models import WebhookEndpoint


def endpoint(row: WebhookEndpoint, secret: str | None = None) -> dict[str, Any]:
    """An endpoint as the interface shows it, with its secret where it was just made."""
    shown: dict[str, Any] = {
        "_id": row.id,
        "url": row.url,
        "kinds": row.kinds,
        "status": row.status,
        "disabled_reason": row.disabled_reason,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
    return {**shown, "secret": secret} if secret else shown
