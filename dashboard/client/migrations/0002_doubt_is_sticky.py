from pathlib import Path

from django.db import migrations, models

MOVES = (Path(__file__).parent.parent / "outbox.sql").read_text()
UNDO = "DROP FUNCTION client_outbox_moves() CASCADE;"
# Of what stands there: an answered one has left; one that had an answer and was to be sent again was put off.
STANDING = """
UPDATE client_outboundoperation SET has_left = true WHERE state NOT IN ('PENDING', 'SENT');
UPDATE client_outboundoperation SET has_left = true, state = 'DEFERRED'
WHERE state = 'PENDING' AND upstream_status IS NOT NULL;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('access', '0002_what_lists_open_with'),
        ('client', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='outboundoperation',
            name='has_left',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='outboundoperation',
            name='state',
            field=models.CharField(choices=[('PENDING', 'Not sent yet'), ('SENT', 'Sent'), ('DEFERRED', 'Deferred'), ('CONFIRMED', 'Confirmed'), ('REJECTED', 'Rejected'), ('UNKNOWN', 'Unknown')], default='PENDING', max_length=9),
        ),
        migrations.RunSQL(STANDING, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='outboundoperation',
            constraint=models.CheckConstraint(condition=models.Q(('has_left', True), ('state__in', ['PENDING', 'SENT']), _connector='OR'), name='outbound_answered_has_left'),
        ),
        migrations.AddConstraint(
            model_name='outboundoperation',
            constraint=models.CheckConstraint(condition=models.Q(('has_left', False), models.Q(('state', 'PENDING'), _negated=True), _connector='OR'), name='outbound_left_not_pending'),
        ),
        migrations.RunSQL(MOVES, UNDO),
    ]
