"""What a business changed about who may what: a role's permissions, and those of one employee (decisions B.12)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from service.businesses.models import Business, Employee, Role
from service.ids import object_id


class RoleRights(models.Model):
    """The permissions of a role in a business; without a row those that every role begins with (names.DEFAULTS)."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=16, choices=Role.choices)
    permissions = ArrayField(models.CharField(max_length=40), default=list)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "role"], name="rights_once_per_role")]

    def __str__(self) -> str:
        return self.role


class EmployeeRights(models.Model):
    """What one employee has beyond their role (`granted`), and what they do not have although it does (`denied`)."""

    employee = models.OneToOneField(Employee, primary_key=True, on_delete=models.CASCADE, related_name="rights")
    granted = ArrayField(models.CharField(max_length=40), default=list)
    denied = ArrayField(models.CharField(max_length=40), default=list)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.employee_id
