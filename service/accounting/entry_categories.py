"""What an entry of the ledger is filed under when it is exported, and on which account it stands in the business's own
books, as SQL.

FILED is joined to rows `unclaimed` of `posting_id, posting_kind, account_kind, amount, entry_note`, with the parameters business, first
and last (FILED_OF_POSTINGS: postings); SUBCATEGORY, TEAM, TAX, TAGS and PARTS are what it knows of the row. A part is the text
"subcategory:minor units:team:account:tags": minor units have the entry's sign, the account is that of the ledger on which
the part stands in the business's own books ("" for the entry's), tags are joined by "+".

Withheld tax: the ledger takes it off the wallet when the bill is paid and sets it aside on WHT_PAYABLE; out of the bank it
goes when it is remitted. In the books of the business it is a debt until then, and no money has left: the line off the
wallet stands on WHT_PAYABLE there, the one that sets it aside on the other side of the wallet, as what was bought. When it is
remitted the line off WHT_PAYABLE stands on the wallets from which the taxes were withheld, and the one at the bank on
WHT_PAYABLE. So each of these two postings comes to nothing as before, and a wallet's account has what its bank has.
"""

# What is on the other side of a wallet: there a category says more than the account.
FLOATS = "('BANK_FLOAT', 'MOBILE_FLOAT', 'CARD_FLOAT')"
# What a transaction is filed under: an expense's own subcategory counts, and so do its tags.
MOVED = """
select moved.id, moved.ledger_transaction_id, moved.amount_minor, moved.fees_minor, moved.type, moved.expense_id, moved.ref,
    moved.business_id, moved.effective_on, coalesce(expense.subcategory_id, moved.subcategory_id, '') as subcategory_id,
    moved.team_id, coalesce((select string_agg(tag.id, '+' order by tag.id) from expenses_tag tag
        where tag.business_id = expense.business_id and tag.name = any(expense.tags)), '') as tags
from transactions_transaction moved left join expenses_expense expense on expense.id = moved.expense_id
"""
# The parts of what a transaction `moved`: of a refund those of its expense.
PARTS_OF_MOVED = """transactions_transactionpart part
        on part.transaction_id = moved.id or moved.type = 'REFUND' and part.expense_id = moved.expense_id"""
