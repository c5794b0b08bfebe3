"""Who works here: people, and the businesses they work for."""

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models

from dashboard.access.roles import Role

RESERVED_SLUGS = frozenset({"static", "media", "healthz", "readyz", "favicon", "robots", "admin", "api", "metrics"})


def not_reserved(slug: str) -> None:
    """Refuses a business address that is an address of the program itself."""
    if slug in RESERVED_SLUGS:
        raise ValidationError("This address is taken by Countersign itself.")


def default_override_roles() -> list[str]:
    """Until a business says otherwise, approvers may approve what a policy blocks."""
    return [Role.APPROVER.value]


class UserManager(BaseUserManager["User"]):
    """Creates users; an e-mail address is compared without regard to case."""

    def create_user(self, email: str, password: str | None = None, **extra: object) -> "User":
        """A new person with a usable password where one is given."""
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        """The person who signs in with this e-mail address."""
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person who can sign in. Their memberships alone give them rights."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150, blank=True)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(auto_now_add=True)
    theme = models.CharField(max_length=5, blank=True, choices=[("light", "Light"), ("dark", "Dark")])
    last_business = models.ForeignKey("Business", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    objects = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        """The name as it is shown to others."""
        return self.name or self.email


class Business(models.Model):
    """A business: its address in ours, its zone and its rules of entry."""

    slug = models.CharField(
        max_length=60,
        unique=True,
        validators=[
            RegexValidator(r"^[a-z][a-z0-9-]{2,}\Z", "Use small letters, digits and hyphens, a letter first."),
            not_reserved,
        ],
    )
    name = models.CharField(max_length=150)
    time_zone = models.CharField(max_length=50, default="Africa/Nairobi")
    locale = models.CharField(max_length=10, default="en_KE")
    # Roles that must have a second factor before they may enter.
    second_factor_roles = models.JSONField(default=list, blank=True)
    # Roles that may approve what a policy blocks, with a reason.
    override_roles = models.JSONField(default=default_override_roles, blank=True)
    # Of each hundred approvals of what looked clean, so many are looked at again by somebody else; one at least.
    sample_percent = models.PositiveSmallIntegerField(default=5, db_default=5)
    # Nobody enters but through the business's own identity provider, or as its break-glass super admin.
    requires_sign_on = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


# Who suspended a member, where it was done there and by nobody here.
FINANCE_SERVICE = "the finance service"
# What a membership says of its suspension once it is over.
NOT_SUSPENDED: dict[str, Any] = {
    "suspended_by_program": "",
    "suspended_by": "",
    "suspended_at": None,
    "is_suspended_here": False,
}


class Membership(models.Model):
    """A person's role in a business, and which of the service's employees they are there."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    employee_id = models.CharField(max_length=64, blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Ended for good, by a person: an employee who is activated again at the service does not come back by that.
    ended_at = models.DateTimeField(null=True, blank=True)
    # Since when they are kept out by a decision made here that the finance service has not agreed to yet: until then no
    # news of it lets them in.
    kept_out_since = models.DateTimeField(null=True, blank=True)
    # The super admin who enters with password and second factor where single sign-on is required (single_sign_on/).
    is_break_glass = models.BooleanField(default=False, db_default=False)
    # When they last opened a page of the business, to a quarter of an hour; None: never.
    last_seen_at = models.DateTimeField(null=True, blank=True)
    # Here and not in a table of its own, since every list asks for it: the membership is read with each request anyway.
    opens_with = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        help_text="{list: id of the saved view it opens with}",
    )
    # The program that has suspended them, "" for a person or the finance service: a program lifts its own suspension alone.
    suspended_by_program = models.CharField(max_length=20, blank=True, default="", db_default="")
    # Since when a suspended member cannot enter, and the name of whoever suspended them: a person, or a program.
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_by = models.CharField(max_length=254, blank=True, default="", db_default="")
    # A person has suspended the membership itself: that the employee is active at the service lets nobody in by that.
    is_suspended_here = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "business"], name="one_membership_per_business"),
            models.UniqueConstraint(
                fields=["business", "employee_id"],
                condition=~models.Q(employee_id=""),
                name="one_person_per_employee",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.role} · {self.business}"
