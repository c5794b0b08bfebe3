"""The purchase order that a bill is for, found by search; and the contacts of vendors."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.functions.text
from django.db import migrations, models

from dashboard.mirror.models.mirrored import terms


class Migration(migrations.Migration):
    dependencies = [("mirror", "0007_vendor_records")]

    operations = [
        migrations.AddField("vendor", "contacts", models.JSONField(default=list)),
        migrations.AddField("bill", "purchase_order", models.CharField(blank=True, default="", max_length=60)),
        # What a generated column is made of cannot be changed: it is made anew, with its index.
        migrations.RemoveIndex("bill", "bill_search"),
        migrations.RemoveField("bill", "search"),
        migrations.AddField(
            "bill",
            "search",
            models.GeneratedField(
                db_persist=True,
                expression=terms("bill_no", "vendor_name", "memo", "purchase_order"),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
        migrations.AddIndex("bill", django.contrib.postgres.indexes.GinIndex(fields=["search"], name="bill_search")),
        migrations.AddIndex(
            "bill",
            models.Index(
                models.F("business"),
                django.db.models.functions.text.Upper("purchase_order"),
                models.F("due_on"),
                models.F("id"),
                condition=~models.Q(purchase_order="") & models.Q(tombstoned_at__isnull=True),
                name="bill_purchase_order",
            ),
        ),
    ]
