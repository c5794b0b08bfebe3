"""Teams and who reviews them."""

from django.db import models

from service.businesses.models import Business
from service.ids import object_id


class Team(models.Model):
    """A team of a business; its members are the employees that point at it. A deleted one is kept for its past."""

    class Status(models.TextChoices):
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
        constraints = [
            models.UniqueConstraint(
                fields=["business", "code"], condition=~models.Q(status="DELETED"), name="team_code_once_per_business"
            )
        ]

    def __str__(self) -> str:
        return self.name


class TeamReviewer(models.Model):
    """One reviewer of one team. A read-only reviewer sees the team's expenses but does not decide on them."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="reviewers")
    employee = models.ForeignKey("employees.Employee", on_delete=models.CASCADE, related_name="reviews")
    read_only = models.BooleanField(default=False)
    added_on = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "employee"], name="reviewer_once_per_team")]

    def __str__(self) -> str:
        return f"{self.employee_id} reviews {self.team_id}"
