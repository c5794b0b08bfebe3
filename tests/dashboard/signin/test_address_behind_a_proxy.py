"""Whose address counts at the sign-in: the one that the trusted proxy wrote down, and never one that a stranger did."""

from typing import Any

import pytest
from allauth.core.internal.httpkit import get_client_ip
from django.test import RequestFactory

PROXY = "10.0.0.5"


def seen_from(forwarded: str | None) -> str | None:
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    return get_client_ip(RequestFactory().get("/", REMOTE_ADDR=PROXY, headers=headers))


def test_without_a_proxy_nobodys_word_is_taken(settings: Any) -> None:
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == 0
    assert seen_from("192.0.2.7") == PROXY


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [("192.0.2.7", "192.0.2.7"), ("198.51.100.1, 192.0.2.7", "192.0.2.7"), (None, PROXY)],
    ids=["what the proxy wrote", "after what a stranger wrote", "past the proxy"],
)
def test_behind_one_it_is_what_that_one_wrote(settings: Any, forwarded: str | None, address: str) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert seen_from(forwarded) == address
