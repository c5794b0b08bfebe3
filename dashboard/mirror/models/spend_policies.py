"""The copies of spend policies and of approval workflows: what a replay weighs with, and what is there while the service is away."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.functions import Lower

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms


class SpendPolicy(Mirrored):
    """A spend policy (decisions B.20); the limit in minor units of `currency`. A deleted one stays, as a status."""

    name = models.CharField(max_length=100)
    type = models.CharField(max_length=20)
    target = models.CharField(max_length=64, blank=True)
    action = models.CharField(max_length=20)
    limit_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    period = models.CharField(max_length=10, blank=True)
    per_person = models.BooleanField(default=False)
    workflow_id = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=20)
    changed_at = models.DateTimeField()
    sort_name = models.GeneratedField(
        expression=Lower("name"), output_field=models.CharField(max_length=100), db_persist=True
    )
    search = models.GeneratedField(expression=terms("name"), output_field=SearchVectorField(), db_persist=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_spend_policy")]
        indexes = [
            models.Index(fields=["business", "status", "sort_name", "id"], condition=LIVE, name="spend_by_name"),
            models.Index(fields=["business", "status", "-changed_at", "-id"], condition=LIVE, name="spend_newest"),
            GinIndex(fields=["search"], name="spend_search"),
        ]


class Workflow(Mirrored):
    """An approval workflow of bills (action type 3) or of policies (11); the lowest priority that matches applies."""

    name = models.CharField(max_length=100)
    action_type = models.SmallIntegerField()
    is_active = models.BooleanField()
    priority = models.IntegerField()
    step_count = models.SmallIntegerField()
    changed_at = models.DateTimeField()
    sort_name = models.GeneratedField(
        expression=Lower("name"), output_field=models.CharField(max_length=100), db_persist=True
    )
    search = models.GeneratedField(expression=terms("name"), output_field=SearchVectorField(), db_persist=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_workflow")]
        indexes = [
            models.Index(fields=["business", "action_type", "priority", "id"], condition=LIVE, name="flow_by_priority"),
            models.Index(fields=["business", "priority", "id"], condition=LIVE, name="flow_priority"),
            models.Index(fields=["business", "sort_name", "id"], condition=LIVE, name="flow_by_name"),
            models.Index(fields=["business", "-changed_at", "-id"], condition=LIVE, name="flow_newest"),
            GinIndex(fields=["search"], name="flow_search"),
        ]
