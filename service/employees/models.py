"""The people of a business."""

from django.db import models
from django.db.models.functions import Lower

from service.businesses.models import Business, Role
from service.ids import object_id
from service.teams.models import Team


class Employee(models.Model):
    """A person of one business with the published role; a suspended one neither acts nor spends.

    A deleted one is kept for what they did, is found nowhere, and leaves the e-mail address to others.
    """

    class Status(models.TextChoices):
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
