"""The table of terms anew: its index holds all that a search reads. Written before any customer was kept."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('customers', '0001_initial'),
    ]

    operations = [
        migrations.DeleteModel(name='CustomerTerm'),
        migrations.CreateModel(
            name='CustomerTerm',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('rank', models.PositiveSmallIntegerField(choices=[(0, 'Phone'), (1, 'Name'), (2, 'Rest')])),
                ('term', models.CharField(db_collation='C', max_length=80)),
                ('line', models.CharField(db_collation='C', max_length=400)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='businesses.business')),
                ('customer', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='customers.customer')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('business', 'rank', 'term', 'customer'), include=('line',), name='customer_term_once')],
            },
        ),
    ]
