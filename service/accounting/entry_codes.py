"""The codes of entries beside their figures: category, team and parts as an export has them, and withheld taxes.

They are looked up for a piece of the ledger at a time, as it is sent: the entries of the whole period are never filed at once.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from service.accounting.entry_categories import FILED_OF_POSTINGS, PARTS, SUBCATEGORY, TEAM
from service.auth import Caller

# A tax is of the line on WHT_PAYABLE: what was withheld by it, and below zero what of it was paid over.
TAXES = """coalesce(case when account_kind = 'WHT_PAYABLE' and taxed.tax_id is not null
        then array[format('%%s:%%s', taxed.tax_id, amount)] else paid_over.taxes end, '{}')"""
CODES = f"""
select account_id, seq, {SUBCATEGORY}, {TEAM}, array_to_string({PARTS}, ','), array_to_string({TAXES}, ',')
from (
    select posted.id as posting_id, posted.kind as posting_kind, entry.account_id, entry.seq, account.kind as account_kind,
        entry.amount, entry.note as entry_note
    from unnest(%(accounts)s::bigint[], %(seqs)s::bigint[]) named(account_id, seq)
    join ledger_entry entry on entry.account_id = named.account_id and entry.seq = named.seq
    join ledger_transaction posted on posted.id = entry.transaction_id
    join ledger_account account on account.id = entry.account_id
) unclaimed
{FILED_OF_POSTINGS}
left join lateral (
    select array_agg(format('%%s:%%s', tax_id, -minor) order by tax_id) as taxes
    from (
        select deducted.tax_id, sum(deducted.tax_minor)::bigint as minor
        from taxes_remittance remittance join taxes_taxtransaction deducted on deducted.remittance_id = remittance.id
        where posting_kind = 'TAX_REMITTANCE' and account_kind = 'WHT_PAYABLE'
            and remittance.business_id = %(business)s and remittance.ledger_transaction_id = posting_id
        group by 1
    ) of_tax
) paid_over on true
"""  # noqa: S608  put together from constants alone


class EntryCodes(NamedTuple):
    """What an entry is filed under. `parts` as entry_categories.py has them, joined by commas; `taxes` as "tax:minor units" with
    the entry's sign, joined likewise; "" for nothing."""

    subcategory_id: str
    team_id: str
    parts: str
    taxes: str


NO_CODES = EntryCodes("", "", "", "")


def codes_of(
    caller: Caller, entries: Sequence[tuple[int, int]], postings: Iterable[int]
) -> dict[tuple[int, int], EntryCodes]:
    """The codes of entries by their account and number there; `postings` are the ids of all of their postings."""
    accounts, seqs = zip(*entries, strict=True)
    values: dict[str, Any] = {
        "business": caller.business.id, "accounts": list(accounts), "seqs": list(seqs), "postings": sorted(set(postings)),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(CODES, values)
        return {(account_id, seq): EntryCodes(*codes) for account_id, seq, *codes in cursor.fetchall()}
