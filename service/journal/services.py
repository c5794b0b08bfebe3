"""Writing the journal: everything that posts to a wallet says here, in the same transaction, what it was.

Other areas call `record` (or `record_many` for a batch) right after `ledger.post`; a reference is written once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from django.utils import timezone

from service import sql
from service.auth import Caller
from service.businesses.models import Business
from service.categories.models import Subcategory
from service.events import outbox
from service.events.models import Event
from service.ids import object_id
from service.journal import serializers
from service.journal.models import Direction, Origin, Transaction, TransactionStatus, Type
from service.ledger.models import LedgerTransaction

__all__ = ["Entry", "record_entry", "record_many", "record_movement"]

TypeName = Literal["EXPENSE", "TOPUP", "IFT", "REFUND"]
DirectionName = Literal["IN", "OUT"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One movement on one wallet: `amount_minor` in `direction`, and `fees_minor` more in the same direction.

    Money that has moved is written down whatever became of its `subcategory_id`: one that is gone is left out.

    `ref` names it for good, within its type, wallet and direction: the reference of the expense, payout or posting
    that moved the money.
    """

    type: TypeName
    org_wallet_ref: str
    currency: str
    amount_minor: int
    direction: DirectionName
    ref: str
    ledger_transaction_id: int
    counterparty: str = ""
    subcategory_id: str | None = None
    employee_id: str = ""
    team_id: str = ""
    expense_id: str = ""
    fees_minor: int = 0
    channel: str = ""
    occurred_at: datetime | None = None


def record_movement(
    caller_or_business: Caller | Business,
    *,
    type: TypeName,  # noqa: A002  the interface's word
    org_wallet_ref: str,
    currency: str,
    amount_minor: int,
    direction: DirectionName,
    ref: str,
    ledger_transaction_id: int,
    counterparty: str = "",
    subcategory_id: str | None = None,
    employee_id: str = "",
    team_id: str = "",
    expense_id: str = "",
    fees_minor: int = 0,
    channel: str = "",
    occurred_at: datetime | None = None,
) -> Transaction:
    """Writes one movement that was just posted, with its event transaction.posted; see `Entry`.

    Inside the transaction of the posting. A reference that is written already gives the row that is there.
    """
    entry = Entry(
        type=type, org_wallet_ref=org_wallet_ref, currency=currency, amount_minor=amount_minor, direction=direction,
        ref=ref, ledger_transaction_id=ledger_transaction_id, counterparty=counterparty, subcategory_id=subcategory_id,
        employee_id=employee_id, team_id=team_id, expense_id=expense_id, fees_minor=fees_minor, channel=channel,
        occurred_at=occurred_at,
    )  # fmt: skip
    return record_entry(caller_or_business, entry)


def record_entry(caller_or_business: Caller | Business, journal_entry: Entry) -> Transaction:
    """As `record`, of an `Entry`: writes one movement that was just posted, with its event transaction.posted."""
    business, actor = _business_and_actor(caller_or_business)
    row = _row(business, journal_entry, actor)
    inserted = sql.row(_INSERT, [*_values(row), journal_entry.ledger_transaction_id, business.id])
    if inserted is None:
        return _existing_row(row)
    row.effective_on, row.subcategory_id, name, code = inserted
    filed = Subcategory(id=row.subcategory_id, name=name, code=code) if row.subcategory_id and name else None
    outbox.record_event(business, "transaction.posted", serializers.transaction(row, filed), actor=actor)
    return row


def entry_statement(
    caller: Caller, journal_entry: Entry, effective_on: date, filed: Subcategory | None
) -> sql.SqlStatement:
    """What `record_entry` runs, of an entry that was just posted on that day and is filed under that subcategory, for who runs
    it together with others: the movement and its event, or neither where the reference is written already."""
    row = _row(caller.business, journal_entry, caller, effective_on)
    event = outbox.event_statement(
        caller.business, "transaction.posted", serializers.transaction(row, filed), actor=caller
    )
    return sql.SqlStatement(_INSERT_BOTH, [*_values(row), effective_on, *event.params])


