"""What an expense moves in the ledger: off the wallet that pays, onto the system account across from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from service import errors, sql
from service.accounts import employee_wallets
from service.accounts.wallets import Funding, Wallet, funding_wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.expenses.new_expense import NewExpense
from service.ledger.chart import system_account
from service.ledger.post import Leg

FLOATS = {"CARD": "CARD_FLOAT", "MPESA": "MOBILE_FLOAT", "AIRTIME": "MOBILE_FLOAT", "BANK": "BANK_FLOAT"}


def ledger_ref(transaction_ref: str) -> str:
    """The permanent reference of an expense's posting: a second posting of it cannot happen."""
    return f"expense:{transaction_ref}"


# The wallet that pays and the system account across from it, in one look.
SIDES = """
select paying.currency, paying.ledger_account_id, across.id
from accounts_wallet paying
left join ledger_account across
    on across.business_id = paying.business_id and across.currency = paying.currency
    and across.kind = %s and across.holder_type = '' and across.holder_id = ''
where paying.business_id = %s and paying.holder_id = '' and paying.org_wallet_ref = %s
"""


def sides_statement(caller: Caller, new: NewExpense) -> sql.SqlStatement:
    """What reads the two accounts that `legs` is about, where the business's wallet pays."""
    return sql.SqlStatement(SIDES, [_kind(new), caller.business.id, new.org_wallet_ref])


def _kind(new: NewExpense) -> str:
    return FLOATS.get(new.payment_type, "CARD_FLOAT")


def legs(caller: Caller, new: NewExpense, minor: int, sides: Sequence[sql.Row] | None = None) -> list[Leg]:
    """What moves so many minor units out of the wallet: 404 without it, 422 when it is of another currency. `sides` is what
    `sides_statement` gave, where it was read already."""
    kind = _kind(new)
    if new.funding == Funding.ALLOCATION:
        own = payer(caller, new)
        return [Leg(own.ledger_account_id, -minor), Leg(system_account(caller.business, kind, own.currency).pk, minor)]
    if sides is None:
        sides = sql.rows(*sides_statement(caller, new))
    if not sides:
        raise errors.not_found("wallet")
    currency, paying, across = sides[0]
    if currency != new.currency:
        raise errors.validation_failed("currency", f"The wallet {new.org_wallet_ref} holds {currency}.")
    return [Leg(paying, -minor), Leg(across or system_account(caller.business, kind, currency).pk, minor)]


def payer(caller: Caller, new: NewExpense) -> Wallet:
    """The wallet that pays, or that money goes back to: of an allocation the employee's, while there is one."""
    person = new.employee
    holder = person.id if person and person.status != Employee.Status.DELETED else ""
    return funding_wallet(caller.business, new.funding, new.org_wallet_ref, holder, new.currency)


def legs_of_many(
    caller: Caller, batch: Sequence[NewExpense], allocations: Mapping[str, Sequence[Wallet]] | None = None
) -> list[Leg]:
    """What moves the money of many expenses of one wallet and currency: an entry for each, off that wallet or off its
    person's allocation, and one across for all. `allocations` is what `employee_wallets.of` gives for the spenders, where
    it is known already."""
    spenders = {new.employee.id for new in batch if new.employee is not None and new.funding == Funding.ALLOCATION}
    accounts = allocations or employee_wallets.of(caller.business, spenders, batch[0].currency)
    total = sum(new.charge_minor for new in batch)
    # The account on the other side is the same, whoever pays.
    off, across = legs(caller, replace(batch[0], funding=""), total)
    moved = []
    for new in batch:
        allocated = new.employee is not None and new.funding == Funding.ALLOCATION
        account = accounts[new.employee.id][0].ledger_account_id if allocated and new.employee else off.account_id
        moved.append(Leg(account, -new.charge_minor, new.receiver or new.description))
    return [*moved, Leg(across.account_id, total)]
