from pathlib import Path

from django.db import migrations, models

MOVES = (Path(__file__).parent.parent / "moves.sql").read_text()
UNDO = "DROP FUNCTION decisions_moves() CASCADE;"
STANDING = """
UPDATE decisions_decision SET has_left = true WHERE unknown_since IS NOT NULL;
UPDATE decisions_decision SET unknown_since = NULL WHERE state IN ('WAITING', 'CANCELLED');
"""


class Migration(migrations.Migration):

    dependencies = [
        ('access', '0002_what_lists_open_with'),
        ('decisions', '0002_kept_plans'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='has_left',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='decision',
            name='state',
            field=models.CharField(choices=[('WAITING', 'Waiting'), ('SENDING', 'Sending'), ('DONE', 'Done'), ('REFUSED', 'Refused'), ('LOST', 'Overtaken'), ('CANCELLED', 'Cancelled'), ('UNKNOWN', 'Not known yet')], default='WAITING', max_length=9),
        ),
        migrations.RunSQL(STANDING, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('unknown_since', None), models.Q(('state__in', ['WAITING', 'CANCELLED']), _negated=True), _connector='OR'), name='decision_doubt_is_sticky'),
        ),
        migrations.RunSQL(MOVES, UNDO),
    ]
