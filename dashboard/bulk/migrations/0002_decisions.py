"""What a batch of decisions needs as well: the key of its form, a long reason, balances, and whose a row is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bulk", "0001_initial"),
        ("lists", "0002_batches_to_bulk"),
    ]

    operations = [
        migrations.AddField("batch", "key", models.CharField(max_length=255, null=True)),
        migrations.AddField("batch", "balances", models.JSONField(default=list)),
        migrations.AlterField("batch", "given", models.TextField(blank=True)),
        migrations.AlterField("batch", "verb", models.CharField(max_length=60)),
        migrations.AddField("batchrow", "person", models.CharField(blank=True, default="", max_length=300), False),
        migrations.AlterField(
            "batchrow",
            "state",
            models.CharField(
                choices=[
                    ("WAITING", "Waiting"),
                    ("SENDING", "Being sent"),
                    ("SUBMITTED", "Submitted"),
                    ("DONE", "Done"),
                    ("REFUSED", "Refused"),
                    ("UNKNOWN", "No answer"),
                    ("CHANGED", "Changed meanwhile"),
                    ("NOT_DONE", "Not done"),
                    ("LEFT_OUT", "Left out"),
                ],
                default="WAITING",
                max_length=9,
            ),
        ),
        migrations.AddConstraint(
            "batch", models.UniqueConstraint(fields=["business", "key"], name="one_batch_per_form")
        ),
    ]
