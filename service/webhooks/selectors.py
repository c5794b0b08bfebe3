"""The webhook endpoints of the caller."""

from django.db.models import QuerySet

from service import errors
from service.auth import Caller
from service.webhooks.models import WebhookEndpoint


def endpoints(caller: Caller) -> QuerySet[WebhookEndpoint]:
    """Those of the caller's business."""
    return WebhookEndpoint.objects.filter(business_id=caller.business.id)


def get_endpoint(caller: Caller, endpoint_id: str) -> WebhookEndpoint:
    """One endpoint; 404 when the business has none such."""
    endpoint = endpoints(caller).filter(id=endpoint_id).first()
    if endpoint is None:
        raise errors.not_found("webhook endpoint")
    return endpoint
