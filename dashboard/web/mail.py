"""Development only: the mail this machine would have sent, as files, readable."""

import email
import email.policy
import re
from email.message import EmailMessage
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from dashboard.access.decorators import public
from dashboard.web.respond import page

LINK = re.compile(r"https?://[^\s<>&]+(?:&amp;[^\s<>&]+)*")
NEWEST = 50


def letters(folder: Path, limit: int = NEWEST) -> list[dict[str, str | SafeString]]:
    """The newest letters of the folder, newest first: to, subject, date and body with its links."""
    files = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime_ns, reverse=True)[:limit]
    newest: list[dict[str, str | SafeString]] = []
    for file in files:
        # One file per connection; the letters in it are divided by a line of dashes.
        for raw in reversed(re.split(rb"\n-{79}\n", file.read_bytes())):
            if raw.strip():
                newest.append(letter(raw))
    return newest[:limit]


def letter(raw: bytes) -> dict[str, str | SafeString]:
    """One letter; its text escaped, then its links made links."""
    message = email.message_from_bytes(raw.lstrip(), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain",))
    text = escape(part.get_content() if part else "")
    linked = LINK.sub(lambda link: f'<a href="{link.group()}">{link.group()}</a>', text)
    return {
        "to": str(message["To"]),
        "subject": str(message["Subject"]),
        "date": str(message["Date"]),
        "body": mark_safe(linked),  # noqa: S308 - escaped above, only links added
    }


@require_GET
@public
def mailbox(request: HttpRequest) -> HttpResponse:
    """The letters, newest first; 404 outside development."""
    if not settings.DEVELOPMENT:
        raise Http404
    return page(request, "mail/mailbox.html", {"letters": letters(Path(settings.EMAIL_FILE_PATH))})
