"""Uses of cards from before captures were rows of their own: whose they are, what was taken, until when it is held."""

import django.db.models.deletion
from django.db import migrations, models

FILL = """
update cards_authorization used
set business_id = card.business_id,
    captured_minor = case when used.status = 'CAPTURED' then coalesce(spent.amount_minor, 0) else 0 end,
    expires_at = case when used.status = 'APPROVED' then used.created_at + interval '7 days' end,
    updated_at = used.created_at
from cards_card card, cards_authorization again
left join expenses_expense spent on spent.id = again.expense_id
where card.id = used.card_id and again.id = used.id;

insert into cards_capture (authorization_id, expense_id, amount_minor, ledger_transaction_id, created_at)
select used.id, spent.id, spent.amount_minor, spent.ledger_transaction_id, used.created_at
from cards_authorization used
join expenses_expense spent on spent.id = used.expense_id
where used.status = 'CAPTURED' and spent.ledger_transaction_id is not null;

set constraints all immediate;
"""


class Migration(migrations.Migration):
    dependencies = [("cards", "0003_lines_captures_orders_requests")]

    operations = [
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="authorization",
            name="business",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="businesses.business",
            ),
        ),
    ]
