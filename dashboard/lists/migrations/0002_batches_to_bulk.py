"""The batches are bulk actions' now (bulk 0001): nothing changes in the database."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("lists", "0001_initial"),
        ("bulk", "0001_initial"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="BatchRow"), migrations.DeleteModel(name="Batch")],
        ),
    ]
