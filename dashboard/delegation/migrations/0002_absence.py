import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Somebody can be away without a delegate: the column may be empty."""

    dependencies = [("delegation", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="delegation",
            name="delegate",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="held_delegations",
                to="access.membership",
            ),
        ),
    ]
