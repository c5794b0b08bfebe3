"""Every field of every form, and every other door, with what breaks a reader that asks neither for length nor for depth."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from standardwebhooks import Webhook

from dashboard.access.secrets import seal
from dashboard.client.models import ServiceAccount
from dashboard.scim import tokens
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.address_stage import filled
from tests.dashboard.hostile_requests import (
    BREAKING,
    DOCUMENTS,
    FILES,
    Form,
    Hostile,
    documents_by_leaf,
    requests_by_field,
)
from tests.dashboard.scim.conftest import GROUP, PATCH, USER, reserved_domains_are_addresses
from tests.dashboard.test_addresses import OURS_ALONE, patterns
from tests.dashboard.test_hostile_requests import AFRESH_AFTER, ROLES, Broken, Stage, browser_of, read_forms, stage

__all__ = ["reserved_domains_are_addresses", "stage"]
IS_FULL = bool(os.environ.get("FULL"))
SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
MAIL_SECRET = "mail-door-secret"
# As the value of a field in JSON: what breaks readers, bare and as a text, and what has another shape than was meant.
JSON_VALUES = (
    *DOCUMENTS, *(json.dumps(one) for one in BREAKING), '"\\ud800"', '"\\u0000"', '"\\u202e"', "null", "true", "-1", "1e999", "NaN",
    "[]", "{}", "[[]]", '[{"value":[]}]', '{"value":{}}', '""', '" "',
)  # fmt: skip


def send_all(world_browser: Any, requests: Iterable[Hostile]) -> Broken:
    """What became of them, with a browser afresh after every AFRESH_AFTER."""
    with Broken() as broken:
        for number, one in enumerate(requests):
            if number % AFRESH_AFTER == 0:
                browser = world_browser()
            broken.add(browser, one)
    return broken


@pytest.mark.parametrize("role", ROLES if IS_FULL else ("Ada",))
def test_no_field_of_any_form_is_answered_with_a_500(committed: None, stage: Stage, role: str) -> None:
    world, other, ids = stage
    addresses = [filled(world, whole, one.name or "", ids) for whole, one in patterns() if one.name not in OURS_ALONE]
    forms = one_of_each(read_forms(browser_of(world, other, role), addresses))
    broken = send_all(lambda: browser_of(world, other, role), requests_by_field(forms, whole=IS_FULL))
    assert not broken.counts, str(broken)
    print(len(forms), broken.codes)
    assert sum(broken.codes.values()) > 500 or role == "stranger", broken.codes


def one_of_each(forms: list[Form]) -> list[Form]:
    """Of the forms of one view with the same fields, such as those of each member, the first."""

    def place(form: Form) -> tuple[object, ...]:
        try:
            view: object = resolve(form.action.partition("?")[0]).func
        except Resolver404:
            view = form.action
        return view, form.method, tuple(sorted(re.sub(r"[0-9a-f]{24}|[0-9]+", "#", name) for name in form.fields))

    return list({place(form): form for form in reversed(forms)}.values())


def sign_in_addresses(world: Any) -> list[str]:
    """Those of allauth's, with something of the right shape in each place."""
    found = []
    for whole, _ in patterns(with_sign_in=True):
        if whole.startswith("-/account/") and "logout" not in whole:
            address = re.sub(
                r"\(\?P<\w+>[^)]*\)|<\w+:\w+>|<\w+>", "x1-y2", whole.replace("<slug:provider_id>", world.business.slug)
            )
            found.append("/" + re.sub(r"[\^$?]", "", address))
    return found


