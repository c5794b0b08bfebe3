"""Which view a list opens with moves to the membership, which every request reads anyway."""

from django.db import migrations


def move(apps, schema_editor):
    """Takes each default view over."""
    chosen = apps.get_model("lists", "DefaultView").objects.select_related("membership")
    for one in chosen.order_by("membership_id"):
        membership = apps.get_model("access", "Membership").objects.get(pk=one.membership_id)
        membership.opens_with[one.list_name] = one.view_id
        membership.save(update_fields=["opens_with"])


class Migration(migrations.Migration):
    dependencies = [("access", "0002_what_lists_open_with"), ("lists", "0003_imports")]

    operations = [
        migrations.RunPython(move, migrations.RunPython.noop),
        migrations.DeleteModel("DefaultView"),
    ]
