"""The token by which an identity provider comes, what it calls our members, and its groups."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from dashboard.access.models import Business, Membership


class ScimToken(models.Model):
    """The bearer token of a business's identity provider; of the token itself only its hash is stored.

    `set_up_by` is the super admin who issued it, in whose name it proposes; it goes on when they leave.
    """

    business = models.OneToOneField(Business, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256, in hex")
    ending = models.CharField(max_length=4, help_text="its last four characters, by which people tell it from another")
    set_up_by = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.business}: …{self.ending}"


class ScimUser(models.Model):
    """What the identity provider calls a member: its own id of them."""

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="+")
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    external_id = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "external_id"], name="one_member_per_external_id"),
        ]

    def __str__(self) -> str:
        return self.external_id


class PendingSuspension(models.Model):
    """A member who was put out by the identity provider and whom the finance service has still to suspend.

    `key` is the idempotency key of the call, another one after each refusal; `due_at` when it is tried again.
    """

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="+")
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=60)
    tries = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.membership}, after {self.tries} tries"


class ScimGroup(models.Model):
    """A group of the identity provider, with those of its members who are ours."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    display_name = models.CharField(max_length=255)
    external_id = models.CharField(max_length=255, blank=True)
    members = models.ManyToManyField(Membership, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "display_name"], name="one_group_per_name"),
            models.UniqueConstraint(
                fields=["business", "external_id"], condition=~Q(external_id=""), name="one_group_per_external_id"
            ),
        ]

    def __str__(self) -> str:
        return self.display_name
