"""Where a mail provider delivers the messages that are sent to bills+<business>@…, each as raw MIME."""

import base64
import binascii
import hmac

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from dashboard.access.decorators import public
from dashboard.inbound_mail import services
from dashboard.inbound_mail.parsing import HEAD_BYTES, LARGEST_MESSAGE_BYTES
from dashboard.inputs import whole_number


@csrf_exempt
@require_POST
@public
def receive_mail(request: HttpRequest) -> HttpResponse:
    """Takes one message: 204 once it is stored, also where it comes twice; 401 without the secret, 404 for nobody here.

    The secret comes as a bearer token, or as the password of HTTP Basic, which every mail provider can send. `?to=` is
    the recipient of the envelope, where the provider names it. A message over 25 MB is listed by its head and refused:
    413, so that its sender hears of it.
    """
    if not settings.INBOUND_MAIL_SECRETS:
        return _text_response("No email is taken in here.", 404)
    if not _holds_secret(request.headers.get("authorization", "")):
        response = _text_response("The secret does not match.", 401)
        response["WWW-Authenticate"] = 'Basic realm="mail"'
        return response
    length = request.headers.get("content-length", "")
    is_whole = whole_number(length or "0", LARGEST_MESSAGE_BYTES) is not None
    raw = request.read(LARGEST_MESSAGE_BYTES + 1 if is_whole else HEAD_BYTES)
    is_whole = is_whole and len(raw) <= LARGEST_MESSAGE_BYTES
    if not services.receive(raw, request.GET.get("to", "")[:300], is_whole=is_whole):
        return _text_response("Nobody here has this address.", 404)
    return HttpResponse(status=204) if is_whole else _text_response("The message is larger than 25 MB.", 413)


def _text_response(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


def _holds_secret(authorization: str) -> bool:
    """Whether the header bears one of the secrets, compared in constant time; two of them while one is rotated out."""
    scheme, _, given = authorization.partition(" ")
    if scheme.casefold() == "basic":
        try:
            given = base64.b64decode(given, validate=True).decode().partition(":")[2]
        except (binascii.Error, ValueError):
            return False
    elif scheme.casefold() != "bearer":
        return False
    matches = [hmac.compare_digest(given.encode(), secret.encode()) for secret in settings.INBOUND_MAIL_SECRETS]
    return any(matches)
