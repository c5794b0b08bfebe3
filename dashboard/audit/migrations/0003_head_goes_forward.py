from pathlib import Path

from django.db import migrations

HEAD = (Path(__file__).parent.parent / "head.sql").read_text()
UNDO = """
DROP FUNCTION audit_head_refuses() CASCADE;
DROP FUNCTION audit_advance_head(bigint, bigint, varchar);
DROP FUNCTION audit_lock_head(bigint);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0002_labels'),
    ]

    operations = [migrations.RunSQL(HEAD, UNDO)]
