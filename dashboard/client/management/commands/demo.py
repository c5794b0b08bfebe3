"""`manage.py demo`: makes the service's demo businesses known here, with people who can sign in, for `manage.py up`."""

import json
import os
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from dashboard.access.models import Business, Membership, User
from dashboard.access.roles import Role
from dashboard.access.secrets import seal
from dashboard.client.models import ServiceAccount

ZONES = {"KE": ("Africa/Nairobi", "en_KE"), "NL": ("Europe/Amsterdam", "en_NL")}


class Command(BaseCommand):
    """Reads what `manage.py service demo` wrote, makes people and connections, and writes demo.json for whoever signs in."""

    help = "Connect the demo businesses of the finance service and make people who can sign in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--from`: the file that the service's demo wrote; demo.json is written beside it."""
        parser.add_argument("--from", dest="source", type=Path, required=True)

    def handle(self, *, source: Path, **options: Any) -> None:
        """Makes what is missing; run again it changes nothing but demo.json."""
        if not settings.DEVELOPMENT:
            raise CommandError("Demo data is for development: COUNTERSIGN_DEVELOPMENT is not set.")
        demo = json.loads(source.read_text())
        target = source.parent / "demo.json"
        password = _stored_password(target) or secrets.token_urlsafe(9)
        hashed = make_password(password)
        people: list[dict[str, str]] = []
        for position, business in enumerate(demo["businesses"]):
            with transaction.atomic():
                # The second business asks everyone for a second factor, the first asks nobody.
                people += _connect(business, hashed, strict=position > 0, password=password)
        _write_private(target, json.dumps(_demo(demo, people), indent=1))
        self.stdout.write(f"{len(people)} people can sign in; see {target.name}.")


def _write_private(file: Path, text: str) -> None:
    # For its owner alone, and in one step: a reader sees the old one or the new one.
    partial = file.with_name(file.name + ".partial")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as handle:
        handle.write(text)
    partial.replace(file)


def _stored_password(target: Path) -> str:
    if not target.exists():
        return ""
    people = json.loads(target.read_text())["dashboard"]["people"]
    return str(people[0]["password"]) if people else ""


def _connect(listed: dict[str, Any], hashed: str, *, strict: bool, password: str) -> list[dict[str, str]]:
    zone, locale = ZONES.get(listed.get("country", ""), ("UTC", "en_GB"))
    business, _ = Business.objects.get_or_create(
        slug=listed.get("slug") or listed["name"].lower().replace(" ", "-"),
        defaults={
            "name": listed["name"],
            "time_zone": zone,
            "locale": locale,
            "second_factor_roles": list(Role.values) if strict else [],
        },
    )
    ServiceAccount.objects.update_or_create(
        business=business,
        defaults={
            "base_url": f"{settings.DEMO_SERVICE_ADDRESS}/v2",
            "remote_business_id": listed["business_id"],
            "client_id": listed["client_id"],
            "client_secret_sealed": seal(listed["client_secret"]),
            "webhook_secret_sealed": seal(listed["webhook_secret"]) if listed.get("webhook_secret") else None,
        },
    )
    return [
        _person(business, employee, hashed, strict, password)
        for employee in listed["employees"]
        if employee.get("signs_in")
    ]


def _person(business: Business, employee: dict[str, Any], hashed: str, strict: bool, password: str) -> dict[str, str]:
    user, is_new = User.objects.get_or_create(
        email=employee["email"].lower(),
        defaults={"name": employee["name"], "password": hashed, "last_business": business},
    )
    if is_new:
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Membership.objects.get_or_create(
        user=user,
        business=business,
        defaults={"role": employee["role"].replace(" ", "_"), "employee_id": employee["employee_id"]},
    )
    person = {
        "business": business.slug,
        "role": employee["role"].replace(" ", "_"),
        "email": user.email,
        "password": password,
    }
    if strict:
        person["totp_secret"] = _second_factor(user)
    return person


def _second_factor(user: User) -> str:
    stored = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).first()
    if stored is not None:
        return str(decrypt(stored.data["secret"]))
    secret = str(generate_totp_secret())
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def _demo(demo: dict[str, Any], people: list[dict[str, str]]) -> dict[str, Any]:
    names = ("business_id", "name", "client_id", "client_secret", "api_key")
    return {
        "dashboard": {"address": settings.DASHBOARD_ADDRESS, "people": people},
        "service": {
            "address": settings.DEMO_SERVICE_ADDRESS,
            "businesses": [
                {name: business.get(name) for name in names}
                | {
                    "employees": [
                        {name: employee[name] for name in ("employee_id", "role", "name")}
                        for employee in business["employees"]
                    ]
                }
                for business in demo["businesses"]
            ],
        },
    }