# All transactions of a posting, and what they are filed under where they agree: one that is not filed does not.
OF_POSTING = f"""
left join lateral (
    select count(distinct moved.id) as transaction_count, array_agg(distinct moved.id::text) as transaction_ids,
        case when count(distinct coalesce(part.subcategory_id, moved.subcategory_id)) = 1
            then max(coalesce(part.subcategory_id, moved.subcategory_id)) else '' end as subcategory_id,
        case when count(distinct moved.team_id) = 1 then max(moved.team_id) else '' end as team_id,
        (select array_agg(distinct tag_id)
            from unnest(string_to_array(string_agg(distinct nullif(moved.tags, ''), '+'), '+')) tag_id) as tag_ids
    from ({MOVED}) moved left join {PARTS_OF_MOVED}
    where moved.ledger_transaction_id = posting_id
) filed on true
"""  # noqa: S608  put together from constants alone
# Of a posting of several: the one that an entry is of. A payment of a payout and its fee are known by the note of their
# entries, one of several expenses by what it took off its wallet. Where several fit, what they agree on.
OF_ENTRY = """
left join (
    select moved.ledger_transaction_id, entry_of.minor, entry_of.note, count(distinct moved.id) as transaction_count,
        max(moved.id)::text as transaction_id,
        case when count(distinct moved.subcategory_id) = 1 then max(moved.subcategory_id) else '' end as subcategory_id,
        case when count(distinct moved.team_id) = 1 then max(moved.team_id) else '' end as team_id,
        case when count(distinct moved.tags) = 1 then string_to_array(nullif(max(moved.tags), ''), '+') end as tag_ids
    from ({moved}) moved
    left join payments_item item on item.id = moved.ref
    cross join lateral (
        select moved.amount_minor + moved.fees_minor as minor, '' as note where item.id is null
        union all
        select moved.amount_minor, item.receiver_name || ' ' || item.provider_ref where item.id is not null
        union all
        select moved.fees_minor, 'Fee: ' || item.receiver_name || ' ' || item.provider_ref where item.id is not null
    ) entry_of
    where moved.business_id = %(business)s and {chosen}
    group by moved.ledger_transaction_id, entry_of.minor, entry_of.note
) own on own.ledger_transaction_id = posting_id and filed.transaction_count > 1 and own.minor = abs(amount)
    and own.note in ('', entry_note)
"""
# The entry across a wallet in parts: of one split transaction, or of the several that it is of together. A fee is with the
# first part, where it is in the same entry.
DIVIDED = f"""
left join lateral (
    select case abs(amount)
        when sum(minor + fee) then array_agg(format('%%s:%%s:%%s::%%s', subcategory_id, sign(amount)::bigint * (minor + fee),
            team_id, tags) order by place, subcategory_id, team_id, tags)
        when sum(minor) then array_agg(format('%%s:%%s:%%s::%%s', subcategory_id, sign(amount)::bigint * minor, team_id, tags)
            order by place, subcategory_id, team_id, tags)
        end as parts
    from (
        select coalesce(part.subcategory_id, moved.subcategory_id) as subcategory_id, moved.team_id, moved.tags,
            sum(coalesce(part.amount_minor, moved.amount_minor))::bigint as minor,
            coalesce(sum(moved.fees_minor) filter (where coalesce(part.position, 1) = 1), 0)::bigint as fee,
            min(coalesce(part.position, 1)) as place
        from ({MOVED}) moved left join {PARTS_OF_MOVED}
        where moved.id = any(case when account_kind in {FLOATS} then
            case when own.transaction_count = 1 then array[own.transaction_id]
                when own.transaction_count is null then filed.transaction_ids end end)
        group by 1, 2, 3
    ) portion
    having count(*) > 1
) divided on true
"""  # noqa: S608  put together from constants alone
# Taxes that were withheld from a payment: by its posting all of them, and each by the note of its entries.
WITHHELD = f"""
left join (
    select deducted.ledger_transaction_id, array_agg(deducted.tax_minor) as minors
    from taxes_taxtransaction deducted
    where deducted.business_id = %(business)s
    group by deducted.ledger_transaction_id
) withheld on withheld.ledger_transaction_id = posting_id
left join (
    select deducted.ledger_transaction_id, tax.code || ': ' || deducted.bill_payment_ref as note, deducted.tax_id
    from taxes_taxtransaction deducted join taxes_tax tax on tax.id = deducted.tax_id
    where deducted.business_id = %(business)s
) taxed on taxed.ledger_transaction_id = posting_id and taxed.note = entry_note
left join lateral (
    select max(beside.account_id) filter (where of_beside.kind = 'WHT_PAYABLE') as owed_id,
        max(beside.account_id) filter (where of_beside.kind in {FLOATS}) as float_id,
        bool_or(of_beside.kind = 'WHT_PAYABLE' and beside.note = entry_note and beside.amount = -unclaimed.amount) as sets_aside
    from ledger_entry beside join ledger_account of_beside on of_beside.id = beside.account_id
    where (withheld.minors is not null or posting_kind = 'TAX_REMITTANCE') and beside.transaction_id = posting_id
) across on true
left join lateral (
    select array_agg(format(':%%s::%%s:', -minor, account_id) order by account_id) as parts
    from (
        select wallet.ledger_account_id as account_id, sum(deducted.tax_minor)::bigint as minor
        from taxes_remittance remittance
        join taxes_taxtransaction deducted on deducted.remittance_id = remittance.id
        join bills_billpayment payment on payment.business_id = deducted.business_id and payment.ref = deducted.bill_payment_ref
        join accounts_wallet wallet on wallet.id = payment.wallet_id
        where posting_kind = 'TAX_REMITTANCE' and account_kind = 'WHT_PAYABLE'
            and remittance.business_id = %(business)s and remittance.ledger_transaction_id = posting_id
        group by 1
    ) of_wallet
    having sum(minor) = -amount
) remitted on true
"""  # noqa: S608  put together from constants alone
# A bill's payment in parts by the lines of the bill and their teams: of each category what bills/amounts.py (portions) has of
# the whole payment. Each tax by its own shares, the net by what these leave of those of the whole.
BILLED = f"""
left join lateral (
    select count(*) as part_count, max(subcategory_id) as subcategory_id, max(team_id) as team_id,
        array_agg(format('%%s:%%s:%%s:%%s:', subcategory_id, upto - coalesce(upto_before, 0), team_id,
            case when account_kind = 'WHT_PAYABLE' then across.float_id end) order by upto_weight, place)
            filter (where upto <> coalesce(upto_before, 0)) as parts
    from (
        select *, lag(upto) over (order by category_place, place, team_id) as upto_before
        from (
            select *, (case when account_kind = 'WHT_PAYABLE' then floor(amount * upto_weight / whole)
                else floor((amount + coalesce((select sum(minor) from unnest(withheld.minors) minor), 0)) * upto_weight / whole)
                    - coalesce((select sum(floor(minor * upto_weight / whole)) from unnest(withheld.minors) minor), 0)
                end)::bigint as upto
            from (
                select *, sum(weight) over (order by category_place, place, team_id) as upto_weight, sum(weight) over () as whole
                from (
                    select subcategory_id, team_id, sum(weight)::numeric as weight, min(place) as place,
                        min(min(place)) over (partition by subcategory_id) as category_place
                    from (
                        select part.subcategory_id, moved.team_id, part.amount_minor as weight, part.position as place
                        from ({MOVED}) moved
                        join bills_billpayment payment on payment.business_id = moved.business_id and payment.ref = moved.ref
                        join transactions_transactionpart part on part.transaction_id = moved.id
                        where moved.ledger_transaction_id = posting_id
                        union all
                        select coalesce(nullif(line.subcategory_id, ''), moved.subcategory_id),
                            coalesce(split.team_id, moved.team_id),
                            coalesce(split.share_minor, line.amount_minor + line.tax_minor), line.position
                        from ({MOVED}) moved
                        join bills_billpayment payment on payment.business_id = moved.business_id and payment.ref = moved.ref
                        join bills_billline line on line.bill_id = payment.bill_id
                        left join bills_linesplit split on split.line_id = line.id
                        where moved.ledger_transaction_id = posting_id and not exists (
                            select from transactions_transactionpart part where part.transaction_id = moved.id)
                    ) weighed
                    where posting_kind = 'BILL_PAYMENT' and amount > 0
                        and (account_kind in {FLOATS} or account_kind = 'WHT_PAYABLE')
                    group by 1, 2
                ) summed
            ) ranked
            where whole > 0
        ) shared
    ) portion
) billed on true
"""  # noqa: S608  put together from constants alone
# Of all transactions of the days, or of those of some postings alone.
FILED, FILED_OF_POSTINGS = (
    OF_POSTING + OF_ENTRY.format(moved=MOVED, chosen=chosen) + DIVIDED + WITHHELD + BILLED
    for chosen in (
        "moved.effective_on between %(first)s and %(last)s",
        "moved.ledger_transaction_id = any(%(postings)s)",
    )
)

