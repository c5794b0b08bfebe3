"""A decision of several names its batch; the tables of bulks and of their plans go.

A plan that was looked at and not carried out yet is looked at again: it would have expired within a day.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("decisions", "0005_bulks_to_batches")]

    operations = [
        migrations.AlterField(
            "decision",
            "bulk",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="decisions", to="bulk.batch"
            ),
        ),
        migrations.DeleteModel(name="StoredPlan"),
        migrations.DeleteModel(name="Bulk"),
    ]
