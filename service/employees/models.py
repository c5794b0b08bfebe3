"""The people of a business."""

from django.db import models
from django.db.models.functions import Lower

from service.businesses.models import Business, Role
from service.ids import object_id
from service.teams.models import Team


class Employee(models.Model):
    """A person of one business with the published role; a suspended one neither acts nor spends."""

    class Status(models.TextChoices):
        ACTIVE = "ACTIVE", "Active"
        SUSPENDED = "SUSPENDED", "Suspended"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="employees")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="members")
    name = models.CharField(max_length=150)
    email = models.EmailField(max_length=254)
    phone = models.CharField(max_length=20, blank=True, default="")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.CARD_USER)
    role_changed_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ACTIVE)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("business", Lower("email"), name="employee_email_once_per_business"),
        ]
        indexes = [models.Index(fields=["business", "team"], name="employee_business_team")]

    def __str__(self) -> str:
        return self.name