# Only the line off the wallet is of the tax: in the business's own books it stands on what is owed.
IS_SET_ASIDE = "(withheld.minors is not null and account_kind <> 'WHT_PAYABLE' and across.sets_aside)"
TAX = f"coalesce(case when {IS_SET_ASIDE} then taxed.tax_id end, '')"
SUBCATEGORY = """coalesce(case when billed.part_count = 1 then billed.subcategory_id
    when own.transaction_count is not null then own.subcategory_id else filed.subcategory_id end, '')"""
TEAM = """coalesce(case when billed.part_count = 1 then billed.team_id
    when own.transaction_count is not null then own.team_id else filed.team_id end, '')"""
TAGS = (
    """coalesce(case when own.transaction_count is not null then own.tag_ids else filed.tag_ids end, '{}')::varchar[]"""
)
PARTS = f"""coalesce(
    case when {IS_SET_ASIDE} then array[format(':%%s::%%s:', amount, across.owed_id)]
        when posting_kind = 'TAX_REMITTANCE' and account_kind in {FLOATS} then array[format(':%%s::%%s:', amount, across.owed_id)]
        when posting_kind = 'TAX_REMITTANCE' then remitted.parts
        when withheld.minors is not null and account_kind = 'WHT_PAYABLE' then coalesce(billed.parts,
            array[format('%%s:%%s:%%s:%%s:', filed.subcategory_id, amount, filed.team_id, across.float_id)])
        when billed.part_count > 1 then billed.parts
        else divided.parts end, '{{}}')::text[]"""
