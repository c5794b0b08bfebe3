"""Businesses, their people (teams, employees, reviewers) and what may speak for them: OAuth clients (v2), API keys (v1).

What every call is decided by, so it stands on the ground: the areas of employees and teams are above it.
"""

from django.contrib.auth.hashers import make_password
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from oauth2_provider.models import AbstractApplication

from service.businesses.secrets import digest, random_secret
from service.ids import object_id


class Role(models.TextChoices):
    """The published roles. v1 writes CARD USER with a space."""

    CARD_USER = "CARD_USER", "Card user"
    REVIEWER = "REVIEWER", "Reviewer"
    APPROVER = "APPROVER", "Approver"
    ADMIN = "ADMIN", "Admin"
    SUPER_ADMIN = "SUPER_ADMIN", "Super admin"


class RatePlan(models.TextChoices):
    """How many requests a client may send: service/ratelimit.py holds the figures."""

    STANDARD = "STANDARD", "As published"
    HIGH = "HIGH", "Demo and sandbox"


PRIVATE_LABEL = "private_label"


class Business(models.Model):
    """A business: the wall between everybody's data."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    name = models.CharField(max_length=200)
    country = models.CharField(max_length=2, default="KE")
    time_zone = models.CharField(max_length=64, default="Africa/Nairobi")
    currency = models.CharField(max_length=3, default="KES")
    # Decisions on expenses and postings up to this day (inclusive) are over.
    books_closed_until = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "businesses"

    def __str__(self) -> str:
        return self.name


class Team(models.Model):
    """A team of a business; its members are the employees that point at it. A deleted one is kept for its past."""

    class Status(models.TextChoices):
        """Whether a team is in use; a deleted one is kept for what refers to it."""

        ACTIVE = "ACTIVE", "Active"
        INACTIVE = "INACTIVE", "Inactive"
        DELETED = "DELETED", "Deleted"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=100)
    code = models.CharField(max_length=40)
    description = models.CharField(max_length=500, blank=True, default="")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ACTIVE)
    updated_by = models.CharField(max_length=24, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "teams_team"
        constraints = [
            models.UniqueConstraint(
                fields=["business", "code"], condition=~models.Q(status="DELETED"), name="team_code_once_per_business"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Employee(models.Model):
    """A person of one business with the published role; a suspended one neither acts nor spends.

    A deleted one is kept for what they did, is found nowhere, and leaves the e-mail address to others.
    """

    class Status(models.TextChoices):
        """Whether somebody may act; a deleted employee is kept for what refers to them."""

        ACTIVE = "ACTIVE", "Active"
        SUSPENDED = "SUSPENDED", "Suspended"
        DELETED = "DELETED", "Deleted"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="employees")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="members")
    name = models.CharField(max_length=150)
    email = models.EmailField(max_length=254)
    phone = models.CharField(max_length=20, blank=True, default="")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.CARD_USER)
    role_changed_at = models.DateTimeField(auto_now_add=True)
    supervisor = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="reports")
    # The account that this one was provisioned from, where it was taken over.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ACTIVE)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "employees_employee"
        constraints = [
            models.UniqueConstraint(
                "business",
                Lower("email"),
                condition=~models.Q(status="DELETED"),
                name="employee_email_once_per_business",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "team"], name="employee_business_team"),
            models.Index(fields=["business", "-created_at", "-id"], name="employee_newest"),
        ]

    def __str__(self) -> str:
        return self.name


class TeamReviewer(models.Model):
    """One reviewer of one team. A read-only reviewer sees the team's expenses but does not decide on them."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="reviewers")
    employee = models.ForeignKey(Employee, on_delete=models.CASCADE, related_name="reviews")
    read_only = models.BooleanField(default=False)
    added_on = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "teams_teamreviewer"
        constraints = [models.UniqueConstraint(fields=["team", "employee"], name="reviewer_once_per_team")]

    def __str__(self) -> str:
        return f"{self.employee_id} reviews {self.team_id}"


class Client(AbstractApplication):
    """An API client of one business. Its two live secrets let it rotate without an outage; both are stored hashed."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="clients")
    second_secret = models.CharField(max_length=255, blank=True, default="")
    caller_role = models.CharField(max_length=16, choices=Role.choices, default=Role.ADMIN)
    employee = models.ForeignKey(Employee, null=True, blank=True, on_delete=models.SET_NULL, related_name="clients")
    entitlements = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    allowed_scopes = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    # What a token gets when its request names no scope: written down, never "everything".
    default_scopes = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    rate_plan = models.CharField(max_length=16, choices=RatePlan.choices, default=RatePlan.STANDARD)

    class Meta(AbstractApplication.Meta):
        abstract = False

    @property
    def entitled(self) -> bool:
        """Whether the private-label operations are open to this client."""
        return PRIVATE_LABEL in self.entitlements

    def rotate_secret(self) -> str:
        """A new secret, returned this once; the one before it stays valid until the next rotation."""
        fresh = random_secret("cs_")
        self.second_secret, self.client_secret = self.client_secret, make_password(fresh)
        self.save(update_fields=["client_secret", "second_secret", "updated"])
        return fresh


def api_key_hash(key: str) -> str:
    """What an API key is looked up by."""
    return digest(key)


class ApiKey(models.Model):
    """A key of the old interface (header x-api-key): shown once, stored hashed."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100)
    key_hash = models.CharField(max_length=64, unique=True)
    rate_plan = models.CharField(max_length=16, choices=RatePlan.choices, default=RatePlan.STANDARD)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class StoredAnswer(models.Model):
    """One key of one client for one operation. Written in the transaction of the effect, so both exist or neither.

    No foreign keys: a row is written on the hot path of every keyed request, and outlives nothing it points at.
    """

    id = models.BigAutoField(primary_key=True)
    client_id = models.BigIntegerField()
    business_id = models.CharField(max_length=24)
    method = models.CharField(max_length=8)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    keep_until = models.DateTimeField(db_index=True)

    class Meta:
        app_label = "businesses"
        constraints = [
            models.UniqueConstraint(
                fields=["client_id", "business_id", "method", "route", "key"], name="one_answer_per_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.route}"
