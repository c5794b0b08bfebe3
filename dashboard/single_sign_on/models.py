"""How a business's people sign in at its own identity provider."""

from django.db import models
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.access.roles import Role


class IdentityProvider(models.Model):
    """The identity provider of a business. The client's secret is encrypted at rest and leaves only to that provider.

    `email_domains` are the domains whose addresses it may sign in. `group_roles` is {group: role}, read from the claim
    `groups_claim` of its ID token; `ceiling` is the role above which no group raises anybody, and whoever stands above it
    already is left alone. Whether it is required stands with the business, which every request reads anyway.
    """

    business = models.OneToOneField(Business, on_delete=models.CASCADE, related_name="+")
    is_on = models.BooleanField(default=False)
    name = models.CharField(max_length=60)
    issuer = models.CharField(max_length=300)
    client_id = models.CharField(max_length=190)
    client_secret_sealed = models.BinaryField(default=b"")
    email_domains = models.JSONField(default=list)
    groups_claim = models.CharField(max_length=60, blank=True)
    group_roles = models.JSONField(default=dict)
    ceiling = models.CharField(max_length=12, choices=Role.choices, default=Role.REVIEWER)
    # Moves with each change: a proposal that was thought of an earlier one is not applied.
    version = models.PositiveIntegerField(default=1)
    # Who set it up last: what it proposes by its groups is proposed in their name, so that they cannot confirm it.
    changed_by = models.ForeignKey(Membership, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.business}: {self.issuer}"
