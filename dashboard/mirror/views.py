"""Where the service's signed webhooks arrive: verified, stored, acknowledged; a worker applies them."""

import re
from typing import cast

from django.db import DataError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from standardwebhooks import Webhook, WebhookVerificationError

from dashboard.access.decorators import public
from dashboard.access.secrets import unseal
from dashboard.client.json import read_untrusted_json
from dashboard.client.models import ServiceAccount
from dashboard.enqueue import enqueue_on_commit
from dashboard.inputs import whole_number
from dashboard.mirror.events import ServiceEvent
from dashboard.mirror.webhook_inbox import store_delivery

LARGEST = 64 * 1024
# One signature of a delivery: the version, and the 32 bytes of the MAC in base64. What looks otherwise is none.
SIGNATURE = re.compile(r"v1,[A-Za-z0-9+/]{43}=")
WEBHOOK_ID = re.compile(r"[!-~]{1,120}")


@csrf_exempt
@require_POST
@public
def receive_webhook(request: HttpRequest, business_id: int) -> HttpResponse:
    """Takes one delivery (Standard Webhooks 1.0): 204 once it is stored, 400 where it is not ours to believe.

    The raw bytes are verified, in constant time, within five minutes of their time stamp; a delivery that comes
    twice is acknowledged twice and applied once. Whatever a stranger sends, the answer is 400 or 413.
    """
    account = get_object_or_404(ServiceAccount, business_id=business_id, webhook_secret_sealed__isnull=False)
    length = request.headers.get("content-length", "")
    if whole_number(length or "0", LARGEST) is None or len(request.body) > LARGEST:
        return HttpResponse("The delivery is too large.", status=413, content_type="text/plain")
    secrets = unseal(bytes(account.webhook_secret_sealed or b"")).split()
    headers = {name: request.headers.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
    signatures = [signature for signature in headers["webhook-signature"].split() if SIGNATURE.fullmatch(signature)]
    headers["webhook-signature"] = " ".join(signatures)
    if not WEBHOOK_ID.fullmatch(headers["webhook-id"]) or not any(
        _signed(secret, request.body, headers) for secret in secrets
    ):
        return HttpResponse("The signature does not match.", status=400, content_type="text/plain")
    try:
        event = read_untrusted_json(request.body)
    except ValueError:
        return HttpResponse("The body is not JSON.", status=400, content_type="text/plain")
    if not isinstance(event, dict):
        return HttpResponse("The body is not an event.", status=400, content_type="text/plain")
    try:
        with transaction.atomic():
            is_new = store_delivery(account.business, headers["webhook-id"], cast(ServiceEvent, event))
    except (DataError, ValueError):
        # NUL and half a surrogate pair are JSON, and no text of PostgreSQL's.
        return HttpResponse("The body cannot be stored.", status=400, content_type="text/plain")
    if is_new:
        enqueue_on_commit("dashboard.mirror.apply_inbox", expires_s=30)
    return HttpResponse(status=204)


def _signed(secret: str, body: bytes, headers: dict[str, str]) -> bool:
    # Two secrets are kept while one is rotated out.
    try:
        Webhook(secret).verify(body, headers, json_parse=False)
    except (WebhookVerificationError, UnicodeDecodeError):
        return False
    return True
