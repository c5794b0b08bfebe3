"""How a business's people sign in at its own identity provider."""

from django.db import models
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.access.roles import Role


class Protocol(models.TextChoices):
    """By which protocol an identity provider says who somebody is."""

    OIDC = "OIDC", "OpenID Connect"
    SAML = "SAML", "SAML 2.0"


class IdentityProvider(models.Model):
    """The identity provider of a business. The client's secret is encrypted at rest and leaves only to that provider.

    `client_id` and the secret are OpenID Connect's alone. SAML's are `sign_on_address`, where a browser is sent to sign in,
    `certificates`, by one of which assertions are signed (DER in base64), and `email_attribute`, "" for the usual ones;
    its `issuer` is the provider's entity id, and `groups_claim` names an attribute. `key_sealed` is our own key at it (PEM,
    encrypted at rest) with its certificate (DER in base64), made when the provider is first saved: requests are signed with it
    where `signs_requests`, assertions have to be encrypted to it where `requires_encryption`. `former_key_sealed` and
    `former_key_certificate` are the key before it, from a renewal until the renewed key is used: as long it is the former that
    signs, and either decrypts. `former_key_opened_at` is when the former has opened an assertion since, noted at most once an
    hour. `logout_address` is where a browser is sent to sign out there as well, "" for no single logout, and
    `logout_response_address` where it brings our answer to a sign-out there, "" for the same. `email_domains` are the domains
    whose addresses it may sign in. `group_roles` is {group: role}, read from the claim `groups_claim` of its ID token; `ceiling` is the role above which no group raises anybody, and whoever stands above it
    already is left alone. Whether it is required stands with the business, which every request reads anyway.
    """

    business = models.OneToOneField(Business, on_delete=models.CASCADE, related_name="+")
    protocol = models.CharField(max_length=4, choices=Protocol.choices, default=Protocol.OIDC)
    is_on = models.BooleanField(default=False)
    name = models.CharField(max_length=60)
    issuer = models.CharField(max_length=300)
    client_id = models.CharField(max_length=190, blank=True)
    client_secret_sealed = models.BinaryField(default=b"")
    sign_on_address = models.CharField(max_length=500, blank=True)
    certificates = models.JSONField(default=list)
    email_attribute = models.CharField(max_length=190, blank=True)
    key_sealed = models.BinaryField(default=b"")
    key_certificate = models.TextField(blank=True)
    former_key_sealed = models.BinaryField(default=b"")
    former_key_certificate = models.TextField(blank=True)
    former_key_opened_at = models.DateTimeField(null=True)
    signs_requests = models.BooleanField(default=False)
    requires_encryption = models.BooleanField(default=False)
    logout_address = models.CharField(max_length=500, blank=True)
    logout_response_address = models.CharField(max_length=500, blank=True)
    email_domains = models.JSONField(default=list)
    groups_claim = models.CharField(max_length=190, blank=True)
    group_roles = models.JSONField(default=dict)
    ceiling = models.CharField(max_length=12, choices=Role.choices, default=Role.REVIEWER)
    # Moves with each change: a proposal that was thought of an earlier one is not applied.
    version = models.PositiveIntegerField(default=1)
    # Who set it up last: what it proposes by its groups is proposed in their name, so that they cannot confirm it.
    changed_by = models.ForeignKey(Membership, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.business}: {self.issuer}"


class UsedAssertion(models.Model):
    """A SAML assertion that has signed somebody in: until it ends by itself it signs in nobody again.

    `digest` is the SHA-256 of its id in hexadecimal digits.
    """

    provider = models.ForeignKey(IdentityProvider, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    ends_at = models.DateTimeField()

    class Meta:
        """Once at each provider."""

        constraints = [models.UniqueConstraint(fields=["provider", "digest"], name="each_assertion_once")]

    def __str__(self) -> str:
        return f"{self.provider_id}: {self.digest}"
