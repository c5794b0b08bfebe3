"""Identity providers as sign-in looks them up: by the address of the business, or by the domain of an e-mail address."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import structlog
from django.db import transaction

from dashboard.access.models import Business
from dashboard.access.secrets import SecretUnreadable, reseal, unseal
from dashboard.single_sign_on.models import IdentityProvider, Protocol

log = structlog.get_logger(__name__)

SEALED = ("client_secret_sealed", "key_sealed", "former_key_sealed")


@dataclass(frozen=True, slots=True)
class DecryptionKey:
    """A key of ours in plain (PEM) that assertions may be encrypted to; `is_former` where it is the one before a renewal."""

    pem: str
    is_former: bool


def provider_at(slug: str, *, is_on: bool = True) -> IdentityProvider | None:
    """The identity provider of the business at this address, with the business; None where there is none, or it is off."""
    rows = IdentityProvider.objects.select_related("business").filter(business__slug=slug)
    return (rows.filter(is_on=True) if is_on else rows).first()


def provider_for(typed: str) -> IdentityProvider | None:
    """Where somebody signs in who typed their e-mail address, or the address of their business; None where nowhere.

    None, too, where two businesses sign in addresses of the domain: then the address of the business says which.
    """
    text = typed.strip().lower()
    if "@" not in text:
        return provider_at(text.rstrip("/").rpartition("/")[2])
    domain = text.rpartition("@")[2]
    rows = IdentityProvider.objects.select_related("business").filter(is_on=True, email_domains__contains=[domain])[:2]
    matches = list(rows)
    return matches[0] if len(matches) == 1 else None


def secret_of(provider: IdentityProvider) -> str:
    """The client's secret in plain, for the request to the provider alone; empty where there is none."""
    return unseal(provider.client_secret_sealed) if provider.client_secret_sealed else ""


def own_signing_key_of(provider: IdentityProvider) -> str:
    """Our key at a SAML provider in plain (PEM) that signs: after a renewal the one before it, until the renewed one is used.

    Where that one cannot be unsealed any more, the renewed one, which is published, too; empty where there is none yet.
    SecretUnreadable where no key can be unsealed.
    """
    if provider.former_key_sealed:
        with suppress(SecretUnreadable):
            return unseal(provider.former_key_sealed)
        log.warning("our previous key at a SAML provider cannot be unsealed", business=provider.business.slug)
    return unseal(provider.key_sealed) if provider.key_sealed else ""


def decryption_keys_of(provider: IdentityProvider) -> Iterator[DecryptionKey]:
    """Our keys at a SAML provider that assertions may be encrypted to: the newest, then the one before it until that is
    removed. Each is unsealed when it is its turn; one that cannot be is left out, since the other may suffice."""
    for sealed, is_former in ((provider.key_sealed, False), (provider.former_key_sealed, True)):
        if not sealed:
            continue
        try:
            pem = unseal(sealed)
        except SecretUnreadable:
            log.warning("a key of ours at a SAML provider cannot be unsealed", business=provider.business.slug)
            continue
        yield DecryptionKey(pem, is_former)


def published_certificates(provider: IdentityProvider | None) -> list[str]:
    """The certificates of those keys (DER in base64), the one that signs first; none where SAML is not set up."""
    if provider is None or provider.protocol != Protocol.SAML:
        return []
    return [content for content in (provider.former_key_certificate, provider.key_certificate) if content]


def is_domain_allowed(provider: IdentityProvider, email: str) -> bool:
    """Whether the provider may sign in this address: its domain to the letter, none below it."""
    name, at, domain = email.lower().rpartition("@")
    return bool(name and at and domain in provider.email_domains)


def snapshot_of_provider(business: Business) -> dict[str, int]:
    """What somebody saw of the settings: their version, 0 before there are any."""
    version = IdentityProvider.objects.filter(business=business).values_list("version", flat=True).first()
    return {"version": version or 0}


def reseal_provider_secrets() -> int:
    """Seals every stored client secret and key of ours with the first key; of how many providers."""
    rows = IdentityProvider.objects.exclude(client_secret_sealed=b"", key_sealed=b"")
    keys = list(rows.values_list("pk", flat=True))
    for key in keys:
        _reseal(key)
    return len(keys)


def _reseal(key: int) -> None:
    """The secrets of one provider as they are now: what somebody enters meanwhile is not written over."""
    with transaction.atomic():
        provider = IdentityProvider.objects.filter(pk=key)
        row = provider.select_for_update(no_key=True).first()
        for name in SEALED:
            if row is not None and (sealed := bytes(getattr(row, name))):
                provider.filter(**{name: sealed}).update(**{name: reseal(sealed)})