def record_many(
    caller_or_business: Caller | Business, entries: Sequence[Entry], *, with_events: bool = True
) -> list[Transaction]:
    """Writes many movements in five statements; answers those that were new. References that are there are left alone.

    Inside the transaction of the postings. Without `with_events` there is no event, as for what a business begins with.
    """
    if not entries:
        return []
    business, actor = _business_and_actor(caller_or_business)
    days = _days({entry.ledger_transaction_id for entry in entries})
    filed = Subcategory.objects.in_bulk({entry.subcategory_id for entry in entries if entry.subcategory_id})
    rows = [_row(business, entry, actor, days[entry.ledger_transaction_id]) for entry in entries]
    for row in rows:
        row.subcategory_id = row.subcategory_id if row.subcategory_id in filed else None
    Transaction.objects.bulk_create(rows, ignore_conflicts=True, batch_size=2000)
    written = set(Transaction.objects.filter(id__in=[row.id for row in rows]).values_list("id", flat=True))
    created = [row for row in rows if row.id in written]
    if not with_events:
        return created
    Event.objects.bulk_create(
        (
            outbox.build_event(
                business,
                "transaction.posted",
                serializers.transaction(row, filed.get(row.subcategory_id or "")),
                actor=actor,
            )
            for row in created
        ),
        batch_size=2000,
    )
    return created


def _business_and_actor(caller_or_business: Caller | Business) -> tuple[Business, Caller | None]:
    if isinstance(caller_or_business, Business):
        return caller_or_business, None
    return caller_or_business.business, caller_or_business


def _row(
    business: Business, journal_entry: Entry, actor: Caller | None, effective_on: date | None = None
) -> Transaction:
    now = timezone.now()
    return Transaction(
        id=object_id(),
        business_id=business.id,
        origin=Origin.SERVICE,
        type=Type(journal_entry.type),
        status=TransactionStatus.POSTED,
        org_wallet_ref=journal_entry.org_wallet_ref,
        direction=Direction(journal_entry.direction),
        currency=journal_entry.currency,
        amount_minor=journal_entry.amount_minor,
        fees_minor=journal_entry.fees_minor,
        counterparty=journal_entry.counterparty[:150],
        ref=journal_entry.ref,
        channel=journal_entry.channel,
        subcategory_id=journal_entry.subcategory_id or None,
        expense_id=journal_entry.expense_id,
        employee_id=journal_entry.employee_id,
        team_id=journal_entry.team_id,
        ledger_transaction_id=journal_entry.ledger_transaction_id,
        effective_on=effective_on,
        occurred_at=journal_entry.occurred_at or now,
        created_by=actor.label if actor else "",
        created_at=now,
        updated_at=now,
    )


def _existing_row(row: Transaction) -> Transaction:
    """The row that has the reference already; LookupError where there was no such posting to begin with."""
    existing = Transaction.objects.filter(
        business_id=row.business_id,
        origin=row.origin,
        ref=row.ref,
        type=row.type,
        org_wallet_ref=row.org_wallet_ref,
        direction=row.direction,
    ).first()
    if existing is None:
        raise LookupError(f"There is no ledger transaction {row.ledger_transaction_id} to write down.")
    return existing


def _days(ledger_ids: set[int]) -> dict[int, date]:
    return dict(LedgerTransaction.objects.filter(id__in=ledger_ids).values_list("id", "effective_on"))


_COLUMNS = (
    "id", "business_id", "origin", "type", "status", "org_wallet_ref", "to_org_wallet_ref", "direction", "currency",
    "amount_minor", "fees_minor", "counterparty", "ref", "channel", "description", "subcategory_id", "expense_id",
    "employee_id", "team_id", "ledger_transaction_id", "occurred_at", "created_by", "decided_by", "reason",
    "failure_code", "version", "created_at", "updated_at",
)  # fmt: skip
# The ledger's day comes with it: sums over days of the journal are those of the ledger. A subcategory that is gone is
# no reason to lose what was paid.
_PLACES = [
    "(select id from categories_subcategory where id = %s)" if name == "subcategory_id" else "%s" for name in _COLUMNS
]
_INSERT = f"""
with made as (
    insert into transactions_transaction ({", ".join(_COLUMNS)}, maker_ids, effective_on)
    select {", ".join(_PLACES)}, '[]', posted.effective_on
    from ledger_transaction posted where posted.id = %s and posted.business_id = %s
    on conflict on constraint transaction_once do nothing
    returning effective_on, subcategory_id)
select made.effective_on, made.subcategory_id, filed.name, filed.code
from made left join categories_subcategory filed on filed.id = made.subcategory_id
"""  # noqa: S608  column names of ours
_INSERT_BOTH = f"""
with made as (
    insert into transactions_transaction ({", ".join(_COLUMNS)}, maker_ids, effective_on)
    values ({", ".join(["%s"] * len(_COLUMNS))}, '[]', %s)
    on conflict on constraint transaction_once do nothing
    returning id)
{outbox.INSERT_AFTER} from made
"""  # noqa: S608  column names of ours


def _values(row: Transaction) -> list[Any]:
    return [getattr(row, column) for column in _COLUMNS]
