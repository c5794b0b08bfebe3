"""Each decision of several gets its row of the batch (bulk 0002)."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bulk", "0002_decisions"),
        ("decisions", "0003_samples"),
    ]

    operations = [
        migrations.AddField(
            "decision",
            "row",
            models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="decision", to="bulk.batchrow"
            ),
        ),
    ]
