"""Second factors: secrets sealed at rest, a QR code that a strict page may show, and sessions that end on a change."""

import io
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from dashboard.access.secrets import seal, unseal
from dashboard.access.sessions import end_sessions

# Set once per session when the person's second factor has been seen, so that entering a business costs no query.
PROVEN = "second_factor"


class Factors(DefaultMFAAdapter):
    """allauth's adapter with TOTP secrets encrypted by our rotating keys."""

    def encrypt(self, text: str) -> str:
        """The secret as it is stored."""
        return seal(text).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        """The secret as it was given."""
        return unseal(encrypted_text.encode("ascii"))

    def build_totp_svg(self, url: str) -> SafeString:
        """The QR code as an SVG element without a style, dark on white in both themes."""
        # With it come lxml and Pillow: loaded by whoever sets a second factor up.
        import qrcode.image.svg  # type: ignore[import-untyped]

        code = qrcode.QRCode(border=2, box_size=10)
        code.add_data(url)
        buffer = io.BytesIO()
        code.make_image(image_factory=qrcode.image.svg.SvgPathImage).save(buffer)
        svg = buffer.getvalue().decode()
        return mark_safe(svg[svg.index("<svg") :])  # noqa: S308 - drawn here, from squares


def has_factor(request: HttpRequest) -> bool:
    """True when this session's person has a second factor; whoever has one was asked for it on the way in."""
    if request.session.get(PROVEN):
        return True
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    if not Authenticator.objects.filter(user_id=request.user.pk, type__in=kinds).exists():
        return False
    request.session[PROVEN] = True
    return True


def factor_changed(sender: Any, request: HttpRequest, user: AbstractBaseUser, **extra: Any) -> None:
    """Ends the person's other sessions when a factor was added, removed or reset."""
    request.session.pop(PROVEN, None)
    end_sessions(int(user.pk), but=request.session.session_key)
