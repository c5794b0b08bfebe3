"""What was decided together so far is copied into batches, with a row for each decision and for what was left out.

By itself, since tables whose foreign keys are still to be looked at cannot be changed in the same transaction.
"""

from django.db import migrations

BATCHES = """
INSERT INTO lists_batch (id, business_id, membership_id, list_name, verb, key, query, whole, given, given_said, totals,
                         balances, unseen, retry_of_id, state, trouble, run, heartbeat_at, created_at, begun_at, finished_at)
SELECT id, business_id, membership_id, 'decisions', operation, key, '', false, reason, '', '[]',
       '[]', 0, NULL, 'DONE', '', NULL, NULL, created_at, created_at, created_at
  FROM decisions_bulk;

INSERT INTO lists_batchrow (batch_id, number, remote_id, title, person, amount, seen, key, state, why, sentence, denied,
                            tries, request_id)
SELECT bulk_id, row_number() OVER (PARTITION BY bulk_id ORDER BY created_at, id), object_id, title, '', '',
       to_jsonb(fingerprint), left(key, 64), 'SUBMITTED', '', '', false, 0, ''
  FROM decisions_decision
 WHERE bulk_id IS NOT NULL;

INSERT INTO lists_batchrow (batch_id, number, remote_id, title, person, amount, seen, key, state, why, sentence, denied,
                            tries, request_id)
SELECT bulk.id, 100000 + place, facts ->> 'object_id', left(facts ->> 'title', 300), '', '',
       '{}', '', 'LEFT_OUT', '', left(facts ->> 'sentence', 500), false, 0, ''
  FROM decisions_bulk bulk, jsonb_array_elements(bulk.left_out) WITH ORDINALITY AS item(facts, place)
    ON CONFLICT DO NOTHING;

UPDATE decisions_decision
   SET row_id = rows.id
  FROM lists_batchrow rows
 WHERE rows.batch_id = decisions_decision.bulk_id AND rows.remote_id = decisions_decision.object_id
   AND rows.state = 'SUBMITTED';
"""


class Migration(migrations.Migration):
    dependencies = [("decisions", "0004_rows_of_bulk_decisions")]

    operations = [migrations.RunSQL(BATCHES, migrations.RunSQL.noop)]
