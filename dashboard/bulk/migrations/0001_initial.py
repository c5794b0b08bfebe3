"""The batches of lists become those of every bulk action: their tables stay where they are, and change their owner."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("access", "0001_initial"),
        ("lists", "0001_initial"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Batch",
                    fields=[
                        ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ("list_name", models.CharField(max_length=40)),
                        ("verb", models.CharField(max_length=40)),
                        ("query", models.CharField(blank=True, max_length=1500)),
                        ("whole", models.BooleanField(default=False)),
                        ("given", models.CharField(blank=True, max_length=300)),
                        ("given_said", models.CharField(blank=True, max_length=300)),
                        ("totals", models.JSONField(default=list)),
                        ("unseen", models.PositiveIntegerField(default=0)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("PLANNED", "Only planned"),
                                    ("QUEUED", "About to begin"),
                                    ("RUNNING", "Running"),
                                    ("DONE", "Finished"),
                                    ("STOPPED", "Stopped"),
                                ],
                                default="PLANNED",
                                max_length=7,
                            ),
                        ),
                        ("trouble", models.CharField(blank=True, max_length=400)),
                        ("run", models.UUIDField(null=True)),
                        ("heartbeat_at", models.DateTimeField(null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("begun_at", models.DateTimeField(null=True)),
                        ("finished_at", models.DateTimeField(null=True)),
                        (
                            "business",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="access.business"
                            ),
                        ),
                        (
                            "membership",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="access.membership"
                            ),
                        ),
                        (
                            "retry_of",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="retries",
                                to="bulk.batch",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "lists_batch",
                        "indexes": [
                            models.Index(fields=["membership", "-created_at"], name="batches_of_a_person"),
                            models.Index(
                                condition=models.Q(("state__in", ["QUEUED", "RUNNING"])),
                                fields=["state", "heartbeat_at"],
                                name="batches_open",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BatchRow",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("remote_id", models.CharField(max_length=64)),
                        ("title", models.CharField(max_length=300)),
                        ("amount", models.CharField(blank=True, max_length=60)),
                        ("seen", models.JSONField(default=dict)),
                        ("key", models.CharField(max_length=64)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("WAITING", "Waiting"),
                                    ("SENDING", "Being sent"),
                                    ("DONE", "Done"),
                                    ("REFUSED", "Refused"),
                                    ("UNKNOWN", "No answer"),
                                    ("CHANGED", "Changed meanwhile"),
                                    ("NOT_DONE", "Not done"),
                                    ("LEFT_OUT", "Left out"),
                                ],
                                default="WAITING",
                                max_length=8,
                            ),
                        ),
                        ("why", models.CharField(blank=True, max_length=60)),
                        ("sentence", models.CharField(blank=True, max_length=500)),
                        ("denied", models.BooleanField(default=False)),
                        ("tries", models.PositiveSmallIntegerField(default=0)),
                        ("request_id", models.CharField(blank=True, max_length=80)),
                        (
                            "batch",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="rows", to="bulk.batch"
                            ),
                        ),
                    ],
                    options={
                        "db_table": "lists_batchrow",
                        "indexes": [models.Index(fields=["batch", "state", "number"], name="rows_of_a_batch")],
                        "constraints": [
                            models.UniqueConstraint(fields=("batch", "remote_id"), name="row_once_in_a_batch")
                        ],
                    },
                ),
            ],
        ),
    ]
