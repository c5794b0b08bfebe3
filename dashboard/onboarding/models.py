"""Somebody new: what was typed of them, checked, and what became of it."""

import uuid

from django.db import models

from dashboard.access.models import Business, Membership


def new_id() -> str:
    """An id as lists know their rows by."""
    return uuid.uuid4().hex


class Newcomer(models.Model):
    """Somebody who is to be added, by the member who typed them in; the phone in E.164, the limit in minor units.

    `employee_id` is there once the finance service has them; `outcome` says what came of the card and of the invitation.
    """

    class Status(models.TextChoices):
        """Whether they are added yet."""

        WAITING = "WAITING", "Not added yet"
        ADDED = "ADDED", "Added"

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    remote_id = models.CharField(max_length=32, default=new_id, unique=True)
    name = models.CharField(max_length=100)
    email = models.CharField(max_length=254)
    phone = models.CharField(max_length=40)
    role = models.CharField(max_length=12)
    team_code = models.CharField(max_length=60)
    card_limit_minor = models.BigIntegerField(null=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    access = models.BooleanField(default=False)
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    employee_id = models.CharField(max_length=64, blank=True)
    outcome = models.CharField(max_length=400, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["membership", "-created_at", "-id"], name="newcomers_newest")]

    def __str__(self) -> str:
        return self.name
