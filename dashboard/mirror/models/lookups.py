"""The copies of people, teams, categories and wallets: what rows and forms are named by."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.functions import Lower

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms


class Employee(Mirrored):
    """A person of the business as the service knows them: names for rows, status for the sessions."""

    name = models.CharField(max_length=200)
    email = models.CharField(max_length=254, blank=True)
    role = models.CharField(max_length=12)
    team_id = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=20)
    sort_name = models.GeneratedField(
        expression=Lower("name"), output_field=models.CharField(max_length=200), db_persist=True
    )
    search = models.GeneratedField(expression=terms("name", "email"), output_field=SearchVectorField(), db_persist=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_employee")]
        indexes = [
            models.Index(fields=["business", "team_id"], name="emp_team"),
            models.Index(fields=["business", "sort_name", "id"], condition=LIVE, name="emp_by_name"),
            models.Index(fields=["business", "name", "id"], condition=LIVE, name="emp_by_exact_name"),
            GinIndex(fields=["search"], name="emp_search"),
        ]


class Team(Mirrored):
    """A team and who reviews it: `reviewers` is [{"employee_id": str, "read_only": bool}]."""

    name = models.CharField(max_length=200)
    code = models.CharField(max_length=60, blank=True)
    status = models.CharField(max_length=20, blank=True)
    reviewers = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_team")]


class Category(Mirrored):
    """A subcategory with its category: the choices when an expense is filed elsewhere."""

    name = models.CharField(max_length=200)
    code = models.CharField(max_length=60, blank=True)
    category_id = models.CharField(max_length=64)
    category_name = models.CharField(max_length=200)
    # What expenses in the copy call it, with its category; other than it is called now: they are yet to be told.
    expense_label = models.CharField(max_length=410, blank=True, default="", db_default="")
    status = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_category")]


class Wallet(Mirrored):
    """A business wallet. Its balance is asked for live; the copy is what is shown, labelled, in an outage."""

    org_wallet_ref = models.CharField(max_length=64)
    name = models.CharField(max_length=200, blank=True)
    currency = models.CharField(max_length=3)
    wallet_type = models.CharField(max_length=60)
    status = models.CharField(max_length=20)
    available_minor = models.BigIntegerField(null=True)
    posted_minor = models.BigIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_wallet")]