@pytest.mark.parametrize("signed_in", [True, False], ids=["signed in", "signed out"])
def test_no_form_of_signing_in_is_answered_with_a_500(
    committed: None, stage: Stage, signed_in: bool, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    world, other, _ = stage

    def browser() -> Client:
        if signed_in:
            return browser_of(world, other, "Carla")
        return Client(raise_request_exception=False)

    forms = [one for one in read_forms(browser(), sign_in_addresses(world)) if "/-/" in one.action]
    assert {"/-/account/login/"} <= {one.action for one in forms} or signed_in
    broken = send_all(browser, requests_by_field(forms, whole=True))
    assert not broken.counts, str(broken)
    assert broken.codes[200] + broken.codes[302] > 50, broken.codes


def test_no_request_of_an_identity_provider_is_answered_with_a_500(
    committed: None, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "REQUESTS_PER_MINUTE", 10**9)
    world, _, _ = stage
    business, slug = world.business, world.business.slug
    IdentityProvider.objects.get_or_create(
        business=business,
        defaults={
            "name": "Okta", "issuer": "https://okta.example", "client_id": "us", "email_domains": [f"{slug}.test"],
            "ceiling": "APPROVER",
        },
    )  # fmt: skip
    token, member = tokens.issue_token(world.actor("Sam")), str(world.people["Zawadi"].pk)
    user = {
        "schemas": [USER], "userName": f"new@{slug}.test", "externalId": "x1", "displayName": "New", "active": True,
        "name": {"givenName": "New", "familyName": "Person", "formatted": "New Person"},
        "emails": [{"value": f"new@{slug}.test", "primary": True, "type": "work"}],
    }  # fmt: skip
    group = {"schemas": [GROUP], "displayName": "Finance", "externalId": "g1", "members": [{"value": member}]}
    patch = {
        "schemas": [PATCH],
        "Operations": [
            {"op": "replace", "path": "active", "value": True}, {"op": "replace", "value": {"displayName": "New"}},
            {"op": "add", "path": f'members[value eq "{member}"]', "value": [{"value": member}]},
        ],
    }  # fmt: skip
    bodies = [
        ("POST", "Users", user), ("PUT", f"Users/{member}", user), ("PATCH", f"Users/{member}", patch),
        ("POST", "Groups", group), ("PUT", "Groups/1", group), ("PATCH", "Groups/1", patch),
    ]  # fmt: skip
    headers = {"Authorization": f"Bearer {token}"}
    values = JSON_VALUES if IS_FULL else JSON_VALUES[:12] + JSON_VALUES[20:]
    sent = [
        Hostile(method, f"/-/scim/v2/{path}", body, "application/scim+json", headers)
        for method, path, document in bodies
        for body in documents_by_leaf(document, values)
    ]
    sent += [
        Hostile("GET", f"/-/scim/v2/{path}?{name}={value}", headers=headers)
        for path in ("Users", "Groups", f"Users/{member}", "ServiceProviderConfig", "Schemas")
        for name in ("filter", "startIndex", "count", "attributes", "excludedAttributes", "sortBy")
        for value in (
            "9" * 5000,
            "-1",
            "%00",
            "%ED%A0%80",
            "(" * 900,
            "not+(" * 300,
            'userName+eq+"%00"',
            "a.b.c[d",
            "[]",
        )
    ]
    broken = send_all(lambda: Client(raise_request_exception=False), sent)
    assert not broken.counts, str(broken)
    assert broken.codes[401] == broken.codes[429] == 0, broken.codes
    assert broken.codes[400] > 100, broken.codes


def test_no_delivery_is_answered_with_a_500(committed: None, stage: Stage, settings: Any) -> None:
    """What the finance service would sign, and what a mail provider would bring."""
    settings.INBOUND_MAIL_DOMAIN, settings.INBOUND_MAIL_SECRETS = "in.example", [MAIL_SECRET]
    world, _, _ = stage
    ServiceAccount.objects.filter(business=world.business).update(webhook_secret_sealed=seal(SECRET))
    event = {
        "type": "expense.created",
        "sequence": 5,
        "created_at": "2026-01-01T00:00:00Z",
        "data": {"object": {"_id": "a" * 24}},
    }
    sent, now = [], datetime.now(UTC)
    for number, body in enumerate(documents_by_leaf(event, JSON_VALUES)):
        name = f"msg_hostile_{number}"
        signature = Webhook(SECRET).sign(name, now, body.decode())
        headers = {"webhook-id": name, "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}
        sent.append(Hostile("POST", f"/-/hooks/{world.business.pk}/", body, "application/json", headers))
    for raw in (*FILES, *(one.encode() for one in BREAKING)):
        head = b"To: bills+" + world.business.slug.encode() + b"@in.example\r\nSubject: " + raw[:3000]
        for mail in (raw, head + b"\r\n\r\n" + raw):
            headers = {"Authorization": f"Bearer {MAIL_SECRET}"}
            sent.append(Hostile("POST", "/-/mail/bills/", mail, "message/rfc822", headers))
    broken = send_all(lambda: Client(raise_request_exception=False), sent)
    assert not broken.counts, str(broken)
    assert broken.codes[204] > 10, broken.codes
    assert broken.codes[400] > 100, broken.codes
